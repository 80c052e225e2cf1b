"""Populations of a spec in one world, and the real objects that have the same records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch.utils.data import ConcatDataset, Dataset

import epochproof
from epochproof.model.population import Population
from epochproof.schedule.sources import Found, Sources


def population(text: str, name: str) -> Population:
    return epochproof.load(f"edition 1\n{text}").populations[name]


def world(
    values: Mapping[str, int] | None = None, lengths: Mapping[str, tuple[int, ...]] | None = None
) -> Sources:
    return Sources(values or {}, lengths or {})


def listed(found: Population, **given: Mapping[str, object]) -> list[Found]:
    return list(world(**given).records(found))  # type: ignore[arg-type] # as `world` takes them


class Windowed(Dataset[tuple[int, list[int]]]):  # type: ignore[misc] # torch is untyped here
    """The windows of one source, cut by torch itself; a source that is too short has none."""

    def __init__(self, source: int, length: int, window: int, stride: int) -> None:
        frames = torch.arange(length)
        self.source, self.windows = (
            source,
            frames.unfold(0, window, stride) if length >= window else frames[:0],
        )

    def __len__(self) -> int:
        return len(self.windows)

    def __getitem__(self, at: int) -> tuple[int, list[int]]:
        return self.source, self.windows[at].tolist()


def real_windows(lengths: tuple[int, ...], window: int, stride: int) -> Iterator[tuple[int, list[int]]]:
    """Source and frames of each window, in the order of a real `ConcatDataset`."""
    whole = ConcatDataset([Windowed(at, length, window, stride) for at, length in enumerate(lengths)])
    for at in range(len(whole)):
        yield whole[at]
