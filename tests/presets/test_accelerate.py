"""The presets of Accelerate deliver what the loaders do that it prepares for each process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset

from tests.presets.grid import BATCHES, ENOUGH, SEEDS, Grid, Steps, World, awkward

pytest.importorskip("accelerate")

from accelerate.data_loader import DataLoaderDispatcher, prepare_data_loader

BOTH, A_FEW = (False, True), 40
SPLIT = {"batch_size": (1, 2, 4, 6, 12), "drop_last": BOTH, "split_batches": (True,)}


class Stream(IterableDataset[int]):  # type: ignore[misc]  # torch is not typed here
    """Records without indices."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.size))


def prepared(world: World) -> Sequence[Steps]:
    """The batches of the epoch on each process, of a loader that lets ranks agree by a seed."""
    found = []
    for rank in range(world.ranks):
        mine = DataLoader(
            range(world.size),
            world["batch_size"],
            shuffle=world["shuffle"],
            drop_last=world["drop_last"],
            collate_fn=list,
        )
        loader = prepare_data_loader(
            mine,
            num_processes=world.ranks,
            process_index=rank,
            put_on_device=False,
            split_batches=world.arguments.get("split_batches", False),
            even_batches=world["even_batches"],
            use_seedable_sampler=True,
            data_seed=world.arguments.get("seed", 0),
        )
        loader.set_epoch(world.epoch)
        found.append(list(loader))
    return found


def streamed(world: World) -> Sequence[Steps]:
    found = []
    for rank in range(world.ranks):
        mine = DataLoader(
            Stream(world.size), world["batch_size"], drop_last=world["drop_last"], collate_fn=list
        )
        loader = prepare_data_loader(
            mine,
            num_processes=world.ranks,
            process_index=rank,
            put_on_device=False,
            split_batches=world.arguments.get("split_batches", False),
            dispatch_batches=False,
        )
        found.append(list(loader))
    return found


def dispatched(world: World) -> Sequence[Steps]:
    """The first process reads for all: each is given its slice of what that puts together."""
    drop = world["drop_last"]
    lanes: list[Steps] = [[] for _ in range(world.ranks)]

    def sliced(batch: torch.Tensor, part: slice, **_: int) -> torch.Tensor:
        widths.append((batch, part.stop - part.start))
        return batch[part]

    widths: list[tuple[torch.Tensor, int]] = []
    loader = DataLoaderDispatcher(
        range(world.size),
        split_batches=world.arguments.get("split_batches", False),
        _drop_last=drop,
        slice_fn=sliced,
        batch_size=world["batch_size"],
        drop_last=drop,
        collate_fn=torch.tensor,
    )
    loader.state = SimpleNamespace(
        process_index=0, num_processes=world.ranks, device=torch.device("cpu"), use_distributed=False
    )
    for _ in loader:
        batch, width = widths[-1]
        for rank, lane in enumerate(lanes):
            lane.append(batch[rank * width : (rank + 1) * width].tolist())
    return lanes


class Split(Grid):
    """A grid over ranks that divide the batch, which the package refuses otherwise."""

    def __str__(self) -> str:
        return f"{self.preset}, split"

    def spec(self, words: Mapping[str, Any]) -> str:
        divisors = [each for each in self.ranks if words["batch_size"] % each == 0]
        return super().spec(words).replace("ranks in 1..", f"ranks in {{{', '.join(map(str, divisors))}}}")


def uneven(world: World) -> bool:
    return bool(world["batch_size"] % world.ranks)


def nothing_to_draw(world: World) -> bool:
    """A random sampler refuses a dataset of no records."""
    return world.size == 0 and world["shuffle"]


def ends_badly(world: World) -> bool:
    """It raises where there is no group of batches, and gives empty batches where it fills one too little."""
    group = world["batch_size"] * (1 if "split_batches" in world.arguments else world.ranks)
    return world.size < group if world["drop_last"] else 2 * world.size < max(1, world.ranks)


RANKS = (1, 2, 3, 4, 6, 12)
GRIDS = (
    Grid(
        "accelerate.DataLoader",
        prepared,
        {"batch_size": BATCHES, "seed": SEEDS},
        {"shuffle": BOTH, "drop_last": BOTH, "even_batches": BOTH},
        epochs=(0, 2),
        apart=nothing_to_draw,
    ),
    Split(
        "accelerate.DataLoader",
        prepared,
        {"seed": SEEDS},
        {**SPLIT, "shuffle": BOTH, "even_batches": BOTH},
        ranks=RANKS,
        epochs=(0, 2),
        apart=nothing_to_draw,
        leaves_out=uneven,
    ),
    Grid(
        "accelerate.IterableDataset",
        streamed,
        {"batch_size": BATCHES},
        {"drop_last": BOTH},
        sizes=range(72),
        epochs=(0,),
        settings="style = iterable",
    ),
    Split(
        "accelerate.IterableDataset",
        streamed,
        words=SPLIT,
        sizes=range(180),
        ranks=RANKS,
        epochs=(0,),
        settings="style = iterable",
        leaves_out=uneven,
    ),
    Grid(
        "accelerate.Dispatcher",
        dispatched,
        {"batch_size": BATCHES},
        {"drop_last": BOTH},
        sizes=range(72),
        epochs=(0,),
        apart=ends_badly,
    ),
    Split(
        "accelerate.Dispatcher",
        dispatched,
        words=SPLIT,
        sizes=range(180),
        ranks=RANKS,
        epochs=(0,),
        leaves_out=uneven,
        apart=ends_badly,
    ),
)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_some_worlds_agree(grid: Grid) -> None:
    assert awkward(grid)
    assert grid.agree(most=A_FEW) == A_FEW


@pytest.mark.slow
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_all_worlds_agree(grid: Grid) -> None:
    assert grid.agree(most=ENOUGH) == ENOUGH
