"""A preset and the package that it describes, compared rank by rank over a grid of worlds.

A grid is one file: `GRIDS`, and two tests that call `agree`. See `test_torch.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

import epochproof
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.plan import plan_of

SIZES = (*range(14), 16, 17, 23, 24, 29)
"""No record, fewer than ranks, one short of a batch, padding longer than the data: see `awkward`."""

RANKS = (1, 2, 3, 4, 5, 7)
BATCHES = (1, 2, 3, 4, 5, 8)
SEEDS = (0, 1, 2**32 + 5)
EPOCHS = (0, 1, 3)
SOME = 300
"""So many worlds of each grid are compared in the default run."""

ENOUGH = 5_000

Steps = list[list[int]]
"""The records of each step of one rank."""


@dataclass(frozen=True)
class World:
    """One world of a grid: `arguments` are what the preset is given, by name."""

    size: int
    ranks: int
    epoch: int
    arguments: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.arguments[name]


def never(_: World) -> bool:
    """In no world."""
    return False


@dataclass(frozen=True)
class Grid:
    """Where a preset is compared with `real`, which gives each rank's steps of a world.

    `numbers` are arguments that the spec leaves free, so that one schedule is compared in all of them;
    of `words`, and of numbers on which stages depend, each choice is a schedule of its own.
    Where the package is `apart` from the preset, as its page tells, it has to raise or to deliver
    something else.
    """

    preset: str
    real: Callable[[World], Sequence[Steps]]
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    words: Mapping[str, Sequence[bool | int | str]] = field(default_factory=dict)
    sizes: Sequence[int] = SIZES
    ranks: Sequence[int] = RANKS
    epochs: Sequence[int] = EPOCHS
    settings: str = ""
    """Further settings of the loader."""
    apart: Callable[[World], bool] = never
    leaves_out: Callable[[World], bool] = never
    """Worlds that the package refuses by design, such as a batch that ranks do not divide."""

    def __str__(self) -> str:
        return self.preset

    def worlds(self) -> list[World]:
        """All worlds of the grid, in order."""
        names = [*self.numbers, *self.words]
        choices = product(*self.numbers.values(), *self.words.values())
        given = [dict(zip(names, each, strict=True)) for each in choices]
        shapes = product(self.sizes, self.ranks, self.epochs)
        found = [World(*shape, arguments) for shape in shapes for arguments in given]
        return [each for each in found if not self.leaves_out(each)]

    def agree(self, most: int | None = None) -> int:
        """How many worlds were compared, at `most` so many; every one has to agree."""
        worlds = self.worlds()
        if most is not None and most < len(worlds):
            worlds = Random(self.preset).sample(worlds, most)  # noqa: S311 -- seeded on purpose
        models: dict[tuple[Any, ...], Compiled] = {}
        for world in worlds:
            words = tuple(world[name] for name in self.words)
            if words not in models:
                models[words] = self.model(dict(zip(self.words, words, strict=True)))
            self._compare(world, models[words])
        return len(worlds)

    def spec(self, words: Mapping[str, Any]) -> str:
        """The spec of one choice of words, all else free."""
        given = [f"{name} = {str(word).lower()}" for name, word in words.items()]
        given += [f"{name} in {min(values)}.." for name, values in self.numbers.items()]
        return f"""edition 1
dataset data {{ size in 0.. }}
loader train over data {{
  ranks in 1..
  {self.settings}
  use {self.preset}({", ".join(given)})
}}
"""

    def model(self, words: Mapping[str, Any]) -> Compiled:
        """The schedule of one choice of words, to be run in many worlds."""
        loader = epochproof.load(self.spec(words)).loaders["train"]
        names = ("data.size", "train.ranks", *(f"train.{name}" for name in self.numbers))
        return Compiled(plan_of(loader), loader.epochs, names)

    def _compare(self, world: World, model: Compiled) -> None:
        values = (world.size, world.ranks, *(world[name] for name in self.numbers))
        expected = [steps(model.lane(values, rank, world.epoch)) for rank in range(world.ranks)]
        if self.apart(world):
            assert self._real_or_error(world) != expected, f"the package agrees by now: {world}"
        else:
            assert list(self.real(world)) == expected, world

    def _real_or_error(self, world: World) -> Sequence[Steps] | None:
        try:
            return list(self.real(world))
        except Exception:  # noqa: BLE001 -- whatever the package raises
            return None


def steps(lane: Delivered) -> Steps:
    """The records of a lane, step by step."""
    found: Steps = [[] for _ in range(lane.steps)]
    for step, record in zip(lane.step, lane.records, strict=True):
        found[step].append(record)
    return found


def singly(records: Sequence[int]) -> Steps:
    """Records that no batch groups: each is a step."""
    return [[each] for each in records]


def awkward(grid: Grid, *, padded: bool = True) -> bool:
    """Whether a grid has no records, fewer than ranks and, if ranks are `padded`, more padding than data."""
    pairs = list(product(grid.sizes, grid.ranks))
    return (
        0 in grid.sizes
        and any(0 < size < ranks for size, ranks in pairs)
        and (not padded or any(0 < 2 * size < ranks for size, ranks in pairs))
    )
