"""What a `use` gives to the parameters of its preset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from epochproof.config.fold import known
from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.node import walk
from epochproof.language.preset import Use
from epochproof.language.suggest import suggest
from epochproof.schedule.definition import default_of, parameter_name
from epochproof.schedule.library import Definition
from epochproof.stage._option import mark_of
from epochproof.stage._options import Seed
from epochproof.stage._room import stage_class

_TRUTHS = ("true", "false")


def matched(use: Use, definition: Definition) -> Mapping[str, tree.Argument]:
    """The arguments of a `use` by the parameters that they are for.

    Raises:
        SpecError: One is unknown, given twice, or missing.
    """
    names = [parameter_name(each) for each in definition.preset.parameters]
    given: dict[str, tree.Argument] = {}
    for at, argument in enumerate(use.arguments):
        name = argument.name or (names[at] if at < len(names) else "")
        if name not in names:
            what = f"has no parameter `{argument.name}`" if argument.name else "takes no further argument"
            listed = f"parameters are {', '.join(names)}" if names else "it takes none"
            cure = suggest(argument.name or "", names) or listed
            raise fail("E252", f"preset `{definition.called}` {what}", argument.span, help=cure)
        if name in given:
            raise fail(
                "E252",
                f"`{name}` is given twice",
                argument.span,
                label="the second time",
                secondary=(Label(given[name].span, "the first time"),),
                help="delete one of the two",
            )
        given[name] = argument
    for each in definition.preset.parameters:
        if default_of(each) is None and parameter_name(each) not in given:
            name = parameter_name(each)
            cure = f"write `{name} = 4`, or `{name} in 1..64` to leave it free"
            raise fail("E252", f"preset `{definition.called}` needs `{name}`", use.span, help=cure)
    return given


def settled(name: str, parameter: tree.Argument, value: tree.Expression, *, free: bool) -> tree.Expression:
    """The value of a parameter, which is `true` or `false` where its default is.

    Raises:
        SpecError: It is something else.
    """
    if str(default_of(parameter)) not in _TRUTHS or isinstance(value, tree.Unread):
        return value
    if free:
        raise fail(
            "E252",
            f"`{name}` cannot be left free",
            value.span,
            help="write `true` or `false`, and a loader for each",
        )
    if isinstance(known(value), bool):
        return value
    found = f"`{value}`" if isinstance(value, tree.Name) else "something else"
    cure = suggest(str(value), _TRUTHS) if isinstance(value, tree.Name) else ""
    raise fail(
        "E252",
        f"`{name}` is `true` or `false`, and {found} here",
        value.span,
        help=cure or "write one of the two",
    )


def seeds(definition: Definition) -> frozenset[str]:
    """The parameters of a preset that some stage takes for a seed."""
    return frozenset(_seeds(definition))


def _seeds(definition: Definition) -> Iterator[str]:
    for part in walk(definition.preset.entries):
        if isinstance(part, tree.Stage):
            kind = stage_class(part.name)
            fields = list(kind.model_fields)
            for at, argument in enumerate(part.arguments):
                option = argument.name or (fields[at] if at < len(fields) else "")
                if option in fields and mark_of(kind, option, Seed):
                    yield str(argument.value)
        elif isinstance(part, Use):
            inner = definition.library.find(part.name)
            given = matched(part, inner)
            yield from (str(given[name].value) for name in seeds(inner) if name in given)
