"""The presets of torchdata deliver what its stateful samplers and loader do from a fresh start."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torchdata.stateful_dataloader import StatefulDataLoader
from torchdata.stateful_dataloader.sampler import RandomSampler, StatefulDistributedSampler

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, SOME, Grid, Steps, World, awkward, singly

BOTH = (False, True)


def random(world: World) -> Sequence[Steps]:
    """Every rank's generator is seeded anew in each epoch."""
    generator = torch.Generator().manual_seed(world["seed"] + world.epoch)
    return [singly(list(RandomSampler(range(world.size), generator=generator)))] * world.ranks


def distributed(world: World) -> Sequence[Steps]:
    found = []
    for rank in range(world.ranks):
        sampler = StatefulDistributedSampler(range(world.size), world.ranks, rank, **world.arguments)
        sampler.set_epoch(world.epoch)
        found.append(singly(list(sampler)))
    return found


def loader(world: World) -> Sequence[Steps]:
    made = StatefulDataLoader(range(world.size), **world.arguments, collate_fn=list)
    return [list(made)] * world.ranks


GRIDS = (
    Grid(
        "torchdata.RandomSampler",
        random,
        {"seed": (*SEEDS, 2, 3, 4, 5, 6, 7, 8)},
        sizes=range(30),
        apart=lambda world: world.size == 0,
    ),
    Grid(
        "torchdata.StatefulDistributedSampler",
        distributed,
        {"seed": SEEDS},
        {"shuffle": BOTH, "drop_last": BOTH},
        sizes=range(30),
    ),
    Grid(
        "torchdata.StatefulDataLoader",
        loader,
        {"batch_size": (*BATCHES, 6, 7, 9)},
        {"drop_last": BOTH},
        sizes=range(50),
    ),
)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_some_worlds_agree(grid: Grid) -> None:
    assert awkward(grid)
    assert grid.agree(most=SOME) == SOME


@pytest.mark.slow
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_all_worlds_agree(grid: Grid) -> None:
    assert grid.agree() >= ENOUGH
