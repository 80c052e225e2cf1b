"""Shard deals every position once, pads from the start, or drops less than one position a rank."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.shard import Shard
from tests.stage import promises
from tests.stage.laws import unproved
from tests.stage.lists import here, places, read, value
from tests.worlds import Marked, sharded

Layout = Literal["strided", "blocked"]
Tail = Literal["pad", "drop", "uneven"]
VARIANTS = list(product(get_args(Layout), get_args(Tail)))
WORLDS = list(product(range(12), range(1, 6)))


def shard(layout: Layout, tail: Tail) -> Shard:
    return Shard(lanes="ranks", layout=layout, tail=tail)


def dealt(n: int, ranks: int, layout: Layout, tail: Tail) -> list[Marked]:
    """What each rank gets of n positions, by slicing a list."""
    return sharded([(record, False) for record in range(n)], ranks, layout, tail)


@pytest.mark.parametrize(("layout", "tail"), VARIANTS)
def test_laws_are_proved_for_all_parameters(layout: Layout, tail: Tail) -> None:
    assert unproved(promises.of_shard(shard(layout, tail))) == []


@pytest.mark.parametrize(("layout", "tail"), VARIANTS)
def test_lanes_are_slices_of_the_stream(layout: Layout, tail: Tail) -> None:
    for n, ranks in WORLDS:
        lanes = [read(shard(layout, tail), here(n, rank, ranks)) for rank in range(ranks)]

        assert lanes == dealt(n, ranks, layout, tail)


@pytest.mark.parametrize(("layout", "tail"), VARIANTS)
def test_places_are_where_the_lists_hold_the_record(layout: Layout, tail: Tail) -> None:
    for n, ranks in WORLDS:
        lanes = dealt(n, ranks, layout, tail)
        where = [(rank, p) for rank in range(ranks) for p in range(len(lanes[rank]))]
        if layout == "strided":
            where.sort(key=lambda place: (place[1], place[0]))
        expected: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, p in where:
            record, lap = lanes[rank][p][0], 0
            while (record, lap) in expected:
                lap += 1
            expected[record, lap] = (rank, p)

        assert places(shard(layout, tail), here(n, 0, ranks)) == expected


@pytest.mark.parametrize(("layout", "tail"), VARIANTS)
def test_dealt_is_the_total_of_all_lanes(layout: Layout, tail: Tail) -> None:
    for n, ranks in WORLDS:
        total = value(shard(layout, tail).dealt(here(n, 0, ranks)))

        assert total == sum(map(len, dealt(n, ranks, layout, tail)))


@pytest.mark.parametrize(("layout", "tail"), VARIANTS)
def test_torch_deals_the_same(layout: Layout, tail: Tail) -> None:
    for n, ranks in WORLDS:
        stream = [10 * record for record in range(n)]
        real = [shard(layout, tail).real(stream, Reality(torch, rank, ranks, 0, {})) for rank in range(ranks)]

        assert real == [[10 * record for record, _ in lane] for lane in dealt(n, ranks, layout, tail)]


def test_ten_on_three_pad_with_the_first_two() -> None:
    lanes = [read(shard("strided", "pad"), here(10, rank, 3)) for rank in range(3)]

    assert [[record for record, _ in lane] for lane in lanes] == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
    assert [[record for record, padded in lane if padded] for lane in lanes] == [[], [0], [1]]


def test_three_on_five_blocked_leave_two_ranks_empty() -> None:
    lanes = [read(shard("blocked", "uneven"), here(3, rank, 5)) for rank in range(5)]

    assert [[record for record, _ in lane] for lane in lanes] == [[0], [1], [2], [], []]
