"""The presets of Lightning deliver what the loaders do that its trainer makes of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, SOME, Grid, Steps, World, awkward

pytest.importorskip("lightning")

from lightning.pytorch import Trainer
from lightning.pytorch.overrides.distributed import UnrepeatedDistributedSampler
from lightning.pytorch.trainer.connectors.data_connector import _get_distributed_sampler, _process_dataloader
from lightning.pytorch.trainer.states import RunningStage, TrainerFn
from lightning.pytorch.utilities.data import _update_dataloader
from torch.utils.data import DataLoader

BOTH = (False, True)


def injected(world: World, rank: int, mode: RunningStage, *, shuffle: bool = False, seed: int = 0) -> Steps:
    """The batches of a loader after the trainer has put its sampler in place of the loader's own."""
    drop = world.arguments.get("drop_last", True)
    mine = DataLoader(range(world.size), world["batch_size"], collate_fn=list, drop_last=drop)
    options = {"num_replicas": world.ranks, "rank": rank, "seed": seed}
    sampler = _get_distributed_sampler(mine, shuffle, 0, mode, **options)
    sampler.set_epoch(world.epoch)
    return list(_update_dataloader(mine, sampler, mode))


def trained(world: World) -> Sequence[Steps]:
    """Optimizer steps: the trainer steps on the last batch of an epoch, too."""
    many, found = world["accumulate_grad_batches"], []
    for rank in range(world.ranks):
        options = {"shuffle": world["shuffle"], "seed": world["seed"]}
        batches = injected(world, rank, RunningStage.TRAINING, **options)
        found.append([[*chain(*batches[at : at + many])] for at in range(0, len(batches), many)])
    return found


def evaluated(world: World) -> Sequence[Steps]:
    return [injected(world, rank, RunningStage.VALIDATING) for rank in range(world.ranks)]


def predicted(world: World) -> Sequence[Steps]:
    return [injected(world, rank, RunningStage.PREDICTING) for rank in range(world.ranks)]


GRIDS = (
    Grid(
        "lightning.Trainer",
        trained,
        {"batch_size": BATCHES, "seed": SEEDS, "accumulate_grad_batches": (1, 2, 3)},
        {"shuffle": BOTH, "drop_last": BOTH},
        epochs=(0, 2),
    ),
    Grid("lightning.Evaluate", evaluated, {"batch_size": BATCHES}, {"drop_last": BOTH}, sizes=range(35)),
    Grid(
        "lightning.Predict",
        predicted,
        {"batch_size": (*BATCHES, 6, 7, 9)},
        sizes=range(35),
        apart=lambda world: 0 < world.size < world.ranks,
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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("function", "stage", "shuffles"),
    [
        (TrainerFn.FITTING, RunningStage.TRAINING, True),
        (TrainerFn.VALIDATING, RunningStage.VALIDATING, False),
        (TrainerFn.PREDICTING, RunningStage.PREDICTING, False),
    ],
)
def test_trainer_injects_these_samplers_into_a_loader_that_is_not_shuffled(
    function: TrainerFn, stage: RunningStage, *, shuffles: bool
) -> None:
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
    trainer = Trainer(accelerator="cpu", devices=2, strategy="ddp", **quiet)
    loader = _process_dataloader(trainer, function, stage, DataLoader(range(10), 3, drop_last=True))
    predicts = stage is RunningStage.PREDICTING
    sampler = loader.batch_sampler.sampler if predicts else loader.sampler

    assert isinstance(sampler, UnrepeatedDistributedSampler) is predicts
    assert (sampler.num_replicas, sampler.shuffle, sampler.seed) == (2, shuffles, 0)
