"""The loaders whose indices can be seen: torch's and torchdata's, alone or inside one that looks ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch.utils.data import IterableDataset

from epochproof.observe.tap import tappable

_AHEAD = "accelerate.data_loader.DataLoaderShard"
"""It asks for each batch before it hands out the one before."""


@dataclass(frozen=True)
class Tapped:
    """The `DataLoader` to tap.

    Args:
        loader: It.
        indexed: Whether its indices are those of the records.
        wrapped: Whether another loader iterates it, which hands out its batches in the same order.
        skipped: So many batches of a pass that one takes without handing them out.
    """

    loader: Any
    indexed: bool
    wrapped: bool = False
    skipped: int = 0


def inside(loader: Any) -> Tapped | None:
    """What to tap; `None` where the loader's batches need not be those that a `DataLoader` fetches."""
    kind = type(loader)  # not `__class__`: loaders of accelerate say they are of torch
    wrapped = f"{kind.__module__}.{kind.__name__}" == _AHEAD
    inner = loader.base_dataloader if wrapped else loader
    if not tappable(inner):
        return None
    indexed = not isinstance(inner.dataset, IterableDataset)
    return Tapped(inner, indexed, wrapped, loader.skip_batches if wrapped else 0)
