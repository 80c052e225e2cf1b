"""Picks without a closed form: random ones, of which any is meant, and greedy ones of long cycles."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from random import Random

from epochproof.stage._cycle import behind
from epochproof.term.node import Int, apply, choose, equal

NEVER = 2**62
"""The pick that takes a source which is never taken again."""

GREEDY = -1
"""Stands in the place of an order for the picks that a greedy mix takes."""

_FIRST_ALONE, _LAST_ALONE = 1, 2
_MOST = 1_000_000
"""Later picks are as good as none: no list of so many is run."""


class Chance:
    """The picks of a mix as functions about which nothing is known; `GREEDY` is the order of `behind`."""

    def __init__(self, order: Int, epoch: Int, weights: Sequence[Int]) -> None:
        self._key = (order, epoch, *weights)

    def drawn(self, source: int, t: Int) -> Int:
        """How many of the first `t` picks take the source."""
        return apply("picks_before", *self._key, source, t)

    def turn(self, source: int, j: Int) -> Int:
        """The pick that takes the source for the time `j`, counted from 0."""
        return apply("pick_of", *self._key, source, j)

    def split(self, p: Int, then: Callable[[int, Int], Int]) -> Int:
        """What `then` makes of the source of pick `p` and of how often it was taken before."""
        taken, sources = apply("source_of", *self._key, p), range(len(self._key) - 2)
        found = then(sources[-1], self.drawn(sources[-1], p))
        for source in reversed(sources[:-1]):
            found = choose(equal(taken, source), then(source, self.drawn(source, p)), found)
        return found


class Picks:
    """One such sequence: by chance, or of one source alone; it is drawn as far as it is asked for."""

    def __init__(self, order: int, epoch: int, weights: tuple[int, ...]) -> None:
        self._alone = {_FIRST_ALONE: 0, _LAST_ALONE: len(weights) - 1}.get(order)
        self._places: list[list[int]] = [[] for _ in weights]
        self.taken: list[int] = []
        chance = Random(f"{order} {epoch}")  # noqa: S311 -- any choice is as good as another
        self._next = behind(weights) if order == GREEDY else self._by_chance(chance, weights)

    def _by_chance(self, chance: Random, weights: tuple[int, ...]) -> Iterator[int]:
        while True:
            yield chance.choices(range(len(weights)), weights)[0] if self._alone is None else self._alone

    def upto(self, t: int) -> None:
        """Draws the first `t` picks."""
        while len(self.taken) < t:
            source = next(self._next)
            self._places[source].append(len(self.taken))
            self.taken.append(source)

    def visited(self) -> Iterator[int]:
        """The sources in the order in which they are taken."""
        for at in count():
            self.upto(at + 1)
            yield self.taken[at]

    def before(self, source: int, t: int) -> int:
        """How many of the first `t` picks take the source."""
        self.upto(t)
        return bisect_left(self._places[source], t)

    def of(self, source: int, j: int) -> int:
        """The pick that takes the source for the time `j`."""
        if j > _MOST or (self._alone is not None and source != self._alone):
            return NEVER
        while len(self._places[source]) <= j:
            if len(self.taken) > _MOST:
                return NEVER
            self.upto(2 * len(self.taken) + 64)
        at = self._places[source][j]
        return at if at <= _MOST else NEVER


@lru_cache(maxsize=256)
def picks(order: int, epoch: int, weights: tuple[int, ...]) -> Picks:
    """The sequence that stands for this order in this epoch."""
    return Picks(order, epoch, weights)


def picks_before(order: int, epoch: int, *rest: int) -> int:
    """How many of the first picks take a source; see `Chance.drawn`."""
    *weights, source, t = rest
    return picks(order, epoch, tuple(weights)).before(source, t)


def pick_of(order: int, epoch: int, *rest: int) -> int:
    """The pick that takes a source for the time j; see `Chance.turn`."""
    *weights, source, j = rest
    return picks(order, epoch, tuple(weights)).of(source, j) if j >= 0 else 0


def source_of(order: int, epoch: int, *rest: int) -> int:
    """The source that a pick takes; see `Chance.split`."""
    *weights, p = rest
    found = picks(order, epoch, tuple(weights))
    found.upto(p + 1)
    return found.taken[p] if p >= 0 else 0
