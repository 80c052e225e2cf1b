"""Distinct counts a record once, however often it is read."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, numbers, proofs, sample
from tests.worlds import World


def distinct(world: World, window: str) -> list[int]:
    """Different records on the lists."""
    return [len({record for lane in lanes for record in lane.records}) for lanes in world.window(window)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("distinct", window), sample(f"distinct {window}")

    assert numbers(use, lambda world: distinct(world, window), worlds) == []


def test_free_numbers_are_counted_by_rules() -> None:
    padded = FREE.format(stages="shard(ranks)", claim="l.distinct == d.size")
    trimmed = FREE.format(
        stages="shard(ranks, tail = drop)", claim="l.distinct == d.size // l.ranks * l.ranks"
    )
    wrong = FREE.format(stages="shard(ranks, tail = drop)", claim="l.distinct == d.size")

    assert [proofs(text) for text in (padded, trimmed, wrong)] == [[True], [True], [False]]


def test_a_run_of_whole_epochs_reads_everything() -> None:
    text = FREE.format(stages="shuffle(seed = any)\nshard(ranks)", claim="l.distinct(run) == d.size")

    assert proofs(text) == [True]
