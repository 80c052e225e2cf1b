"""A mix keeps the laws of stages and of counts, and draws what a loop over torch datasets draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import pytest
import torch

from epochproof.stage._cycle import Cycle, behind, greedy, in_turn
from epochproof.stage._mixing import Mixing, RandomMixing
from epochproof.stage._segment import Segment
from epochproof.stage._stage import Here, Interval, Reality, Stage
from epochproof.term.node import Bool, Int, both, choose, either, equal, iff, number, variable, within
from tests.mixes import drawn
from tests.stage import laws
from tests.stage.laws import Law, N, P, Subject
from tests.stage.lists import here, places, read, value

SOURCES = ("a", "b", "c")
PICKS = ("round_robin", "greedy")
ENDS = ("first_exhausted", "all_exhausted")
FREE = {name: (variable(f"size.{name}"), variable(f"weight.{name}")) for name in SOURCES}
UNTIL, T, J = variable("until"), variable("t"), variable("j")


def mixing(
    pick: str, stop: str, sizes: tuple[Int, ...], weights: tuple[Int, ...], *, kind: type[Mixing] = Mixing
) -> Mixing:
    return kind.model_construct(
        None,
        pick=pick,
        stop=stop,
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
    stage = Segment.model_construct(None, inner=inner, low=low, size=sum(sizes, number(0)))
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


MIXES = list(product(PICKS, (*ENDS, "forever")))
WEIGHTS = [(3, 1), (2, 5), (1, 1, 1), (3, 1, 2)]


@pytest.mark.parametrize(("pick", "stop"), MIXES)
def test_nine_laws(pick: str, stop: str) -> None:
    assert laws.unproved(laws.nine(subject(pick, stop))) == []


@pytest.mark.parametrize(("stop", "count"), [*((stop, 2) for stop in (*ENDS, "forever")), (ENDS[0], 3)])
def test_nine_laws_of_any_sequence_of_picks(stop: str, count: int) -> None:
    assert laws.unproved(laws.nine(any_picks(stop, count))) == []


def test_nine_laws_of_a_mix_inside_a_mix() -> None:
    assert laws.unproved(laws.nine(inside())) == []


@pytest.mark.parametrize("count", [1, 2])
def test_laws_of_a_round_robin_with_any_weights(count: int) -> None:
    weights = [FREE[name][1] for name in SOURCES[:count]]
    given = both(P >= 0, J >= 0, T >= 0, *(each >= 1 for each in weights))

    assert laws.unproved(cycle_laws(in_turn(weights), given)) == []


@pytest.mark.parametrize("weights", [*WEIGHTS, (10, 3), (3, 5, 7)])
def test_laws_of_a_greedy_cycle(weights: tuple[int, ...]) -> None:
    cycle = greedy(weights)

    assert cycle is not None
    assert laws.unproved(cycle_laws(cycle, both(P >= 0, J >= 0, T >= 0))) == []


@pytest.mark.parametrize(("pick", "stop"), list(product(PICKS, ENDS)))
def test_it_ends_where_it_says(pick: str, stop: str) -> None:
    assert laws.unproved(stops(subject(pick, stop))) == []


@pytest.mark.parametrize("stop", ENDS)
def test_promise_of_the_end(stop: str) -> None:
    promise = laws.nothing_lost if stop == "all_exhausted" else laws.nothing_twice

    assert laws.unproved(promise(subject("round_robin", stop))) == []


@pytest.mark.parametrize("weights", [(3, 1), (2, 3), (1, 1), (5, 2), (7, 7)])
def test_greedy_picks_of_two_stay_within_one(weights: tuple[int, int]) -> None:
    stage = mixing("greedy", "forever", (number(9), number(9)), tuple(map(number, weights)))
    lane, whole = Subject(stage).here, sum(weights)
    stray = [stage.drawn(at, T, lane) * whole - T * weight for at, weight in enumerate(weights)]
    within_one = both(*(within(-whole, each, whole + 1) for each in stray))

    assert laws.unproved([Law("within one", T >= 0, within_one)]) == []


def test_picks_are_as_a_person_would_make_them() -> None:
    assert list(islice(behind([3, 1]), 8)) == [0, 0, 1, 0, 0, 0, 1, 0]
    assert list(islice(behind([1, 1, 2]), 4)) == [2, 0, 1, 2]


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
        return found.model_copy(update={"until": number(self.most) if self.stop == "forever" else None})

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


def test_terms_lists_and_torch_draw_the_same() -> None:
    apart = [
        each
        for each in SMALL
        if not [record for record, _ in read(each.stage, each.here)] == each.by_hand() == each.real()
    ]

    assert apart == []


def test_places_are_where_records_are_drawn() -> None:
    for each in SMALL[::7]:
        found = places(each.stage, each.here)

        assert {at: q for (q, _), (_, _, at) in found.items()} == dict(enumerate(each.by_hand()))


def test_long_greedy_cycles_are_drawn_as_lists() -> None:
    small = Small((40, 900), (33, 967), "greedy", "first_exhausted")

    assert [record for record, _ in read(small.stage, small.here)] == small.by_hand() == small.real()


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("stop", ["first_exhausted", "forever"])
def test_random_picks_are_the_same_for_lists_and_torch(order: int, stop: str) -> None:
    numbers = (number(3), number(2)), (number(2), number(1))
    stage = mixing("random", stop, *numbers, kind=RandomMixing).model_copy(
        update={"order": number(order), "until": number(7) if stop == "forever" else None}
    )
    options = {name: value(each) for name, each in stage.numbers().items()}
    real = stage.real(range(5), Reality(torch, 0, 1, 0, options))

    marked, found = read(stage, here(5)), places(stage, here(5))

    assert [record for record, _ in marked] == list(real)
    assert {at: q for (q, _), (_, _, at) in found.items()} == dict(enumerate(real))


def test_hint_of_what_is_kept() -> None:
    everything = Interval(number(0), None)
    whole, short = (subject("round_robin", stop) for stop in reversed(ENDS))

    assert whole.stage.kept(everything, whole.here) is everything
    assert short.stage.kept(everything, short.here) is None
    assert laws.unproved(law for law in laws.kept(whole)) == []


def test_hugging_face_draws_the_same_and_ends_its_last_round() -> None:
    datasets = pytest.importorskip("datasets")
    for sizes, stop in product(product(range(1, 5), repeat=2), ENDS):
        ours = Small(sizes, (1, 1), "round_robin", stop).by_hand()
        parts = [range(sizes[0]), range(sizes[0], sum(sizes))]
        theirs = datasets.interleave_datasets(
            [datasets.Dataset.from_dict({"record": list(each)}) for each in parts], stopping_strategy=stop
        )["record"]

        assert list(theirs)[: len(ours)] == ours
        assert 0 <= len(theirs) - len(ours) < len(sizes)
