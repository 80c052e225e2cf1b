"""Occurrences count every position that is read."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, WINDOWS, in_window, numbers, proofs, sample, verdicts
from tests.worlds import World, batch, shard


def occurrences(world: World, window: str) -> list[int]:
    """The lengths of the lists, summed."""
    return [sum(len(lane.marked) for lane in lanes) for lanes in world.window(window)]


@pytest.mark.parametrize("window", WINDOWS)
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("occurrences", window), sample(f"occurrences {window}")

    assert numbers(use, lambda world: occurrences(world, window), worlds) == []


def test_ten_on_three_are_twelve_padded_and_nine_dropped() -> None:
    padded, trimmed = (World(10, 3, (shard(tail=tail), batch(4))) for tail in ("pad", "drop"))

    assert verdicts(padded.text("l.occurrences == 12", "l.occurrences == 10")) == ["proved", "refuted"]
    assert verdicts(trimmed.text("l.occurrences == 9")) == ["proved"]


def test_free_numbers_are_summed_by_rules() -> None:
    uneven = FREE.format(stages="shard(ranks, tail = uneven)", claim="l.occurrences == d.size")
    padded = FREE.format(stages="shard(ranks, tail = pad)", claim="l.occurrences < d.size + l.ranks")
    undealt = FREE.format(stages="batch(1)", claim="l.occurrences == l.ranks * d.size")

    assert [proofs(text) for text in (uneven, padded, undealt)] == [[True]] * 3
