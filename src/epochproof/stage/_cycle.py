"""The cycle of a mix: which source each pick takes, and how many picks a source has had."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, groupby, islice
from math import gcd

from epochproof.term.node import Int, add, choose, maximum, minimum, number


@dataclass(frozen=True)
class Run:
    """Picks `start <= offset < start + length` of a cycle take `source`, which had `before` of it by then."""

    source: int
    start: Int
    length: Int
    before: Int


@dataclass(frozen=True)
class Cycle:
    """Picks in runs that begin anew after `length` picks, of which source s takes `shares[s]`."""

    runs: tuple[Run, ...]
    length: Int
    shares: tuple[Int, ...]

    def drawn(self, source: int, t: Int) -> Int:
        """How many of the first `t` picks take the source."""
        into = t % self.length
        part = (minimum(maximum(into - run.start, 0), run.length) for run in self._of(source))
        return (t // self.length) * self.shares[source] + add(*part)

    def turn(self, source: int, j: Int) -> Int:
        """The pick that takes the source for the time `j`, counted from 0."""
        share = self.shares[source]
        into, (*earlier, last) = j % share, self._of(source)
        at = last.start + into - last.before
        for run in reversed(earlier):
            at = choose(into < run.before + run.length, run.start + into - run.before, at)
        return (j // share) * self.length + at

    def split(self, p: Int, then: Callable[[int, Int], Int]) -> Int:
        """What `then` makes of the source of pick `p` and of how often it was taken before."""
        into, rounds, found = p % self.length, p // self.length, number(0)
        for at, run in reversed(list(enumerate(self.runs))):
            before = rounds * self.shares[run.source] + run.before + into - run.start
            each = then(run.source, before)
            last = at == len(self.runs) - 1
            found = each if last else choose(into < run.start + run.length, each, found)
        return found

    def _of(self, source: int) -> list[Run]:
        return [run for run in self.runs if run.source == source]


def in_turn(weights: Sequence[Int]) -> Cycle:
    """Each source as often in a row as its weight says, in the order in which they are declared."""
    runs, start = [], number(0)
    for source, weight in enumerate(weights):
        runs.append(Run(source, start, weight, number(0)))
        start = start + weight
    return Cycle(tuple(runs), start, tuple(weights))


def greedy(weights: Sequence[int]) -> Cycle | None:
    """The source that is furthest behind its share, the first one of several; `None` for a long cycle.

    After as many picks as the weights sum to, each source was taken as often as its weight says.
    """
    shares = tuple(each // gcd(*weights) for each in weights)
    if sum(shares) > _LONGEST or len(_runs(shares)) > _MOST_RUNS:
        return None
    return Cycle(_runs(shares), number(sum(shares)), tuple(map(number, shares)))


_LONGEST, _MOST_RUNS = 4096, 64


@cache
def _runs(shares: tuple[int, ...]) -> tuple[Run, ...]:
    taken, runs, start = [0] * len(shares), [], 0
    for source, group in groupby(islice(behind(shares), sum(shares))):
        length = len(list(group))
        runs.append(Run(source, number(start), number(length), number(taken[source])))
        taken[source], start = taken[source] + length, start + length
    return tuple(runs)


def behind(shares: Sequence[int]) -> Iterator[int]:
    """The sources that greedy picks take, without end."""
    total, taken = sum(shares), [0] * len(shares)
    for n in count():
        lag = [share * (n + 1) - total * had for share, had in zip(shares, taken, strict=True)]
        source = lag.index(max(lag))
        taken[source] += 1
        yield source
