"""Covered holds the records that are read."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, proofs, sample, sets, verdicts
from tests.worlds import World, counts


def covered(world: World, window: str) -> list[set[int]]:
    """Records on one of the lists."""
    return [set(counts(lanes)) for lanes in world.window(window)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("covered", window), sample(f"covered {window}")

    assert sets(use, lambda world: covered(world, window), worlds) == []


def test_free_dropping_covers_whole_rounds() -> None:
    right = FREE.format(stages="shard(ranks, tail = drop)", claim="count(l.covered) > d.size - l.ranks")
    wrong = FREE.format(stages="shard(ranks, tail = drop)", claim="count(l.covered) >= d.size - l.ranks + 2")

    assert [proofs(right), proofs(wrong), verdicts(wrong)] == [[True], [False], ["refuted"]]
