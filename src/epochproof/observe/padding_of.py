"""Which occurrences padding introduced, where the sampler is one of torch's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from epochproof.observe.tapped import Tapped
from epochproof.stage._stage import SINGLE, Here, Lane
from epochproof.stage.shard import RANK, Shard
from epochproof.term.as_int import as_int
from epochproof.term.node import number

_WITHOUT = ("SequentialSampler", "RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")
_OURS = ("torch.utils.data", "torchdata.stateful_dataloader")


@dataclass(frozen=True)
class Padding:
    """A rank's padding: its order, in batches of `batch`, is padding from `first` on; `None`: nowhere."""

    batch: int
    first: int | None

    @property
    def unpadded(self) -> float:
        """The batches before this one hold no padding."""
        return float("inf") if self.first is None else self.first // self.batch

    def of(self, at: int, rows: int) -> list[bool]:
        """For each record of batch `at` of an epoch whether it is padding."""
        start = at * self.batch
        return [self.first is not None and start + slot >= self.first for slot in range(rows)]


def padding_of(inner: Tapped) -> Padding | None:
    """The padding of a `DataLoader`; `None` where its sampler is not known, or batches have no order."""
    loader = inner.loader
    batches, sampler = loader.batch_sampler, loader.sampler
    if not inner.indexed:
        return None
    if not getattr(loader, "in_order", True) or not (batches is None or _own(batches, "BatchSampler")):
        return None
    size = 1 if batches is None else batches.batch_size
    if _own(sampler, *_WITHOUT):
        return Padding(size, None)
    if not _own(sampler, "DistributedSampler"):
        return None
    return Padding(size, None if sampler.drop_last else _unpadded(sampler))


def _unpadded(sampler: Any) -> int:
    """How many positions of the sampler's rank come before its padding, as the stage that it is says."""
    zero = number(0)
    lane = Lane(number(sampler.rank), number(sampler.num_replicas), zero, number(1), zero, zero)
    own = Shard(lanes=RANK, tail="pad").unpadded(Here(number(len(sampler.dataset)), lane, SINGLE))
    return int(as_int(own, ())())


def _own(held: object, *names: str) -> bool:
    return type(held).__name__ in names and type(held).__module__.startswith(_OURS)
