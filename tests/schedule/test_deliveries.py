"""The workers of an iterable loader take turns as long as they have a batch left.

The expected values are torch's, as `reference/pytorch.md` 4.1, 4.3, 4.4 and 4.7 measured them.
"""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest

from epochproof.schedule.deliveries import _in_turn
from tests.schedule.loaders import delivered, groups, lists, plan
from tests.worlds import chunks

NONE, WORKER, RANK = "copy(workers)", "shard(workers)", "shard(ranks)"
MAJOR = "shard(ranks * workers)"
MINOR = "shard(ranks * workers, id = worker_major)"
BLOCK = "shard(ranks * workers, layout = blocked)"

TABLE = [
    ((103, 2, 2, 4), NONE, ([52, 52], 412), ([50, 50], 400, 3)),
    ((103, 2, 2, 4), WORKER, ([26, 26], 206), ([25, 25], 200, 3)),
    ((103, 2, 2, 4), RANK, ([26, 26], 206), ([26, 24], 200, 3)),
    ((103, 2, 2, 4), MAJOR, ([14, 14], 103), ([12, 12], 96, 7)),
    ((9, 2, 2, 4), RANK, ([4, 2], 18), ([2, 2], 16, 1)),
    ((9, 2, 2, 4), MAJOR, ([2, 2], 9), ([0, 0], 0, 9)),
    ((50, 2, 3, 8), MAJOR, ([5, 3], 50), ([3, 3], 48, 2)),
    ((50, 2, 3, 8), MINOR, ([4, 4], 50), ([3, 3], 48, 2)),
    ((100, 4, 3, 7), BLOCK, ([6, 6, 6, 5], 100), ([3, 3, 3, 2], 77, 23)),
    ((1000, 8, 4, 32), MAJOR, ([4] * 8, 1000), ([4, 4, 0, 0, 0, 0, 0, 0], 256, 744)),
    ((1000, 8, 4, 32), MINOR, ([4] * 8, 1000), ([1] * 8, 256, 744)),
]
"""(N, R, W, B), how records are dealt; with tails batches a rank and occurrences; without also omitted."""


def iterable(ranks: int, workers: int, *stages: str) -> tuple[str, ...]:
    return ("style = iterable", f"ranks = {ranks}", f"workers = {workers}", *stages)


def counted(world: tuple[int, int, int, int], deal: str, tail: str) -> tuple[list[int], int, int]:
    """Batches of each rank, occurrences and omitted records."""
    n, ranks, workers, size = world
    stages = [deal, f"batch({size}, tail = {tail})"]
    found = lists(plan(n, *iterable(ranks, workers, *stages)))
    return [lane.steps for lane in found.epoch(0)], found.counts(0).total(), n - len(found.counts(0))


@pytest.mark.parametrize(("world", "deal", "kept", "dropped"), TABLE)
def test_batches_and_records_are_those_of_torch(
    world: tuple[int, int, int, int],
    deal: str,
    kept: tuple[list[int], int],
    dropped: tuple[list[int], int, int],
) -> None:
    assert counted(world, deal, "keep") == (*kept, 0)
    assert counted(world, deal, "drop") == dropped


def test_copies_are_read_in_turn() -> None:
    found = delivered(5, *iterable(1, 2, NONE, "batch(2)"))

    assert found == [[[0, 1], [0, 1], [2, 3], [2, 3], [4], [4]]]


def test_nothing_that_deals_is_a_copy() -> None:
    assert delivered(5, *iterable(2, 2, "batch(2)")) == delivered(
        5, *iterable(2, 2, "copy(ranks * workers)", "batch(2)")
    )


def test_each_worker_has_a_tail_of_its_own() -> None:
    assert delivered(10, *iterable(1, 2, WORKER, "batch(2)")) == [[[0, 2], [1, 3], [4, 6], [5, 7], [8], [9]]]
    assert delivered(10, *iterable(1, 2, WORKER, "batch(2, tail = drop)")) == [
        [[0, 2], [1, 3], [4, 6], [5, 7]]
    ]
    assert delivered(10, *iterable(1, 0, WORKER, "batch(2, tail = drop)")) == [
        [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    ]


def test_records_that_are_not_batched_are_read_in_turn() -> None:
    assert delivered(5, *iterable(1, 2, WORKER)) == [[[0], [1], [2], [3], [4]]]


def test_no_workers_are_one_lane() -> None:
    assert delivered(5, *iterable(2, 0, MAJOR, "batch(2)")) == [[[0, 2], [4]], [[1, 3]]]
    assert delivered(5, *iterable(2, 1, MAJOR, "batch(2)")) == [[[0, 2], [4]], [[1, 3]]]


def test_workers_of_later_ranks_follow_in_rank_major_and_alternate_in_worker_major() -> None:
    assert delivered(8, *iterable(2, 2, MAJOR, "batch(1)")) == [[[0], [1], [4], [5]], [[2], [3], [6], [7]]]
    assert delivered(8, *iterable(2, 2, MINOR, "batch(1)")) == [[[0], [2], [4], [6]], [[1], [3], [5], [7]]]


def test_worker_that_has_no_batch_left_is_passed_over() -> None:
    found = delivered(7, *iterable(1, 3, "shard(workers, layout = blocked)", "batch(1)"))

    assert found == [[[0], [3], [6], [1], [4], [2], [5]]]


def in_turn(sizes: list[int], batch: int) -> list[tuple[int, list[int]]]:
    """The worker and the places of each batch, of workers that read so many records each."""
    rows: list[list[tuple[Any, ...]]] = [[(at, False, at // batch) for at in range(size)] for size in sizes]
    read = _in_turn(rows, sum(-(-size // batch) for size in sizes))
    workers = dict(zip(read.step, read.worker, strict=True))
    assert groups(read) == [
        [place for place, step in zip(read.place, read.step, strict=True) if step == at]
        for at in range(read.steps)
    ]
    return [(workers[at], group) for at, group in enumerate(groups(read))]


def test_uneven_workers_take_turns_as_torch_measured() -> None:
    assert in_turn([1, 5, 2], 2) == [(0, [0]), (1, [0, 1]), (2, [0, 1]), (1, [2, 3]), (1, [4])]


def test_turns_are_those_of_a_loop_over_live_workers() -> None:
    random = Random(3)  # noqa: S311 -- a seeded choice
    for _ in range(200):
        sizes, batch = [random.randrange(9) for _ in range(random.randrange(1, 5))], random.randrange(1, 4)
        left = {worker: chunks(list(range(size)), batch) for worker, size in enumerate(sizes)}
        expected = []
        while any(left.values()):
            expected += [(worker, own.pop(0)) for worker, own in left.items() if own]

        assert in_turn(sizes, batch) == expected


def test_steps_of_a_rank_are_those_of_all_its_workers() -> None:
    found = lists(plan(10, *iterable(2, 3, MAJOR, "batch(1)")))

    assert [lane.steps for lane in found.epoch(0)] == [6, 4]
    assert [found.length(0, rank) for rank in range(2)] == [6, 4]
    assert sorted(chain(*(lane.records for lane in found.epoch(0)))) == list(range(10))
