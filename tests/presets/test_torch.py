"""The presets of torch deliver what torch's samplers and loaders do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import torch
from torch.utils.data import DataLoader, DistributedSampler, IterableDataset, RandomSampler

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, SOME, Grid, Steps, World, awkward, singly

BOTH = (False, True)


def sequential(world: World) -> Sequence[Steps]:
    return [singly(list(torch.utils.data.SequentialSampler(range(world.size))))] * world.ranks


def random(world: World) -> Sequence[Steps]:
    """Every rank's generator is seeded anew in each epoch."""
    generator = torch.Generator().manual_seed(world["seed"] + world.epoch)
    return [singly(list(RandomSampler(range(world.size), generator=generator)))] * world.ranks


def distributed(world: World) -> Sequence[Steps]:
    found = []
    for rank in range(world.ranks):
        sampler = DistributedSampler(range(world.size), world.ranks, rank, **world.arguments)
        sampler.set_epoch(world.epoch)
        found.append(singly(list(sampler)))
    return found


def loader(world: World) -> Sequence[Steps]:
    made = DataLoader(range(world.size), **world.arguments, collate_fn=list)
    return [list(made)] * world.ranks


class Stream(IterableDataset):  # type: ignore[misc]  # torch is not followed
    def __init__(self, size: int) -> None:
        self.size = size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.size))


def streamed(world: World) -> Sequence[Steps]:
    made = DataLoader(Stream(world.size), **world.arguments, collate_fn=list)
    return [list(made)] * world.ranks


LOADERS = {"batch_size": (*BATCHES, 6, 7, 9)}
GRIDS = (
    Grid("torch.SequentialSampler", sequential, sizes=range(300), epochs=range(3)),
    Grid(
        "torch.RandomSampler",
        random,
        {"seed": (*SEEDS, 2, 3, 4, 5, 6, 7, 8)},
        sizes=range(30),
        apart=lambda world: world.size == 0,
    ),
    Grid(
        "torch.DistributedSampler",
        distributed,
        {"seed": SEEDS},
        {"shuffle": BOTH, "drop_last": BOTH},
        sizes=range(30),
    ),
    Grid("torch.DataLoader", loader, LOADERS, {"drop_last": BOTH}, sizes=range(50)),
    Grid(
        "torch.IterableDataLoader",
        streamed,
        LOADERS,
        {"drop_last": BOTH},
        sizes=range(50),
        settings="style = iterable",
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
