"""Padding counts the positions that padding introduced and that are read."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, numbers, proofs, sample, verdicts
from tests.worlds import World, batch, shard


def padding(world: World, window: str) -> list[int]:
    """Marked positions on the lists."""
    return [sum(marked for lane in lanes for _, marked in lane.marked) for lanes in world.window(window)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("padding", window), sample(f"padding {window}")

    assert numbers(use, lambda world: padding(world, window), worlds) == []


def test_padding_that_is_cut_off_again_does_not_count() -> None:
    world = World(10, 3, (shard(), batch(3, "drop")))

    assert verdicts(world.text("l.padding == 0", "l.padding == 2")) == ["proved", "refuted"]


def test_free_padding_is_less_than_the_ranks() -> None:
    right = FREE.format(stages="shard(ranks)", claim="l.padding < l.ranks")
    wrong = FREE.format(stages="shard(ranks)", claim="l.padding < l.ranks - 1")

    assert [proofs(right), proofs(wrong), verdicts(wrong)] == [[True], [False], ["refuted"]]
