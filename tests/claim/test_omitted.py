"""Omitted is the population without what is read."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, proofs, sample, sets, verdicts
from tests.worlds import World, counts


def omitted(world: World, window: str) -> list[set[int]]:
    """Records on none of the lists."""
    return [set(range(world.size)) - set(counts(lanes)) for lanes in world.window(window)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("omitted", window), sample(f"omitted {window}")

    assert sets(use, lambda world: omitted(world, window), worlds) == []


def test_free_tails_lose_less_than_what_they_complete() -> None:
    stages = "shard(ranks)\nbatch(in 1.., tail = drop)"
    right = FREE.format(stages=stages, claim="count(l.omitted) < l.ranks * l.batch")
    wrong = FREE.format(stages=stages, claim="count(l.omitted) < l.ranks * l.batch - 1")
    none = FREE.format(stages=stages, claim="l.omitted == {}")

    assert proofs(right) == [True]
    assert [proofs(wrong), verdicts(wrong)] == [[False], ["refuted"]]
    assert [proofs(none), verdicts(none)] == [[False], ["refuted"]]
