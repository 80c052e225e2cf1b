"""Repeated holds the records that are read at least twice."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, proofs, sample, sets
from tests.worlds import World, counts


def repeated(world: World, window: str) -> list[set[int]]:
    """Records that the lists hold twice."""
    return [
        {record for record, times in counts(lanes).items() if times > 1} for lanes in world.window(window)
    ]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("repeated", window), sample(f"repeated {window}")

    assert sets(use, lambda world: repeated(world, window), worlds) == []


def test_free_padding_repeats_the_first_records() -> None:
    few = FREE.format(stages="shard(ranks)", claim="count(l.repeated) < l.ranks")
    none = FREE.format(stages="shard(ranks, tail = uneven)", claim="l.repeated == {}")
    wrong = FREE.format(stages="shard(ranks)", claim="l.repeated == {}")

    assert [proofs(few), proofs(none), proofs(wrong)] == [[True], [True], [False]]
