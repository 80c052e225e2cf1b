"""Global batches are what all ranks read in one step, as a multiset."""

from __future__ import annotations

from collections import Counter

from tests.claim.agreement import differences, proofs, sample, verdicts
from tests.worlds import World

TWO = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{
  ranks = 8
  shuffle(seed = 17)
  shard(ranks, tail = drop)
  batch(32, tail = drop)
}}
loader m over d {{
  ranks = {ranks}
  shuffle(seed = 17)
  shard(ranks, tail = {tail})
  batch({batch}, tail = drop)
}}
prove "" : l.global_batches equal m.global_batches
"""


def batches(world: World, epoch: int) -> dict[int, Counter[int]]:
    """For each step the records of all ranks, counted."""
    found: dict[int, Counter[int]] = {}
    for lane in world.epoch(epoch):
        for step, record in zip(lane.step, lane.records, strict=True):
            found.setdefault(step, Counter())[record] += 1
    return found


def test_verdicts_agree_with_lists() -> None:
    worlds, wrong = sample("global batches", 30), []
    for one in worlds:
        for two in [*worlds[:3], one]:
            epochs = range(min(one.epochs, two.epochs))
            same = all(batches(one, epoch) == batches(two, epoch) for epoch in epochs)
            claim = 'prove "" : l.global_batches equal m.global_batches'
            text = f"edition 1\n{one.blocks('l')}{two.blocks('m')}{claim}\n"
            wrong += differences(text, [same])

    assert wrong == []


def test_twice_the_ranks_at_half_the_batch_read_the_same() -> None:
    assert proofs(TWO.format(ranks=16, batch=16, tail="drop")) == [True]


def test_other_products_of_ranks_and_batch_do_not() -> None:
    text = TWO.format(ranks=16, batch=8, tail="drop")

    assert [proofs(text), verdicts(text)] == [[False], ["refuted"]]
