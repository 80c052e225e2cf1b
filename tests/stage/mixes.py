"""The laws of mixes, and small mixes with what a person draws from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import torch

from epochproof.stage._cycle import Cycle
from epochproof.stage._mixing import Mixing, RandomMixing
from epochproof.stage._segment import Segment
from epochproof.stage._stage import Here, Reality, Stage
from epochproof.term.node import Bool, Int, both, choose, either, equal, iff, number, variable
from tests.mixes import drawn
from tests.stage import laws
from tests.stage.laws import Law, N, P, Subject
from tests.stage.lists import here, value

SOURCES = ("a", "b", "c")
PICKS = ("round_robin", "greedy")
ENDS = ("first_exhausted", "all_exhausted")
FREE = {name: (variable(f"size.{name}"), variable(f"weight.{name}")) for name in SOURCES}
UNTIL, T, J = variable("until"), variable("t"), variable("j")


def mixing(
    pick: str, stop: str, sizes: tuple[Int, ...], weights: tuple[Int, ...], *, kind: type[Mixing] = Mixing
) -> Mixing:
    return kind(
        pick=pick,  # type: ignore[arg-type]
        stop=stop,  # type: ignore[arg-type]
        names=SOURCES[: len(sizes)],
        sizes=sizes,
        weights=weights,
        nested=(None,) * len(sizes),
        order=variable("order") if pick == "random" else None,
        until=UNTIL if stop == "forever" else None,
    )


def free(count: int) -> tuple[tuple[Int, ...], Bool]:
    """Sizes of any number, and what is known of them."""
    sizes = tuple(FREE[name][0] for name in SOURCES[:count])
    return sizes, both(*(each >= 1 for each in sizes), equal(N, sum(sizes, number(0))), UNTIL >= 1)


def subject(pick: str, stop: str, weights: tuple[int, ...] = (3, 1)) -> Subject:
    """A mix of which all sizes are free."""
    sizes, given = free(len(weights))
    return Subject(mixing(pick, stop, sizes, tuple(map(number, weights))), given)


def inside() -> Subject:
    """A mix inside a mix, somewhere in the stream."""
    sizes, low = free(2)[0], variable("low")
    inner = mixing("round_robin", "all_exhausted", sizes, (number(3), number(1)))
    stage = Segment(inner=inner, low=low, size=sum(sizes, number(0)))
    given = both(*(each >= 1 for each in sizes), low >= 0, low + sum(sizes, number(0)) <= N)
    return Subject(stage, given)


def any_picks(stop: str, count: int) -> Subject:
    """A mix of which nothing is known but that each pick is one turn of one source."""
    sizes, given = free(count)
    weights = tuple(FREE[name][1] for name in SOURCES[:count])
    return Subject(mixing("random", stop, sizes, weights, kind=RandomMixing), given)


def cycle_laws(cycle: Cycle, given: Bool) -> Iterator[Law]:
    """A pick is one turn of one source, each turn is one pick, and counts tell which turns came before."""
    taken = cycle.split(P, lambda source, _: number(source))
    yield Law("a pick is a turn", given, equal(cycle.split(P, cycle.turn), P))
    yield Law("it is none of the first turns' past", given, cycle.split(P, lambda _, j: j) >= 0)
    for source in range(len(cycle.shares)):
        pick = cycle.turn(source, J)
        yield Law("the source of a turn", given, equal(cycle.split(pick, lambda at, _: number(at)), source))
        yield Law("the turn of a turn", given, equal(cycle.split(pick, lambda _, j: j), J))
        yield Law("nothing is drawn at first", given, equal(cycle.drawn(source, number(0)), 0))
        more = choose(equal(taken, source), 1, 0)
        yield Law(
            "a pick is one more", given, equal(cycle.drawn(source, P + 1), cycle.drawn(source, P) + more)
        )
        yield Law("turns rise", both(given, J < T), pick < cycle.turn(source, T))
        yield Law("turns before a pick", given, iff(cycle.drawn(source, T) > J, pick < T))


def stops(subject: Subject) -> Iterator[Law]:
    """The mix ends with the pick that exhausts the first source, or the last one."""
    stage, lane = subject.stage, subject.here
    assert isinstance(stage, Mixing)
    taken = [stage.drawn(at, subject.length, lane) for at in range(len(stage.sizes))]
    before = [stage.drawn(at, subject.length - 1, lane) for at in range(len(stage.sizes))]
    join, apart = (either, both) if stage.stop == "first_exhausted" else (both, either)
    done = join(*(size <= each for size, each in zip(stage.sizes, taken, strict=True)))
    open_ = apart(*(each < size for size, each in zip(stage.sizes, before, strict=True)))
    yield Law("it is exhausted at the end", subject.sane, done)
    yield Law("it was not before", subject.sane, open_)


def of_mixing(subject: Subject) -> Iterator[Law]:
    """All that is promised of a mix whose picks are a cycle."""
    stage, lane = subject.stage, subject.here
    assert isinstance(stage, Mixing)
    yield from laws.nine(subject)
    if stage.stop == "all_exhausted":
        yield from laws.nothing_lost(subject)
        yield from laws.kept(subject)
    if stage.stop == "first_exhausted":
        yield from laws.nothing_twice(subject)
    if stage.stop != "forever":
        yield from stops(subject)
    sequence = stage.sequence(lane)
    if isinstance(sequence, Cycle):
        yield from cycle_laws(sequence, both(subject.sane, P >= 0, J >= 0, T >= 0))


@dataclass(frozen=True)
class Small:
    """A mix with all numbers fixed."""

    sizes: tuple[int, ...]
    weights: tuple[int, ...]
    pick: str
    stop: str
    most: int = 9

    @property
    def stage(self) -> Stage:
        """The stage of it."""
        numbers = [tuple(map(number, each)) for each in (self.sizes, self.weights)]
        found = mixing(self.pick, self.stop, *numbers)
        return found.changed(until=number(self.most) if self.stop == "forever" else None)

    @property
    def here(self) -> Here:
        """The records of all sources."""
        return here(sum(self.sizes))

    def by_hand(self) -> list[int]:
        """What a person would draw."""
        start, sources = 0, {}
        for name, size in zip(SOURCES, self.sizes, strict=False):
            sources[name] = [(name, start + at) for at in range(size)]
            start += size
        weights = dict(zip(sources, self.weights, strict=True))
        return [record for _, record in drawn(sources, weights, self.pick, self.stop, self.most)]

    def real(self) -> list[int]:
        """What a loop over torch datasets draws."""
        options = {name: value(each) for name, each in self.stage.numbers().items()}
        return list(self.stage.real(range(sum(self.sizes)), Reality(torch, 0, 1, 0, options)))


SMALL = [
    Small(sizes, weights, pick, stop)
    for count in (1, 2, 3)
    for sizes in product(range(1, 4), repeat=count)
    for weights in [(1, 1, 1)[:count], (3, 1, 2)[:count], (2, 3, 5)[:count]]
    for pick, stop in product(PICKS, (*ENDS, "forever"))
]
