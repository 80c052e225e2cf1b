"""The presets of transformers deliver what the loaders of a real `Trainer` do, on each process of a world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from tempfile import mkdtemp
from typing import Any
from unittest.mock import patch

import pytest
import torch

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, Grid, Steps, World, awkward, singly

pytest.importorskip("transformers")

BOTH, A_FEW = (False, True), 40


@cache
def trainer() -> Any:
    from transformers import Trainer, TrainingArguments  # noqa: PLC0415 -- takes seconds

    options = {"use_cpu": True, "remove_unused_columns": False, "dataloader_pin_memory": False}
    arguments = TrainingArguments(mkdtemp(), report_to=[], save_strategy="no", disable_tqdm=True, **options)
    return Trainer(torch.nn.Linear(1, 1), arguments, data_collator=list)


def in_world(world: World) -> Iterator[Any]:
    """The trainer of each process."""
    from accelerate.state import AcceleratorState, PartialState  # noqa: PLC0415 -- as above

    made = trainer()
    made.accelerator.dataloader_config.even_batches = world["even_batches"]
    made.args.dataloader_drop_last = world["dataloader_drop_last"]
    for rank in range(world.ranks):
        there = {"num_processes": world.ranks, "process_index": rank}
        with (
            patch.dict(PartialState._shared_state, there),
            patch.dict(AcceleratorState._shared_state, there),
        ):
            torch.manual_seed(world.arguments.get("seed", 0))
            yield made


def trained(world: World) -> Sequence[Steps]:
    """Optimizer steps: the trainer asks for so many batches, and for those that are left in the end."""
    many, found = world["gradient_accumulation_steps"], []
    for made in in_world(world):
        made.train_dataset, made._train_batch_size = range(world.size), world["per_device_train_batch_size"]
        loader = made.get_train_dataloader()
        loader.set_epoch(world.epoch)
        batches, steps = iter(loader), Steps()
        while group := made.get_batch_samples(batches, many, "cpu")[0]:
            steps.append(list(chain.from_iterable(group)))
        found.append(steps)
    return found


def evaluated(world: World) -> Sequence[Steps]:
    found = []
    for made in in_world(world):
        made.args.per_device_eval_batch_size = world["per_device_eval_batch_size"]
        found.append(list(made.get_eval_dataloader(range(world.size))))
    return found


def in_shards(world: World) -> Sequence[Steps]:
    from transformers.trainer_pt_utils import ShardSampler  # noqa: PLC0415 -- as above

    options = {"batch_size": world["batch_size"], "drop_last": world["drop_last"]}
    return [
        singly(
            list(ShardSampler(range(world.size), **options, num_processes=world.ranks, process_index=rank))
        )
        for rank in range(world.ranks)
    ]


def nothing(world: World) -> bool:
    """A random sampler refuses a dataset of no records."""
    return world.size == 0


ALL = {"dataloader_drop_last": BOTH, "even_batches": BOTH}
GRIDS = (
    Grid(
        "transformers.Trainer",
        trained,
        {
            "per_device_train_batch_size": BATCHES,
            "seed": SEEDS,
            "gradient_accumulation_steps": (1, 3),
        },
        ALL,
        epochs=(0, 2),
        apart=nothing,
    ),
    Grid(
        "transformers.Trainer.eval",
        evaluated,
        {"per_device_eval_batch_size": BATCHES},
        ALL,
        sizes=range(36),
        epochs=(0,),
    ),
)
SHARDS = Grid(
    "transformers.ShardSampler",
    in_shards,
    {"batch_size": BATCHES},
    {"drop_last": BOTH},
    sizes=range(72),
    epochs=(0,),
)


def test_some_worlds_of_shards_agree() -> None:
    assert awkward(SHARDS)
    assert SHARDS.agree(most=A_FEW) == A_FEW


@pytest.mark.slow
@pytest.mark.parametrize("grid", [*GRIDS, SHARDS], ids=str)
def test_all_worlds_agree(grid: Grid) -> None:
    assert awkward(grid)
    assert grid.agree(most=ENOUGH) == ENOUGH
