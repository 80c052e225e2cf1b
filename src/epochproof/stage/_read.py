"""From a stage as written to the stage: options matched, values read, free ones named."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeVar, get_args, get_origin

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.stage._options import AtLeast, Exact, Lanes, Open, Seed
from epochproof.stage._room import names, stage_class
from epochproof.stage._stage import Stage
from epochproof.term.node import Int

_WORDS = {"true": True, "false": False}
_Mark = TypeVar("_Mark", AtLeast, Seed, Lanes, Open, Exact)


def read_stage(written: tree.Stage, loader: str, scope: Scope, *, iterable: bool = False) -> Stage:
    """The stage that is written; its free values join the scope as `<loader>.<option>`.

    A free first argument is called `<loader>.<stage>`, a seed always `<loader>.seed`.
    """
    if written.name not in names():
        raise fail(
            "E202",
            f"unknown stage `{written.name}`",
            written.name_span,
            help=suggest(written.name, names()) or f"stages are {', '.join(names())}",
        )
    kind = stage_class(written.name)
    fields = list(kind.model_fields)
    given = _match(written, fields)
    _check_alternatives(kind, written, given)
    values = {
        name: _Option(written, loader, scope, name, first=name == fields[0], iterable=iterable).read(
            kind, argument
        )
        for name, argument in given.items()
    }
    for name in kind.model_fields:
        mark = _mark(kind, name, Open)
        if mark and mark.given and name not in values:
            last = mark.called.rpartition(".")[2]
            same = scope.names.get(last, scope.names.get(f"{loader}.{last}"))
            if same is not None:
                scope.names[f"{loader}.{mark.called}"] = same
        if mark and not mark.given and name not in values:
            option = _Option(written, loader, scope, name, first=False, iterable=iterable)
            values[name] = option.left_open(kind, mark)
    missing = [
        name for name, field in kind.model_fields.items() if field.is_required() and name not in values
    ]
    if missing:
        what, cure = _needed(kind, written.name, missing[0])
        raise fail("E208", f"`{written.name}` needs {what}", written.span, help=cure)
    return kind.model_construct(None, **values, **kind.defaults(values, iterable=iterable))


def _needed(kind: type[Stage], stage: str, name: str) -> tuple[str, str]:
    """What the stage lacks, and how it is written."""
    if _mark(kind, name, Lanes):
        return "to know whom it deals to", f"write `{stage}(ranks)`"
    return f"a value for `{name}`", f"write `{stage}(4)`, or `{stage}(in 1..64)` to leave it free"


def _match(written: tree.Stage, fields: list[str]) -> Mapping[str, tree.Argument]:
    given: dict[str, tree.Argument] = {}
    for at, argument in enumerate(written.arguments):
        name = argument.name or (fields[at] if at < len(fields) else "")
        if name not in fields:
            what = f"has no option `{argument.name}`" if argument.name else "takes no further argument"
            known = f"options are {', '.join(fields)}"
            raise fail(
                "E203",
                f"`{written.name}` {what}",
                argument.span,
                help=suggest(argument.name or "", fields) or known,
            )
        if name in given:
            raise fail(
                "E203",
                f"`{name}` is given twice",
                argument.span,
                label="the second time",
                secondary=(Label(given[name].span, "the first time"),),
                help="delete one of the two",
            )
        given[name] = argument
    return given


def _check_alternatives(kind: type[Stage], written: tree.Stage, given: Mapping[str, tree.Argument]) -> None:
    """Refuses a stage that leaves out all of its alternatives, or takes two of them."""
    taken = [given[name] for name in kind.alternatives if name in given]
    names = [f"`{name}`" for name in kind.alternatives]
    if names and not taken:
        cure = f"write `{written.name}({kind.alternatives[0]} = 0)`, or give `{kind.alternatives[-1]}`"
        raise fail("E208", f"`{written.name}` needs {' or '.join(names)}", written.span, help=cure)
    if taken[1:]:
        raise fail(
            "E203",
            f"`{written.name}` takes {' or '.join(names)}, not both",
            taken[1].span,
            secondary=(Label(taken[0].span, "the other one"),),
            help="delete one of the two",
        )


def _mark(kind: type[Stage], name: str, wanted: type[_Mark]) -> _Mark | None:
    return next((each for each in kind.model_fields[name].metadata if isinstance(each, wanted)), None)


class _Option:
    """One option as written, and where its name stands."""

    def __init__(
        self, written: tree.Stage, loader: str, scope: Scope, name: str, *, first: bool, iterable: bool
    ) -> None:
        self._iterable = iterable
        self._written, self._scope, self._name = written, scope, name
        self._called = f"{loader}.{written.name if first else name}"
        self._seed = f"{loader}.seed"
        self._loader = loader

    def read(self, kind: type[Stage], argument: tree.Argument) -> object:
        """The value of the option, of the kind that the field asks for."""
        mark = _mark(kind, self._name, Open)
        if mark:
            self._called = self._seed = f"{self._loader}.{mark.called}"
            if not mark.given and _is_any(argument):
                return self.left_open(kind, mark)
        if least := _mark(kind, self._name, AtLeast):
            return self._number(argument, least.least)
        if _mark(kind, self._name, Seed):
            return self._key(argument)
        if _mark(kind, self._name, Exact):
            return self._exact(argument)
        if argument.free:
            words = ["ranks"] if _mark(kind, self._name, Lanes) else _words(kind, self._name)
            cure = f"name one of {', '.join(words)}" if words[1:] else f"write `{words[0]}`"
            raise fail("E204", f"`{self._name}` cannot be left free", argument.span, help=cure)
        if _mark(kind, self._name, Lanes):
            return self._lanes(argument.value)
        return self._word(kind, argument.value)

    def left_open(self, kind: type[Stage], mark: Open) -> Int:
        """A free parameter for an option that is not given."""
        span, called = self._written.name_span, f"{self._loader}.{mark.called}"
        least = _mark(kind, self._name, AtLeast)
        everything = tree.Range(tree.Number(least.least if least else 0, span), None, span)
        value = self._scope.free(
            called, everything, least=0, span=span, seed=_mark(kind, self._name, Seed) is not None
        )
        self._scope.name(called, value, span)
        return value

    def _number(self, argument: tree.Argument, least: int) -> object:
        scope, called = self._scope, self._called
        if argument.free:
            value = scope.free(called, argument.value, least=least, span=argument.span)
        else:
            value = scope.at_least(argument.value, least, self._name)
        scope.name(called, value, argument.span)
        return value

    def _key(self, argument: tree.Argument) -> object:
        scope, called = self._scope, self._seed
        if _is_any(argument):
            everything = tree.Range(tree.Number(0, argument.span), None, argument.span)
            value = scope.free(called, everything, least=0, span=argument.span, seed=True)
        elif argument.free:
            value = scope.free(called, argument.value, least=0, span=argument.span, seed=True)
        else:
            value = scope.at_least(argument.value, 0, self._name)
        scope.name(called, value, argument.span)
        return value

    def _exact(self, argument: tree.Argument) -> Fraction:
        written = argument.value
        if argument.free or not isinstance(written, tree.Number):
            found = f"`{self._name}` is 0, or another number that is written out"
            raise fail("E204", found, argument.span, help=f"write `{self._name} = 0`")
        return Fraction(written.value)

    def _lanes(self, value: tree.Expression) -> frozenset[str]:
        lanes = _named_lanes(value)
        if lanes and (self._iterable or "worker" not in lanes):
            return lanes
        if lanes:
            raise fail(
                "E211",
                "the workers of a map-style loader are dealt nothing: the main process hands out indices",
                value.span,
                help="write `shard(ranks)`, and `fetch(workers)` below the batch; or add `style = iterable`",
            )
        help_ = "write `ranks`, `workers` or `ranks * workers`" if self._iterable else "write `ranks`"
        raise fail("E204", f"these are no lanes of `{self._written.name}`", value.span, help=help_)

    def _word(self, kind: type[Stage], value: tree.Expression) -> object:
        choices = _choices(kind.model_fields[self._name].annotation)
        word = value.parts[0] if isinstance(value, tree.Name) and len(value.parts) == 1 else None
        found = _WORDS.get(word, word) if word is not None else None
        if word is None or found not in choices:
            shown = _words(kind, self._name)
            raise fail(
                "E204",
                f"`{self._name}` cannot be `{word}`" if word else f"`{self._name}` takes a word",
                value.span,
                help=suggest(word or "", shown) or f"name one of {', '.join(shown)}",
            )
        return found


def _is_any(argument: tree.Argument) -> bool:
    return not argument.free and isinstance(argument.value, tree.Name) and argument.value.parts == ("any",)


def _choices(annotation: object) -> tuple[object, ...]:
    parts = (annotation, *get_args(annotation))
    return next((get_args(each) for each in parts if get_origin(each) is Literal), ())


def _words(kind: type[Stage], name: str) -> list[str]:
    """The words that an option can be, as they are written."""
    return [str(each).lower() for each in _choices(kind.model_fields[name].annotation)]


def _named_lanes(value: tree.Expression) -> frozenset[str]:
    """The axes of `ranks`, `workers` or their product; empty for anything else."""
    match value:
        case tree.Name(parts=("ranks",)):
            return frozenset({"rank"})
        case tree.Name(parts=("workers",)):
            return frozenset({"worker"})
        case tree.Binary(operator="*"):
            left, right = _named_lanes(value.left), _named_lanes(value.right)
            return left | right if left and right and not left & right else frozenset()
        case _:
            return frozenset()
