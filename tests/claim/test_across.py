"""`equal across ranks` holds exactly where every two ranks have the same number or set."""

from __future__ import annotations

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import FREE, differences, proofs, sample
from tests.worlds import World


def same(values: list[object]) -> bool:
    return all(value == values[0] for value in values)


def across(world: World) -> list[bool]:
    """Whether steps, lengths and records are the same on all ranks, in every epoch."""
    every = [world.epoch(epoch) for epoch in range(world.epochs)]
    return [
        all(same([lane.steps for lane in lanes]) for lanes in every),
        all(same([len(lane.records) for lane in lanes]) for lanes in every),
        all(same([set(lane.records) for lane in lanes]) for lanes in every),
    ]


def test_verdicts_agree_with_lists() -> None:
    uses, wrong = ("steps", "occurrences(rank)", "covered(rank)"), []
    for world in sample("across"):
        text = world.text(*(f"l.{use} equal across ranks" for use in uses))
        wrong += differences(text, across(world))

    assert wrong == []


def test_free_padded_ranks_run_equal_steps_and_uneven_ones_do_not() -> None:
    padded, uneven = (
        FREE.format(stages=f"shard(ranks, tail = {tail})\nbatch(in 1..)", claim="l.steps equal across ranks")
        for tail in ("pad", "uneven")
    )

    assert [proofs(padded), proofs(uneven)] == [[True], [False]]


def test_sequences_are_not_compared_across_ranks() -> None:
    with pytest.raises(SpecError, match="only numbers and sets"):
        proofs(FREE.format(stages="shard(ranks)", claim="l.order equal across ranks"))
