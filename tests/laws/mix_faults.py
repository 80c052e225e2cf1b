"""Mixes with one fault each."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from epochproof.stage._chance import Chance
from epochproof.stage._cycle import Cycle, greedy, in_turn
from epochproof.stage._mixing import Mixing
from epochproof.stage._stage import Here, Place
from epochproof.term.node import Int, both, choose, constant, maximum, minimum, number


class ExhaustionCheckedBefore(Mixing):
    """It ends where an empty source is picked, not where a source becomes empty."""

    def ends(self, here: Here) -> list[Int]:
        sequence = self.sequence(here)
        return [sequence.turn(source, size) for source, size in enumerate(self.sizes)]


class EndsSwapped(Mixing):
    """The first source that is exhausted ends it where the last one should, and the other way round."""

    def length(self, here: Here) -> Int:
        return reduce(maximum if self.stop == "first_exhausted" else minimum, self.ends(here))


class WeightOffByOne(Mixing):
    """The first source is picked once more in a row than its weight says."""

    def sequence(self, here: Here) -> Cycle | Chance:
        first, *others = self.weights
        return in_turn((first + 1, *others))


class LastOfATie(Mixing):
    """Of several sources that are furthest behind, the last one is picked."""

    def sequence(self, here: Here) -> Cycle | Chance:
        weights = [constant(each) or 1 for each in reversed(self.weights)]
        cycle, last = greedy(weights), len(weights) - 1
        if cycle is None:
            raise ValueError("the cycle of a fault is short")
        runs = tuple(replace(run, source=last - run.source) for run in cycle.runs)
        return Cycle(runs, cycle.length, cycle.shares[::-1])


class GoesOnWithTheSecond(Mixing):
    """An exhausted source starts again with its second record."""

    def _index(self, source: int, j: Int) -> Int:
        size = self.sizes[source]
        return choose(j < size, j, (j + 1) % size)


class OneRoundTooFew(Mixing):
    """A source that starts again is placed where it was before."""

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        found = super().place(q, number(0), here)
        return Place(both(found.holds, lap >= 0), found.position)
