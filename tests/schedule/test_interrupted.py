"""A run before and after an interruption is what slices of hand-written lists hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from epochproof.schedule.deliveries import Compiled
from epochproof.schedule.interrupted import handed_over, interrupted
from epochproof.schedule.plan import Plan
from epochproof.stage._permutation import randperm
from epochproof.term.node import number, variable
from tests.schedule.halves import Half, World, marked, read
from tests.schedule.loaders import plan
from tests.worlds import batched, sharded

POSITIONS = ("consumed", "fetched", "epoch_start")
COUNTERS = ("rank", "global")
DEALT = ("pad", "drop", "uneven")
BATCHED = ("keep", "drop", "pad")


def worlds(how: World) -> Iterator[World]:
    """Small worlds that differ in numbers alone."""
    random = Random(str(how))  # noqa: S311 -- a seeded choice
    for size, ranks, again, of, then, after in product(
        (0, 1, 5, 9, 14), (1, 2, 3), (1, 2, 3), (1, 2), (1, 3), (0, 1, 3)
    ):
        old, new = Half(ranks, of, random.randrange(4)), Half(again, then, random.randrange(4))
        workers, prefetch = random.randrange(3), random.randrange(1, 3)
        yield replace(how, size=size, old=old, new=new, after=after, workers=workers, prefetch=prefetch)


@pytest.mark.parametrize(("position", "counter"), list(product(POSITIONS, COUNTERS)))
@pytest.mark.parametrize("order", ["same", "fresh"])
def test_halves_are_slices_of_the_lists(position: str, counter: str, order: str) -> None:
    random = Random(f"{position} {counter} {order}")  # noqa: S311 -- a seeded choice
    for dealt in DEALT:
        tail = random.choice(BATCHED)
        how = World(0, Half(1, 1), Half(1, 1), 0, position, counter, order, dealt, tail)
        found = interrupted(how.free())
        assert found is not None
        for at, world in enumerate(random.sample(list(worlds(how)), 120)):
            epoch = at % 2

            assert read(found.whole, epoch, world) == world.whole(epoch)
            before, resumed = (read(part, epoch, world) for part in found.parts)
            assert (before, resumed) == (world.before(epoch), world.resumed(epoch))


def halves(of: Plan) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
    """The records of each batch of each rank, before and after."""
    found = interrupted(of)
    assert found is not None
    before, resumed = (
        [[[record for record, _ in batch] for batch in lane] for lane in read(half)] for half in found.parts
    )
    return before, resumed


def two_ranks(size: int, resume: str, *stages: str) -> Plan:
    return plan(size, "ranks = 2", "shard(ranks)", "batch(2)", *stages, resume)


def test_run_goes_on_where_it_was_stopped() -> None:
    assert halves(two_ranks(12, "resume(after = 1)")) == (
        [[[0, 2]], [[1, 3]]],
        [[[4, 6], [8, 10]], [[5, 7], [9, 11]]],
    )


def test_prefetched_batches_are_gone() -> None:
    fetched = "resume(position = fetched, after = 1)"

    assert halves(two_ranks(16, fetched, "fetch(1, prefetch = 2)"))[1] == [[[12, 14]], [[13, 15]]]
    assert halves(two_ranks(16, fetched, "fetch(3, prefetch = 2)"))[1] == [[], []]
    assert halves(two_ranks(8, fetched, "fetch(0)"))[1] == [[[4, 6]], [[5, 7]]]
    assert halves(two_ranks(8, fetched))[1] == [[[4, 6]], [[5, 7]]]


def test_epoch_is_read_again() -> None:
    assert halves(two_ranks(8, "resume(position = epoch_start, after = 1)"))[1] == [
        [[0, 2], [4, 6]],
        [[1, 3], [5, 7]],
    ]


def test_ranks_that_count_for_themselves_leave_a_gap_on_more_ranks() -> None:
    """`reference/pytorch.md` 5.6: N = 24, B = 2, stopped after 2 steps."""

    def unread(ranks: int) -> tuple[set[int], set[int]]:
        before, resumed = halves(two_ranks(24, f"resume(after = 2, ranks = {ranks})"))
        one, two = (
            {record for lane in half for group in lane for record in group} for half in (before, resumed)
        )
        return set(range(24)) - one - two, one & two

    assert unread(4) == (set(range(8, 16)), set())
    assert unread(2) == (set(), set())


def test_ranks_that_count_for_themselves_repeat_on_fewer_ranks() -> None:
    def repeated(ranks: int) -> set[int]:
        resume = f"resume(after = 2, ranks = {ranks})"
        before, resumed = halves(plan(24, "ranks = 4", "shard(ranks)", "batch(2)", resume))
        one, two = (
            {record for lane in half for group in lane for record in group} for half in (before, resumed)
        )
        return one & two

    assert repeated(2) == set(range(8, 16))
    assert repeated(3) == set(range(12, 16))


def test_global_count_deals_the_rest_anew() -> None:
    resume = "resume(after = 1, counter = global, ranks = 3, batch = 1)"

    assert halves(two_ranks(10, resume))[1] == [[[4], [7]], [[5], [8]], [[6], [9]]]


def test_skipped_positions_are_counted_in_old_batches() -> None:
    assert halves(two_ranks(12, "resume(after = 1, batch = 3)"))[1] == [
        [[4, 6, 8], [10]],
        [[5, 7, 9], [11]],
    ]


def test_optimizer_steps_are_counted_where_batches_are_accumulated() -> None:
    before, resumed = halves(two_ranks(16, "resume(after = 1)", "accumulate(2)"))

    assert before == [[[0, 2, 4, 6]], [[1, 3, 5, 7]]]
    assert resumed == [[[8, 10, 12, 14]], [[9, 11, 13, 15]]]


def test_records_are_steps_where_nothing_is_batched() -> None:
    assert halves(plan(5, "resume(after = 2)")) == ([[[0], [1]]], [[[2], [3], [4]]])


def test_shorter_rank_has_read_all_it_had() -> None:
    of = plan(5, "ranks = 2", "shard(ranks, tail = uneven)", "batch(1)", "resume(after = 3)")

    assert halves(of) == ([[[0], [2], [4]], [[1], [3]]], [[], []])


def test_nothing_is_interrupted_without_a_resume() -> None:
    assert interrupted(plan(5, "batch(2)")) is None


def test_stages_above_the_interruption_stay() -> None:
    of = World(9, Half(2, 2), Half(3, 1), 1).free()
    found = interrupted(of)

    assert found is not None
    assert found.whole.stages == of.stages[:-1]
    assert found.parts[0].stages[:-1] == found.whole.stages


def test_loader_that_takes_over_skips_as_many_positions_on_each_rank() -> None:
    old = plan(24, "ranks in 1..", "shuffle(seed in 0..)", "shard(ranks, tail = uneven)", "batch(in 1..)")
    new = plan(24, "ranks in 1..", "shuffle(seed = 9)", "shard(ranks, tail = drop)", "batch(3)")
    first, rest = handed_over(old, new, variable("after"))
    names = ("l.ranks", "l.seed", "l.batch", "after")
    order, other = ([(record, False) for record in randperm(24, seed)] for seed in (6, 9))
    for ranks, size, after in product((1, 2, 5), (1, 2, 7), (0, 1, 3)):
        values = (ranks, 6, size, after)
        lanes = sharded(order, ranks, "strided", "uneven")
        before, resumed = (Compiled(half, number(1), names).run(values) for half in (first, rest))

        assert [marked(lane) for lane in before.epoch(0)] == [
            batched(lane, size, "keep")[:after] for lane in lanes
        ]
        assert [marked(lane) for lane in resumed.epoch(0)] == [
            batched(lane[size * after :], 3, "keep") for lane in sharded(other, ranks, "strided", "drop")
        ]


def test_loader_that_takes_over_goes_on_as_its_own_resume_says() -> None:
    old, again = plan(6, "batch(2)"), plan(6, "batch(2)", "resume(position = epoch_start, after = 2)")
    before, resumed = handed_over(old, again, number(1))

    assert read(before) == [[[(0, False), (1, False)]]]
    assert [[record for record, _ in batch] for batch in read(resumed)[0]] == [[0, 1], [2, 3], [4, 5]]
