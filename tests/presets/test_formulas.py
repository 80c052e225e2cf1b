"""Presets of packages that are not installed here deliver what the loops of these do, written out again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, islice
from typing import Any

import pytest
import torch
from torch.utils.data import BatchSampler, DistributedSampler

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, Grid, Steps, World, awkward, singly

BOTH, A_FEW = (False, True), 60


def pretraining(world: World) -> Sequence[Steps]:
    """`MegatronPretrainingSampler.__iter__` with `drop_last`, from the first sample on."""
    micro = world["micro_batch_size"]
    found = []
    for rank in range(world.ranks):
        steps, batch = Steps(), list[int]()
        for at in range(world.size):
            batch.append(at)
            if len(batch) == micro * world.ranks:
                steps.append(batch[rank * micro : (rank + 1) * micro])
                batch = []
        found.append(steps)
    return found


def full_validation(world: World) -> Sequence[Steps]:
    """`MegatronFullValidationSampler.__iter__`: each rank takes every so many samples, one a step."""
    return [singly(list(range(rank, world.size, world.ranks))) for rank in range(world.ranks)]


def default_sampler(world: World) -> Sequence[Steps]:
    """`DefaultSampler.__iter__` of mmengine."""
    size, ranks = world.size, world.ranks
    generator = torch.Generator().manual_seed(world["seed"] + world.epoch)
    order = torch.randperm(size, generator=generator).tolist() if world["shuffle"] else list(range(size))
    if world["round_up"]:
        total = -(-size // ranks) * ranks
        order = (order * int(total / size + 1))[:total]
    return [singly(order[rank : len(order) : ranks]) for rank in range(ranks)]


def inference(world: World) -> Sequence[Steps]:
    """`InferenceSampler._get_local_indices` of detectron2, with one image a batch."""
    shard, left = world.size // world.ranks, world.size % world.ranks
    sizes = [shard + int(rank < left) for rank in range(world.ranks)]
    return [
        singly(list(range(sum(sizes[:rank]), min(sum(sizes[: rank + 1]), world.size))))
        for rank in range(world.ranks)
    ]


def training(world: World) -> Sequence[Steps]:
    """`TrainingSampler.__iter__` of detectron2: an endless stream, of which each rank takes every so many."""
    generator = torch.Generator().manual_seed(world["seed"])
    endless = (at for _ in count() for at in torch.randperm(world.size, generator=generator).tolist())
    order = list(islice(endless, world["draws"]))
    return [singly(order[rank :: world.ranks]) for rank in range(world.ranks)]


def ultralytics(world: World) -> Sequence[Steps]:
    """`build_dataloader` of ultralytics on several GPUs: the batch divided by them, rounded down."""
    found = []
    for rank in range(world.ranks):
        sampler = DistributedSampler(range(world.size), world.ranks, rank, seed=world["seed"])
        sampler.set_epoch(world.epoch)
        found.append(list(BatchSampler(sampler, world["batch"] // world.ranks, drop_last=False)))
    return found


class Whole(Grid):
    """A grid over ranks each of which gets a part of the batch."""

    def spec(self, words: Mapping[str, Any]) -> str:
        return super().spec(words).replace("ranks in 1..", f"ranks in 1..{words['batch']}")


GRIDS = (
    Grid(
        "megatron.PretrainingSampler",
        pretraining,
        {"micro_batch_size": (*BATCHES, 6, 7)},
        sizes=range(120),
        epochs=(0,),
    ),
    Grid("megatron.FullValidationSampler", full_validation, sizes=range(900), epochs=(0,)),
    Grid(
        "mmengine.DefaultSampler",
        default_sampler,
        {"seed": (*SEEDS, 2)},
        {"shuffle": BOTH, "round_up": BOTH},
        # It divides by the size.
        apart=lambda world: world.size == 0 and bool(world["round_up"]),
    ),
    Grid("detectron2.InferenceSampler", inference, sizes=range(300), ranks=range(1, 20), epochs=(0,)),
    Grid(
        "detectron2.TrainingSampler",
        training,
        {"draws": (0, 1, 2, 7, 8, 9, 24, 40), "seed": (*SEEDS, 2, 3)},
        epochs=(0,),
        sizes=range(30),
        # Over no record the stream is endless and empty.
        leaves_out=lambda world: world.size == 0,
    ),
    Whole(
        "ultralytics.Train",
        ultralytics,
        {"seed": SEEDS},
        {"batch": (1, 2, 3, 4, 5, 6, 8, 16)},
        leaves_out=lambda world: world["batch"] < world.ranks,
    ),
)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_some_worlds_agree(grid: Grid) -> None:
    assert awkward(grid, padded=False)
    assert grid.agree(most=A_FEW) == A_FEW


@pytest.mark.slow
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_all_worlds_agree(grid: Grid) -> None:
    assert grid.agree(most=ENOUGH) == ENOUGH
