"""Multiplicity is how often the record is read, for every record."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, numbers, proofs, sample
from tests.worlds import World, counts


def multiplicity(world: World, window: str) -> list[int]:
    """How often each record is on the lists."""
    every = [counts(lanes) for lanes in world.window(window)]
    return [found[record] for found in every for record in range(world.size)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("multiplicity", window), sample(f"multiplicity {window}")

    assert numbers(use, lambda world: multiplicity(world, window), worlds) == []


def test_free_multiplicities_are_bounded_by_rules() -> None:
    twice = FREE.format(stages="shard(ranks)", claim="l.multiplicity <= 2 given d.size >= l.ranks")
    often = FREE.format(stages="shard(ranks)", claim="l.multiplicity <= l.ranks")
    wrong = FREE.format(stages="shard(ranks)", claim="l.multiplicity <= 2")
    copied = FREE.format(stages="batch(1)", claim="l.multiplicity == l.ranks")

    assert [proofs(text) for text in (twice, often, wrong, copied)] == [[True], [True], [False], [True]]


def test_ranks_with_orders_of_their_own_may_read_a_record_twice() -> None:
    own = "shuffle(seed = any, shared = false)"
    dealt = FREE.format(stages=f"{own}\nshard(ranks)", claim="l.multiplicity <= 1 given d.size >= 1_000_000")
    undealt = FREE.format(stages=f"{own}\nbatch(2, tail = drop)", claim="l.multiplicity != 1")

    assert [proofs(dealt), proofs(undealt)] == [[False], [False]]
