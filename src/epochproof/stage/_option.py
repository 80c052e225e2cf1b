"""One option of a stage, from what is written to its value; free values join the scope."""

from __future__ import annotations

from fractions import Fraction

from epochproof.diagnostics import fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.stage._fields import fields_of, mark_of
from epochproof.stage._options import AtLeast, Exact, Fixed, Lanes, Open, Seed
from epochproof.stage._stage import Stage
from epochproof.term.node import Int, constant

_WORDS = {"true": True, "false": False}


class Option:
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
        opened = mark_of(kind, self._name, Open)
        if opened:
            self._called = self._seed = self._name_of(opened)
            if not opened.given and _is_any(argument):
                return self.left_open(kind, opened)
        if least := mark_of(kind, self._name, AtLeast):
            return self._number(argument, least.least)
        if fixed := mark_of(kind, self._name, Fixed):
            return self._fixed(argument, fixed)
        if mark_of(kind, self._name, Seed):
            return self._key(argument)
        exact, lanes = mark_of(kind, self._name, Exact), mark_of(kind, self._name, Lanes)
        return (
            self._exact(argument) if exact else self._lanes(argument) if lanes else self._word(kind, argument)
        )

    def left_open(self, kind: type[Stage], mark: Open) -> Int:
        """A free parameter for an option that is not given."""
        span, called = self._written.name_span, self._name_of(mark)
        least = mark_of(kind, self._name, AtLeast)
        everything = tree.Range(tree.Number(least.least if least else 0, span), None, span)
        value = self._scope.free(
            called, everything, least=0, span=span, seed=mark_of(kind, self._name, Seed) is not None
        )
        self._scope.name(called, value, span)
        return value

    def once_more(self, kind: type[Stage], argument: tree.Argument | None) -> object:
        """The value of a later turn: a fixed one is the first one again, and a free one another one."""
        mark = mark_of(kind, self._name, Open)
        if argument is None:
            return mark and self.left_open(kind, mark)
        if mark_of(kind, self._name, Seed) and not argument.free and not _is_any(argument):
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
        elif isinstance(argument.value, tree.Unread):
            value = scope.unread(argument.value, 0, seed=True)
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

    def _bound(self, argument: tree.Argument, words: list[str]) -> tree.Expression:
        """The value, which is none that could be left free."""
        if argument.free:
            cure = f"name one of {', '.join(words)}" if words[1:] else f"write `{words[0]}`"
            raise fail("E204", f"`{self._name}` cannot be left free", argument.span, help=cure)
        return argument.value

    def _lanes(self, argument: tree.Argument) -> frozenset[str]:
        value = self._bound(argument, ["ranks"])
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

    def _word(self, kind: type[Stage], argument: tree.Argument) -> object:
        value = self._bound(argument, _words(kind, self._name))
        choices = fields_of(kind)[self._name].choices
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


def _words(kind: type[Stage], name: str) -> list[str]:
    """The words that an option can be, as they are written."""
    return [str(each).lower() for each in fields_of(kind)[name].choices]


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
