"""From a stage as written to the stage: options matched, values read, free ones named."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.stage._fields import fields_of, mark_of
from epochproof.stage._option import Option
from epochproof.stage._options import Again, Column, Lanes, Open
from epochproof.stage._room import names, stage_class
from epochproof.stage._stage import Stage
from epochproof.term.node import Int, number


def read_stage(
    written: tree.Stage, loader: str, scope: Scope, *, iterable: bool = False, population: str = ""
) -> Stage:
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
    fields = [name for name in fields_of(kind) if not mark_of(kind, name, Again)]
    given = _match(written, fields)
    _check_alternatives(kind, written, given)

    def option(name: str, turn: int = 1) -> Option:
        return Option(written, loader, scope, name, first=name == fields[0], iterable=iterable, turn=turn)

    values = {
        name: _column(argument, population, scope)
        if mark_of(kind, name, Column)
        else option(name).read(kind, argument)
        for name, argument in given.items()
    }
    for name in fields_of(kind):
        mark = mark_of(kind, name, Open)
        if mark and mark.given and name not in values:
            last = mark.called.rpartition(".")[2]
            same = scope.names.get(last, scope.names.get(f"{loader}.{last}"))
            if same is not None:
                scope.names[f"{loader}.{mark.called}"] = same
        if mark and not mark.given and name not in values:
            values[name] = option(name).left_open(kind, mark)
    values |= _once_more(kind, given, values, option)
    missing = [name for name, field in fields_of(kind).items() if field.required and name not in values]
    if missing:
        what, cure = _needed(kind, written.name, missing[0])
        raise fail("E208", f"`{written.name}` needs {what}", written.span, help=cure)
    return kind(**values, **kind.defaults(values, iterable=iterable))


def _once_more(
    kind: type[Stage],
    given: Mapping[str, tree.Argument],
    values: Mapping[str, object],
    option: Callable[[str, int], Option],
) -> dict[str, object]:
    """What options are from the second time on: as before where they are fixed, and else free once more."""
    found: dict[str, object] = {}
    for name in fields_of(kind):
        if again := mark_of(kind, name, Again):
            times = values.get(again.times)
            turns = range(2, times + 1) if isinstance(times, int) else ()
            found[name] = tuple(option(again.of, turn).once_more(kind, given.get(again.of)) for turn in turns)
    return found


def _needed(kind: type[Stage], stage: str, name: str) -> tuple[str, str]:
    """What the stage lacks, and how it is written."""
    if mark_of(kind, name, Lanes):
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


def _column(argument: tree.Argument, population: str, scope: Scope) -> Int:
    """0 for `uniform`; for a column 1 more than the parameter that stands for what it holds."""
    value = argument.value
    if argument.free or not isinstance(value, tree.Name) or len(value.parts) > 1:
        cure = "write `uniform`, or the name of a column of the dataset"
        raise fail("E204", f"`{argument.name}` takes a word", value.span, help=cure)
    if str(value) == "uniform":
        return number(0)
    called = f"{population}.{value}"
    known = scope.parameters.get(called)
    if called in scope.names or (known is not None and not known.seed):
        cure = "name the column otherwise"
        raise fail("E204", f"`{called}` is a number of the dataset, not a column", value.span, help=cure)
    if known is None:
        everything = tree.Range(tree.Number(0, value.span), None, value.span)
        return scope.free(called, everything, least=0, span=value.span, seed=True) + 1
    return known.term + 1
