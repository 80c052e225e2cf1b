"""Order is the record at each step and slot of each rank."""

from __future__ import annotations

from itertools import product

from tests.claim.agreement import FREE, differences, proofs, sample, verdicts
from tests.worlds import World, Written, batch, shard


def order(world: World, epoch: int) -> list[tuple[int, int, int]]:
    """Rank, step and record of each place."""
    lanes = enumerate(world.epoch(epoch))
    return [(rank, *at) for rank, lane in lanes for at in zip(lane.step, lane.records, strict=True)]


def test_verdicts_agree_with_lists() -> None:
    worlds, wrong = sample("order", 30), []
    for one in worlds:
        for two in [*worlds[:3], one]:
            epochs = range(min(one.epochs, two.epochs))
            same = all(order(one, epoch) == order(two, epoch) for epoch in epochs)
            text = f'edition 1\n{one.blocks("l")}{two.blocks("m")}prove "" : l.order equal m.order\n'
            wrong += differences(text, [same])

    assert wrong == []


def test_stages_that_do_the_same_give_the_same_order() -> None:
    for size, ranks in product(range(6), range(1, 4)):
        once = World(size, ranks, (shard(), batch(2, "drop"), Written("stop", options={"steps": 1})))
        other = World(size, ranks, (shard(), Written("stop", options={"steps": 2}), batch(2, "drop")))
        text = f'edition 1\n{once.blocks("l")}{other.blocks("m")}prove "" : l.order equal m.order\n'

        assert differences(text, [order(once, 0) == order(other, 0)]) == []


def test_workers_change_no_free_order() -> None:
    stages = "workers in 0..8\nshuffle(seed = any)\nshard(ranks)\nbatch(2)\nfetch(workers)"

    assert proofs(FREE.format(stages=stages, claim="l.order unaffected by workers")) == [True]


def test_ranks_do() -> None:
    assert verdicts(FREE.format(stages="shard(ranks)", claim="l.order unaffected by ranks")) == ["refuted"]


STREAM = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{ style = iterable, workers in 1..8, shuffle(seed = 3), {one} }}
loader m over d {{ style = iterable, workers = {workers}, shuffle(seed = 3), {two} }}
prove "" : l.order equal m.order
"""


def test_as_many_workers_that_read_the_same_take_the_same_turns() -> None:
    same = "shard(workers), batch(2)"
    first = "shard(workers), batch(2, tail = drop), batch(1)"
    drops = "shard(workers), batch(1), batch(2, tail = drop)"

    assert proofs(STREAM.format(one=same, two=same, workers="l.workers")) == [True]
    assert verdicts(STREAM.format(one=same, two=first, workers="l.workers")) == ["refuted"]
    assert verdicts(STREAM.format(one=drops, two=first, workers="l.workers")) == ["refuted"]
    assert verdicts(STREAM.format(one=same, two=same, workers="l.workers + 1")) == ["refuted"]
