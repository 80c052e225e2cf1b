"""From a stage as written to the stage: options matched, values read, free ones named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar, get_args, get_origin

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.stage._options import Again, AtLeast, Column, Fixed, Lanes, Open, Seed
from epochproof.stage._room import names, stage_class
from epochproof.stage._stage import Stage
from epochproof.term.node import Int, constant, number

_WORDS = {"true": True, "false": False}
_Mark = TypeVar("_Mark", AtLeast, Seed, Lanes, Open, Fixed, Again, Column)


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
    fields = [name for name in kind.model_fields if not _mark(kind, name, Again)]
    given = _match(written, fields)

    def option(name: str, turn: int = 1) -> _Option:
        return _Option(written, loader, scope, name, first=name == fields[0], iterable=iterable, turn=turn)

    values = {
        name: _column(argument, population, scope)
        if _mark(kind, name, Column)
        else option(name).read(kind, argument)
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
            values[name] = option(name).left_open(kind, mark)
    values |= _once_more(kind, given, values, option)
    missing = [
        name for name, field in kind.model_fields.items() if field.is_required() and name not in values
    ]
    if missing:
        what, cure = _needed(kind, written.name, missing[0])
        raise fail("E208", f"`{written.name}` needs {what}", written.span, help=cure)
    return kind.model_construct(None, **values, **kind.defaults(values, iterable=iterable))


def _once_more(
    kind: type[Stage],
    given: Mapping[str, tree.Argument],
    values: Mapping[str, object],
    option: Callable[[str, int], _Option],
) -> dict[str, object]:
    """What options are from the second time on: as before where they are fixed, and else free once more."""
    found: dict[str, object] = {}
    for name in kind.model_fields:
        if again := _mark(kind, name, Again):
            times = values.get(again.times)
            turns = range(2, times + 1) if isinstance(times, int) else ()
            found[name] = tuple(option(again.of, turn).once_more(kind, given.get(again.of)) for turn in turns)
    return found


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


def _mark(kind: type[Stage], name: str, wanted: type[_Mark]) -> _Mark | None:
    return next((each for each in kind.model_fields[name].metadata if isinstance(each, wanted)), None)


class _Option:
    """One option as written, and where its name stands; `turn` counts the times that it has a value."""

    def __init__(
        self,
        written: tree.Stage,
        loader: str,
        scope: Scope,
        name: str,
        *,
        first: bool,
        iterable: bool,
        turn: int = 1,
    ) -> None:
        self._iterable, self._turn = iterable, turn
        self._written, self._scope, self._name = written, scope, name
        self._called = f"{loader}.{written.name if first else name}"
        self._seed = f"{loader}.seed"
        self._loader = loader

    def read(self, kind: type[Stage], argument: tree.Argument) -> object:
        """The value of the option, of the kind that the field asks for."""
        mark = _mark(kind, self._name, Open)
        if mark:
            self._called = self._seed = self._name_of(mark)
            if not mark.given and _is_any(argument):
                return self.left_open(kind, mark)
        if least := _mark(kind, self._name, AtLeast):
            return self._number(argument, least.least)
        if _mark(kind, self._name, Seed):
            return self._key(argument)
        if fixed := _mark(kind, self._name, Fixed):
            return self._fixed(argument, fixed)
        if argument.free:
            words = ["ranks"] if _mark(kind, self._name, Lanes) else _words(kind, self._name)
            cure = f"name one of {', '.join(words)}" if words[1:] else f"write `{words[0]}`"
            raise fail("E204", f"`{self._name}` cannot be left free", argument.span, help=cure)
        if _mark(kind, self._name, Lanes):
            return self._lanes(argument.value)
        return self._word(kind, argument.value)

    def left_open(self, kind: type[Stage], mark: Open) -> Int:
        """A free parameter for an option that is not given."""
        span, called = self._written.name_span, self._name_of(mark)
        least = _mark(kind, self._name, AtLeast)
        everything = tree.Range(tree.Number(least.least if least else 0, span), None, span)
        value = self._scope.free(
            called, everything, least=0, span=span, seed=_mark(kind, self._name, Seed) is not None
        )
        self._scope.name(called, value, span)
        return value

    def once_more(self, kind: type[Stage], argument: tree.Argument | None) -> object:
        """The value of a later turn: a fixed one is the first one again, and a free one another one."""
        mark = _mark(kind, self._name, Open)
        if argument is None:
            return mark and self.left_open(kind, mark)
        if _mark(kind, self._name, Seed) and not argument.free and not _is_any(argument):
            raise fail(
                "E204",
                f"`{self._name}` cannot be one key of several orders",
                argument.span,
                help=f"leave it out, write `{self._name} = any`, or give it a range with `in`",
            )
        return self.read(kind, argument)

    def _name_of(self, mark: Open) -> str:
        return f"{self._loader}.{mark.called}" + (f"_{self._turn}" if self._turn > 1 else "")

    def _fixed(self, argument: tree.Argument, fixed: Fixed) -> int:
        """A number that no parameter decides."""
        value = None if argument.free or _is_any(argument) else constant(self._scope.term(argument.value))
        if value is None:
            cure = f"write a number from {fixed.least} to {fixed.most}"
            raise fail("E204", f"`{self._name}` cannot be left free", argument.span, help=cure)
        if value > fixed.most:
            found = f"`{self._name}` must be at most {fixed.most}, and is {value} here"
            raise fail("E204", found, argument.span, help=f"write {fixed.most} or less")
        self._scope.at_least(argument.value, fixed.least, self._name)
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


def _is_any(argument: tree.Argument) -> bool:
    return not argument.free and isinstance(argument.value, tree.Name) and argument.value.parts == ("any",)


def _choices(annotation: object) -> tuple[object, ...]:
    return get_args(annotation) if get_origin(annotation) is Literal else ()


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
