"""A grid notices where a preset and its package differ, and where they agree by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.presets.grid import Grid, Steps, World, steps
from tests.presets.test_torch import GRIDS, distributed

GRID = next(each for each in GRIDS if each.preset == "torch.DistributedSampler")


def flipped(world: World) -> World:
    """The world in which the tail is treated the other way."""
    return replace(world, arguments={**world.arguments, "drop_last": not world["drop_last"]})


def next_rank(world: World) -> Sequence[Steps]:
    first, *rest = distributed(world)
    return [*rest, first]


def next_epoch(world: World) -> Sequence[Steps]:
    return distributed(replace(world, epoch=world.epoch + 1))


@pytest.mark.parametrize(
    "real", [lambda world: distributed(flipped(world)), next_rank, next_epoch], ids=["tail", "rank", "epoch"]
)
def test_other_sampler_is_noticed(real: object) -> None:
    with pytest.raises(AssertionError):
        replace(GRID, real=real).agree(most=200)  # type: ignore[arg-type]  # each is a function of the world


def test_fault_that_is_gone_is_noticed() -> None:
    with pytest.raises(AssertionError, match="agrees by now"):
        replace(GRID, apart=lambda world: world.size == 5).agree(most=200)


def test_worlds_of_a_sample_are_the_same_each_time() -> None:
    seen: list[World] = []

    def real(world: World) -> Sequence[Steps]:
        seen.append(world)
        return distributed(world)

    grid: Grid = replace(GRID, real=real)
    assert grid.agree(most=20) == grid.agree(most=20) == 20
    assert seen[:20] == seen[20:]


def test_steps_of_a_lane_are_those_of_the_model() -> None:
    model = GRID.model({"shuffle": False, "drop_last": False})

    assert steps(model.lane((5, 2, 0), 1, 0)) == [[1], [3], [0]]
