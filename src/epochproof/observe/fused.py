"""The real loader as people write it: one `DataLoader` around one `DistributedSampler`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from epochproof.observe.real import Numbers, Read, Values
from epochproof.schedule.loader import Loader
from epochproof.stage._seen import Seen
from epochproof.stage._stage import Stage
from epochproof.stage.augment import Augment
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.stage.resume import Resume
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle

_PATIENCE = 60
"""Seconds until a worker that does not answer is an error."""

_ORDER: tuple[type[Stage], ...] = (Shuffle, Shard, Batch, Fetch)


Kinds = tuple[Callable[..., Any], Callable[..., Any]]
"""What makes a loader, and what makes its sampler."""


def fusable(loader: Loader) -> bool:
    """Whether one `DataLoader` with a `DistributedSampler` says all that the stages say."""
    stages = [each.stage for each in loader.stages if not isinstance(each.stage, Augment | Resume)]
    at = [next((n for n, kind in enumerate(_ORDER) if isinstance(each, kind)), -1) for each in stages]
    return not loader.iterable and -1 not in at and at == sorted(set(at)) and all(map(_plain, stages))


def _plain(stage: Stage) -> bool:
    match stage:
        case Shuffle():
            return stage.shared
        case Shard():
            return stage.layout == "strided" and stage.tail != "uneven"
        case Batch():
            return stage.tail != "pad"
        case _:
            return True


class Fused:
    """The one object that stands for all stages; `fusable` says whether there is one."""

    name = "DataLoader"

    def __init__(self, torch: Any, loader: Loader) -> None:
        self._data, self._numbers = torch.utils.data, Numbers(loader)
        self._stages = [each.stage for each in loader.stages]
        self._batched = any(isinstance(each, Batch) for each in self._stages)

    def open(self, values: Values, rank: int, *, processes: bool = False) -> Callable[[int], Read]:
        """What `rank` reads in an epoch: one loader for all epochs, told each epoch by `set_epoch`."""
        set_epoch, loader = self.loader(values, rank, processes=processes)

        def epoch(at: int) -> Read:
            set_epoch(at)
            return self.read(loader)

        return epoch

    def read(self, batches: Iterable[Any]) -> Read:
        """The batches of the loader as records."""
        items = [each if self._batched else [each] for each in batches]
        groups = tuple(tuple(record for record, _ in each) for each in items)
        return Read(groups, len(groups), tuple(each[0][1] for each in items))

    def loader(
        self, values: Values, rank: int, *, processes: bool, kinds: Kinds | None = None
    ) -> tuple[Callable[[int], None], Any]:
        """The loader, and what tells it the epoch; `kinds` are torch's own if `None`."""
        make, sample = kinds or (self._data.DataLoader, self._data.DistributedSampler)
        size, ranks = self._numbers.size(values), self._numbers.ranks(values)
        options = {
            type(stage): (stage, given)
            for stage, given in zip(self._stages, self._numbers.options(values), strict=True)
        }
        shuffle, seed = options.get(Shuffle, (None, {}))
        shard, _ = options.get(Shard, (None, {}))
        batch, batching = options.get(Batch, (None, {}))
        fetch, fetching = options.get(Fetch, (None, {}))
        workers = fetching.get("workers", 0) if processes else 0
        dataset = Seen(size, self._data.get_worker_info)
        sampler = sample(
            dataset,
            num_replicas=ranks if shard else 1,
            rank=rank if shard else 0,
            shuffle=shuffle is not None,
            seed=seed.get("seed", 0),
            drop_last=isinstance(shard, Shard) and shard.tail == "drop",
        )
        loader = make(
            dataset,
            batch_size=batching.get("n"),
            sampler=sampler,
            drop_last=isinstance(batch, Batch) and batch.tail == "drop",
            num_workers=workers,
            prefetch_factor=fetching["prefetch"] if workers else None,
            persistent_workers=bool(workers) and isinstance(fetch, Fetch) and fetch.persistent,
            collate_fn=list,
            timeout=_PATIENCE if workers else 0,
        )
        again = isinstance(shuffle, Shuffle) and shuffle.reseed == "epoch"
        first = self._numbers.start_epoch(values)
        return lambda at: sampler.set_epoch(first + at if again else 0), loader
