"""A mix as a stage: from the records of its sources, one after the other, to the sequence that it draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import accumulate
from typing import ClassVar, Literal

from epochproof.diagnostics import InternalError
from epochproof.stage._chance import GREEDY, Chance, picks
from epochproof.stage._cycle import Cycle, greedy, in_turn
from epochproof.stage._sources import Source, furthest_behind, in_a_row, mixed
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import (
    Bool,
    Int,
    add,
    both,
    choose,
    constant,
    equal,
    less_equal,
    maximum,
    minimum,
    number,
)


class Mixing(Stage):
    """Draws from `sizes[s]` records of source s by its weight; the input is the sources' records in turn.

    An exhausted source starts again with its first record. `until` is the length of a mix that never ends,
    and `order` the sequence of random picks.
    """

    mixes: ClassVar[bool] = True

    pick: Literal["round_robin", "greedy", "random"]
    stop: Literal["first_exhausted", "all_exhausted", "forever"]
    names: tuple[str, ...]
    sizes: tuple[Int, ...]
    weights: tuple[Int, ...]
    nested: tuple[Mixing | None, ...]
    order: Int | None = None
    until: Int | None = None

    def pads(self) -> bool:
        return self.stop != "first_exhausted"

    def repeats(self) -> bool:
        return self.pads()

    def sequence(self, here: Here) -> Cycle | Chance:
        """Which source each position takes."""
        if self.pick == "round_robin":
            return in_turn(self.weights)
        if self.order is not None:
            return Chance(self.order, here.lane.epoch, self.weights)
        fixed = [value for value in map(constant, self.weights) if value is not None]
        return greedy(fixed) or Chance(number(GREEDY), number(0), self.weights)

    def starts(self) -> list[Int]:
        """The first input position of each source."""
        return list(accumulate(self.sizes, initial=number(0)))[:-1]

    def drawn(self, source: int, t: Int, here: Here) -> Int:
        """How many of the first `t` positions take the source."""
        return self.sequence(here).drawn(source, t)

    def ends(self, here: Here) -> list[Int]:
        """The length after which each source is exhausted for the first time."""
        sequence = self.sequence(here)
        return [sequence.turn(source, size - 1) + 1 for source, size in enumerate(self.sizes)]

    def length(self, here: Here) -> Int:
        if self.until is not None:
            return self.until
        return reduce(minimum if self.stop == "first_exhausted" else maximum, self.ends(here))

    def source(self, p: Int, here: Here) -> Int:
        starts = self.starts()
        return self.sequence(here).split(p, lambda source, j: starts[source] + self._index(source, j))

    def _index(self, source: int, j: Int) -> Int:
        return j % self.sizes[source] if self.pads() else j

    def lap(self, p: Int, here: Here) -> Int:
        if not self.pads():
            return number(0)
        return self.sequence(here).split(p, lambda source, j: j // self.sizes[source])

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        sequence, at = self.sequence(here), number(0)
        for source, start in reversed(list(enumerate(self.starts()))):
            again = lap * self.sizes[source] if self.pads() else 0
            turn = sequence.turn(source, q - start + again)
            last = source == len(self.sizes) - 1
            at = turn if last else choose(q < start + self.sizes[source], turn, at)
        holds = lap >= 0 if self.pads() else first(lap)
        return Place(both(holds, at < self.length(here)), at)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        whole = span.high is None and span.low is number(0)
        return span if whole and self.stop == "all_exhausted" else None

    def assumes(self) -> tuple[str, ...]:
        return ("all ranks agree on what the mix draws",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        if self.stop == "forever" or self.order is not None:
            return [("drawn", less_equal(0, here.n))]
        length = self.length(here)
        return [
            (f"`{name}` ends it", equal(end, length))
            for name, end in zip(self.names, self.ends(here), strict=True)
        ]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        numbers, sources, rest = reality.options, list[Source](), list(stream)
        for at in range(len(self.sizes)):
            size = numbers[f"sizes.{at}"]
            sources.append(Source(reality.torch, rest[:size]))
            rest = rest[size:]
        weights = [numbers[f"weights.{at}"] for at in range(len(self.weights))]
        until = numbers.get("until")
        if until == 0:
            return []
        return mixed(sources, self._visited(weights, reality), lambda each, n: self._ended(each, n, until))

    def _ended(self, sources: Sequence[Source], drawn: int, until: int | None) -> bool:
        done = [each.exhausted for each in sources]
        if until is not None:
            return drawn >= until
        return any(done) if self.stop == "first_exhausted" else all(done)

    def _visited(self, weights: Sequence[int], reality: Reality) -> Iterator[int]:
        if self.pick == "random":
            return picks(reality.options["order"], reality.epoch, tuple(weights)).visited()
        return in_a_row(weights) if self.pick == "round_robin" else furthest_behind(weights)

    def part(self, name: str) -> tuple[Int, Int] | None:
        """The first record of a source, or of one inside a source, and how many it has."""
        low = number(0)
        for own, size, inner in zip(self.names, self.records(), self.nested, strict=True):
            if own == name:
                return low, size
            if inner and (found := inner.part(name)):
                return low + found[0], found[1]
            low = low + size
        return None

    def leaves(self) -> list[tuple[str, Int]]:
        """The datasets that it draws from, in the order of their records, and how many each has."""
        found = list[tuple[str, Int]]()
        for name, size, inner in zip(self.names, self.sizes, self.nested, strict=True):
            found += [(name, size)] if inner is None else inner.leaves()
        return found

    def records(self) -> list[Int]:
        """How many records each source has, those of its own sources together."""
        return [
            size if inner is None else add(*inner.records())
            for size, inner in zip(self.sizes, self.nested, strict=True)
        ]

    def count(self, name: str, t: Int, here: Here) -> Int:
        """How many of the first `t` positions hold a record of the source `name`."""
        source, inner = self._holding(name)
        taken = self.drawn(source, t, here)
        if inner is None:
            return taken
        whole = self.sizes[source]
        return (taken // whole) * inner.count(name, whole, here) + inner.count(name, taken % whole, here)

    def different(self, name: str, t: Int, here: Here) -> Int:
        """How many records of the source `name` the first `t` positions hold."""
        source, inner = self._holding(name)
        taken = minimum(self.sizes[source], self.drawn(source, t, here))
        if inner is None and self.nested[source] is None:
            return taken
        if inner is not None:
            return inner.different(name, taken, here)
        own = self.nested[source]
        return add(*(own.different(each, taken, here) for each in own.names)) if own else taken

    def _holding(self, name: str) -> tuple[int, Mixing | None]:
        """The source that is called so, or that holds one that is, and then the mix in it."""
        for source, (own, inner) in enumerate(zip(self.names, self.nested, strict=True)):
            if own == name:
                return source, None
            if inner and inner.part(name):
                return source, inner
        raise InternalError("a mix is asked about a source that it has not")


class RandomMixing(Mixing):
    """A mix whose picks nobody fixes."""

    moves: ClassVar[bool] = True
