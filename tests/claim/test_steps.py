"""Steps counts the batches or optimizer steps of each rank."""

from __future__ import annotations

import pytest

from tests.claim.agreement import FREE, in_window, numbers, proofs, sample, verdicts
from tests.worlds import World, Written, batch, shard


def steps(world: World, window: str) -> list[int]:
    """The groups of each rank's list, in each epoch or in all."""
    every = [[world.lane(epoch, rank).steps for epoch in range(world.epochs)] for rank in range(world.ranks)]
    return [sum(each) for each in every] if "run" in window else [each for some in every for each in some]


@pytest.mark.parametrize("window", ["", "run"])
def test_verdicts_agree_with_lists(window: str) -> None:
    use, worlds = in_window("steps", window), sample(f"steps {window}")

    assert numbers(use, lambda world: steps(world, window), worlds) == []


def test_carried_batches_make_a_step_of_a_later_epoch() -> None:
    world = World(3, 1, (batch(1), Written("accumulate", 2, {"tail": "carry"})), epochs=2)

    assert [world.lane(epoch, 0).steps for epoch in range(2)] == [1, 2]
    assert verdicts(world.text("l.steps(run) == 3", "l.steps == 1")) == ["proved", "refuted"]


def test_free_steps_follow_from_the_length() -> None:
    whole = FREE.format(
        stages="shard(ranks)\nbatch(in 1..)", claim="l.steps == ceil(ceil(d.size / l.ranks) / l.batch)"
    )
    run = FREE.format(stages="shard(ranks)\nbatch(1)", claim="l.steps(run) == l.epochs * l.steps")
    wrong = FREE.format(stages="shard(ranks, tail = uneven)", claim="l.steps == ceil(d.size / l.ranks)")

    assert [proofs(whole), proofs(run), proofs(wrong)] == [[True], [True], [False]]


def test_a_dropped_shard_of_fewer_records_than_ranks_has_no_steps() -> None:
    world = World(3, 4, (shard(tail="drop"), batch(1)))

    assert verdicts(world.text("l.steps == 0")) == ["proved"]
