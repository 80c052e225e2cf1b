"""A mix keeps the laws of stages and of counts, and draws what a loop over torch datasets draws."""

from __future__ import annotations

from itertools import islice, product

import pytest
import torch

from epochproof.stage._cycle import behind, greedy, in_turn
from epochproof.stage._mixing import RandomMixing
from epochproof.stage._stage import Interval, Reality
from epochproof.term.node import both, number, within
from tests.stage import laws
from tests.stage.laws import Law, P, Subject
from tests.stage.lists import here, places, read, value
from tests.stage.mixes import (
    ENDS,
    FREE,
    PICKS,
    SMALL,
    SOURCES,
    J,
    Small,
    T,
    any_picks,
    cycle_laws,
    inside,
    mixing,
    of_mixing,
    subject,
)

MIXES = list(product(PICKS, (*ENDS, "forever")))
WEIGHTS = [(3, 1), (2, 5), (1, 1, 1), (3, 1, 2)]


@pytest.mark.parametrize(("pick", "stop"), MIXES)
def test_laws_and_promises(pick: str, stop: str) -> None:
    assert laws.unproved(of_mixing(subject(pick, stop))) == []


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
    stage = mixing("random", stop, *numbers, kind=RandomMixing).changed(
        order=number(order), until=number(7) if stop == "forever" else None
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
