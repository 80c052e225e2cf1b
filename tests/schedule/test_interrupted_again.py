"""What a run reads between several stops in a row is what slices of hand-written lists hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from epochproof.schedule.interrupted import Interrupted, interrupted
from epochproof.schedule.plan import Plan
from tests.schedule.halves import Half, read
from tests.schedule.loaders import plan
from tests.schedule.segments import Segments, delivered, stopped

POSITIONS, COUNTERS, ORDERS = ("consumed", "fetched", "epoch_start"), ("rank", "global"), ("same", "fresh")
DEALT, BATCHED = ("pad", "drop", "uneven"), ("keep", "drop", "pad")
BUDGETS = ("", "batches", "positions")


def how(position: str, counter: str, order: str, *others: str) -> Segments:
    dealt, tail, budget = others
    seeds, half = (8, 9, 10), Half(1, 1)
    return Segments(
        0, half, half, (), seeds, position, counter, order, dealt, tail, budget=(budget, 0)
    )  # fmt: skip


def found_of(like: Segments, times: int) -> Interrupted:
    found = interrupted(replace(like, stops=(0,) * times).free())
    assert found is not None
    return found


def agrees(found: Interrupted, run: Segments, epoch: int) -> bool:
    """Whether all that the model says of the run is so on its lists."""
    runs = [delivered(each, run, epoch) for each in found.runs]
    parts = [delivered(each, run, epoch) for each in found.parts]
    return (runs, parts) == ([*run.runs(epoch)], run.parts(epoch))


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize(("position", "counter", "order"), list(product(POSITIONS, COUNTERS, ORDERS)))
def test_parts_are_slices_of_the_lists(position: str, counter: str, order: str, times: int) -> None:
    random = Random(f"{position} {counter} {order} {times}")  # noqa: S311 -- a seeded choice
    for dealt, budget in product(DEALT, BUDGETS):
        like = how(position, counter, order, dealt, random.choice(BATCHED), budget)
        found = found_of(like, times)
        for _ in range(16):
            old = Half(random.choice((1, 2, 3)), random.choice((1, 2)), seed=3)
            new = Half(random.choice((1, 2, 3)), random.choice((1, 3)))
            workers, prefetch, most = random.randrange(2), random.choice((1, 2)), random.choice((2, 5))
            run = replace(like, size=random.randrange(10), old=old, new=new, workers=workers)
            run = replace(run, prefetch=prefetch, budget=(budget, most))

            assert agrees(found, stopped(run, times, random), epoch=1)


def parts(of: Plan) -> list[list[list[list[int]]]]:
    """The records of each batch of each rank, part by part."""
    found = interrupted(of)
    assert found is not None
    return [
        [[[record for record, _ in batch] for batch in lane] for lane in read(part)] for part in found.parts
    ]


def test_run_goes_on_where_it_was_stopped_each_time() -> None:
    of = plan(16, "ranks = 2", "shard(ranks)", "batch(2)", "resume(after = 1, times = 3)")

    assert parts(of) == [
        [[[0, 2]], [[1, 3]]],
        [[[4, 6]], [[5, 7]]],
        [[[8, 10]], [[9, 11]]],
        [[[12, 14]], [[13, 15]]],
    ]


def test_fixed_stop_is_so_many_steps_each_time() -> None:
    assert parts(plan(9, "resume(after = 2, times = 3)")) == [
        [[[0], [1]]],
        [[[2], [3]]],
        [[[4], [5]]],
        [[[6], [7], [8]]],
    ]


def test_prefetched_batches_are_gone_each_time() -> None:
    of = plan(10, "batch(1)", "fetch(1, prefetch = 2)", "resume(position = fetched, after = 1, times = 3)")

    assert parts(of) == [[[[0]]], [[[3]]], [[[6]]], [[[9]]]]


def test_epoch_is_read_again_each_time() -> None:
    of = plan(4, "batch(2)", "resume(position = epoch_start, after = 1, times = 2)")

    assert parts(of) == [[[[0, 1]]], [[[0, 1]]], [[[0, 1], [2, 3]]]]


def test_global_count_is_that_of_the_world_that_ran() -> None:
    """One step of two ranks in batches of two is four records; one of three ranks in ones is three."""
    resume = "resume(after = 1, times = 2, counter = global, ranks = 3, batch = 1)"
    first, second, rest = parts(plan(13, "ranks = 2", "shard(ranks, tail = uneven)", "batch(2)", resume))

    assert first == [[[0, 2]], [[1, 3]]]
    assert second == [[[4]], [[5]], [[6]]]
    assert rest == [[[7], [10]], [[8], [11]], [[9], [12]]]


def test_rank_counts_old_batches_first_and_new_ones_then() -> None:
    resume = "resume(after = 1, times = 2, batch = 3)"

    assert parts(plan(12, "batch(2)", resume)) == [[[[0, 1]]], [[[2, 3, 4]]], [[[5, 6, 7], [8, 9, 10], [11]]]]


def test_steps_of_a_budget_are_spent_once() -> None:
    of = plan(20, "batch(2)", "stop(steps = 5)", "resume(after = 2, times = 2)")

    assert [sum(map(len, lanes)) for lanes in parts(of)] == [2, 2, 1]


def test_budget_above_the_batches_is_spent_in_batches_of_the_run_that_was_stopped() -> None:
    stages = ("shard(ranks)", "stop(steps = 10)", "batch(4)")
    resume = "resume(counter = global, after = 1, batch = 2)"

    assert parts(plan(20, *stages, resume)) == [[[[0, 1, 2, 3]]], [[[4, 5], [6, 7], [8, 9]]]]


def test_as_many_stops_as_times() -> None:
    found = interrupted(plan(None, "shuffle(seed = any)", "batch(2)", "resume(order = fresh, times = 4)"))

    assert found is not None
    assert [str(each.value) for each in found.after] == ["l.after", "l.after_2", "l.after_3", "l.after_4"]
    assert (len(found.runs), len(found.parts)) == (5, 5)
