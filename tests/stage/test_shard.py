"""Shard deals every position once, pads from the start, or drops less than one position a lane."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._anyhow import Anyhow
from epochproof.stage._files import Files
from epochproof.stage._listed_files import ListedFiles
from epochproof.stage._stage import Here, Reality
from epochproof.stage.shard import BOTH, RANK, WORKER, Shard
from epochproof.term.fold import variables
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import LANE, N, Subject, numbering, unproved
from tests.stage.lists import here, places, read, value
from tests.worlds import Marked, sharded

Layout = Literal["strided", "blocked", "balanced"]
Tail = Literal["pad", "drop", "uneven"]
Id = Literal["rank_major", "worker_major"]
BALANCED: tuple[Layout, Tail] = ("balanced", "uneven")
VARIANTS = [*product(("strided", "blocked"), get_args(Tail)), BALANCED]
WORLDS = list(product(range(12), range(1, 6)))

LANES: dict[str, tuple[frozenset[str], Id]] = {
    "ranks": (RANK, "rank_major"),
    "workers": (WORKER, "rank_major"),
    "both, rank-major": (BOTH, "rank_major"),
    "both, worker-major": (BOTH, "worker_major"),
}
DEALS = [(lanes, *variant) for lanes in LANES for variant in VARIANTS]
MANY = list(product((0, 1, 4, 7, 13), range(1, 4), range(1, 4)))


def shard(layout: Layout, tail: Tail, lanes: str = "ranks") -> Shard:
    axes, numbered = LANES[lanes]
    return Shard(lanes=axes, layout=layout, tail=tail, id=numbered)


def dealt(n: int, ranks: int, layout: Layout, tail: Tail) -> list[Marked]:
    """What each lane gets of n positions, by slicing a list."""
    return sharded([(record, False) for record in range(n)], ranks, layout, tail)


def dealt_to(lanes: str, ranks: int, workers: int) -> list[tuple[int, int]]:
    """The (rank, worker) that gets each slice, in their order; one that is dealt nothing counts as 0."""
    if lanes == "ranks":
        return [(rank, 0) for rank in range(ranks)]
    if lanes == "workers":
        return [(0, worker) for worker in range(workers)]
    if lanes == "both, rank-major":
        return [(rank, worker) for rank in range(ranks) for worker in range(workers)]
    return [(rank, worker) for worker in range(workers) for rank in range(ranks)]


def on(n: int, rank: int, worker: int, ranks: int, workers: int) -> Here:
    return here(n, rank, ranks, worker=worker, workers=workers)


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_laws_are_proved_for_all_parameters(lanes: str, layout: Layout, tail: Tail) -> None:
    stage = shard(layout, tail, lanes)
    # One law of balanced runs on the workers of all ranks follows from that of runs on the ranks.
    derived = (
        ["8 every position is a place"] if (layout, tail) == BALANCED and lanes.startswith("both") else []
    )

    assert unproved(promises.of_shard(stage)) == derived
    assert unproved(numbering(Subject(stage))) == []


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_lanes_are_slices_of_the_stream(lanes: str, layout: Layout, tail: Tail) -> None:
    for n, ranks, workers in MANY:
        order = dealt_to(lanes, ranks, workers)
        read_by = [read(shard(layout, tail, lanes), on(n, *lane, ranks, workers)) for lane in order]

        assert read_by == dealt(n, len(order), layout, tail)


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_lanes_that_are_dealt_nothing_read_copies(lanes: str, layout: Layout, tail: Tail) -> None:
    stage = shard(layout, tail, lanes)
    for rank, worker in product(range(3), range(2)):
        own = (rank if "rank" in stage.axes() else 0, worker if "worker" in stage.axes() else 0)

        assert read(stage, on(7, rank, worker, 3, 2)) == read(stage, on(7, *own, 3, 2))


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_places_are_where_the_lists_hold_the_record(lanes: str, layout: Layout, tail: Tail) -> None:
    for n, ranks, workers in MANY:
        order = dealt_to(lanes, ranks, workers)
        slices = dealt(n, len(order), layout, tail)
        where = [(at, p) for at, each in enumerate(slices) for p in range(len(each))]
        if layout == "strided":
            where.sort(key=lambda place: (place[1], place[0]))
        expected: dict[tuple[int, int], tuple[int, int, int]] = {}
        for at, p in where:
            record, lap = slices[at][p][0], 0
            while (record, lap) in expected:
                lap += 1
            expected[record, lap] = (*order[at], p)

        assert places(shard(layout, tail, lanes), on(n, 0, 0, ranks, workers)) == expected


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_dealt_is_the_total_of_all_lanes(lanes: str, layout: Layout, tail: Tail) -> None:
    for n, ranks, workers in MANY:
        count = len(dealt_to(lanes, ranks, workers))
        total = value(shard(layout, tail, lanes).dealt(on(n, 0, 0, ranks, workers)))

        assert total == sum(map(len, dealt(n, count, layout, tail)))


@pytest.mark.parametrize("lanes", [each for each in LANES if each != "ranks"])
def test_longer_is_how_many_workers_of_the_rank_read_one_more(lanes: str) -> None:
    stage = shard("strided", "uneven", lanes)
    for n, ranks, workers in product(range(14), range(1, 4), range(1, 4)):
        order = dealt_to(lanes, ranks, workers)
        length = dict(zip(order, map(len, dealt(n, len(order), "strided", "uneven")), strict=True))
        for rank in range(ranks):
            row = on(n, rank, 0, ranks, workers)
            own = rank if "rank" in stage.axes() else 0
            longer = stage.longer(row)

            assert longer is not None
            assert value(longer) == sum(length[own, each] > n // len(order) for each in range(workers))


@pytest.mark.parametrize("lanes", LANES)
def test_longer_speaks_of_all_workers_of_a_rank(lanes: str) -> None:
    longer = shard("strided", "uneven", lanes).longer(Subject(shard("strided", "uneven", lanes)).here)

    assert (longer is None) == (lanes == "ranks")
    assert longer is None or "worker" not in variables(longer)


@pytest.mark.parametrize("layout", ["strided", "blocked"])
def test_unpadded_is_what_the_list_holds_once(layout: Layout) -> None:
    for n, ranks in WORLDS:
        lanes = dealt(n, ranks, layout, "pad")
        hints = [value(shard(layout, "pad").unpadded(here(n, rank, ranks))) for rank in range(ranks)]

        assert hints == [sum(not padded for _, padded in lane) for lane in lanes]


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


@pytest.mark.parametrize("tail", ["pad", "drop"])
def test_balanced_runs_that_are_made_whole_are_blocked_ones(tail: Tail) -> None:
    for n, ranks in WORLDS:
        for rank in range(ranks):
            lane = here(n, rank, ranks)

            assert read(shard("balanced", tail), lane) == read(shard("blocked", tail), lane)


def test_seven_on_three_balanced_are_three_two_two() -> None:
    lanes = [read(shard("balanced", "uneven"), here(7, rank, 3)) for rank in range(3)]

    assert [[record for record, _ in lane] for lane in lanes] == [[0, 1, 2], [3, 4], [5, 6]]


def test_seven_on_two_ranks_of_two_workers_in_both_orders() -> None:
    def records(lanes: str, rank: int, worker: int) -> list[int]:
        return [record for record, _ in read(shard("strided", "uneven", lanes), on(7, rank, worker, 2, 2))]

    grid = list(product(range(2), range(2)))

    assert [records("both, rank-major", *lane) for lane in grid] == [[0, 4], [1, 5], [2, 6], [3]]
    assert [records("both, worker-major", *lane) for lane in grid] == [[0, 4], [2, 6], [1, 5], [3]]


@pytest.mark.parametrize(
    ("lanes", "iterable", "tail"),
    [(RANK, False, "pad"), (RANK, True, "uneven"), (WORKER, True, "uneven"), (BOTH, True, "uneven")],
)
def test_tail_that_is_not_given_depends_on_the_loader(
    lanes: frozenset[str],
    iterable: bool,  # noqa: FBT001 -- a case
    tail: str,
) -> None:
    assert Shard.defaults({"lanes": lanes}, iterable=iterable) == {"tail": tail}
    assert Shard.defaults({"lanes": lanes, "tail": "drop"}, iterable=iterable) == {}


def test_lane_of_the_laws_has_all_axes_free() -> None:
    free = variables(N, LANE.rank, LANE.ranks, LANE.worker, LANE.workers, LANE.epoch)

    assert free == {"n", "rank", "ranks", "worker", "workers", "epoch"}


@pytest.mark.parametrize("lanes", LANES)
def test_laws_are_proved_of_a_deal_of_which_nothing_is_known(lanes: str) -> None:
    stage = Anyhow(deal=shard("strided", "uneven", lanes), dealing=variable("dealing"))

    assert unproved(promises.of_anyhow(stage)) == []


@pytest.mark.parametrize("lanes", ["ranks", "workers"])
@pytest.mark.parametrize(
    ("layout", "tail"), [each for each in VARIANTS if each not in (("strided", "pad"), BALANCED)]
)
def test_laws_are_proved_of_a_deal_of_files(lanes: str, layout: Layout, tail: Tail) -> None:
    stage = Files(deal=shard(layout, tail, lanes), rows=variable("rows"))

    assert unproved(promises.of_files(stage)) == []


LISTED = [(), (2,), (3, 0, 2), (1, 4, 2, 2, 5)]


@pytest.mark.parametrize("lanes", ["ranks", "workers"])
@pytest.mark.parametrize(
    ("layout", "tail", "rows"),
    # Some laws of the longest list are not decided where files are padded or balanced: lists cover them.
    [
        (*each, rows)
        for each in VARIANTS
        for rows in LISTED
        if (each[1] != "pad" and each != BALANCED) or rows != LISTED[-1]
    ],
)
def test_laws_are_proved_of_a_deal_of_listed_files(
    lanes: str, layout: Layout, tail: Tail, rows: tuple[int, ...]
) -> None:
    stage = ListedFiles(deal=shard(layout, tail, lanes), rows=rows)

    assert unproved(promises.of_listed_files(stage)) == []


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_listed_files_are_dealt_as_a_whole(lanes: str, layout: Layout, tail: Tail) -> None:
    for rows, ranks, workers in product(LISTED, (1, 2, 3), (1, 3)):
        order = dealt_to(lanes, ranks, workers)
        stage = ListedFiles(deal=shard(layout, tail, lanes), rows=rows)
        contents = [list(range(sum(rows[:at]), sum(rows[: at + 1]))) for at in range(len(rows))]
        read_by = [read(stage, on(sum(rows), *lane, ranks, workers)) for lane in order]

        assert read_by == [
            [(record, padded) for file, padded in lane for record in contents[file]]
            for lane in dealt(len(rows), len(order), layout, tail)
        ]
        assert value(stage.dealt(on(sum(rows), 0, 0, ranks, workers))) == sum(map(len, read_by))


@pytest.mark.parametrize(("lanes", "layout", "tail"), DEALS)
def test_files_are_dealt_as_a_whole(lanes: str, layout: Layout, tail: Tail) -> None:
    for files, rows, ranks, workers in product((0, 1, 3, 5), (1, 3), (1, 2), (1, 3)):
        order = dealt_to(lanes, ranks, workers)
        stage = Files(deal=shard(layout, tail, lanes), rows=number(rows))
        read_by = [read(stage, on(files * rows, *lane, ranks, workers)) for lane in order]

        assert read_by == [
            [(file * rows + at, padded) for file, padded in lane for at in range(rows)]
            for lane in dealt(files, len(order), layout, tail)
        ]
