"""`X unaffected by P` holds exactly where any two values of P give the same X."""

from __future__ import annotations

from itertools import product

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import FREE, differences, proofs
from tests.worlds import SHARDS, TAILS, World, Written, batch, counts

SPEC = """edition 1
dataset d {{ size = {size} }}
loader l over d {{
  ranks in 1..3
  {stages}
}}
prove "n" : l.occurrences unaffected by ranks
prove "s" : l.covered unaffected by ranks
prove "o" : l.order unaffected by ranks
"""


def order(world: World) -> list[tuple[int, int, int]]:
    """Rank, step and record of each place."""
    lanes = enumerate(world.epoch(0))
    return [(rank, *at) for rank, lane in lanes for at in zip(lane.step, lane.records, strict=True)]


def unaffected(worlds: list[World]) -> list[bool]:
    """Whether occurrences, covered records and order are the same in all worlds."""
    read = [counts(world.epoch(0)) for world in worlds]
    return [
        len({each.total() for each in read}) == 1,
        all(set(each) == set(read[0]) for each in read),
        all(order(world) == order(worlds[0]) for world in worlds),
    ]


def test_verdicts_agree_with_lists() -> None:
    wrong = []
    for size, dealt, tail in product((0, 1, 4, 5), SHARDS, TAILS[1:]):
        stages = (Written("shuffle", options={"seed": 4}), dealt, batch(2, tail))
        held = unaffected([World(size, ranks, stages) for ranks in range(1, 4)])
        wrong += differences(SPEC.format(size=size, stages="\n".join(map(str, stages))), held)

    assert wrong == []


def test_an_uneven_deal_leaves_the_free_total_as_it_is() -> None:
    text = FREE.format(stages="shard(ranks, tail = uneven)", claim="l.occurrences unaffected by ranks")

    assert proofs(text) == [True]


def test_a_padded_one_does_not() -> None:
    text = FREE.format(stages="shard(ranks)", claim="l.occurrences unaffected by ranks")

    assert proofs(text) == [False]


def test_a_fixed_parameter_affects_nothing() -> None:
    text = FREE.format(stages="shard(ranks)\nbatch(4)", claim="l.order unaffected by batch")

    with pytest.raises(SpecError, match="is fixed at 4"):
        proofs(text)
