"""The real loader of an iterable dataset as people write it: `__iter__` deals, one `DataLoader` batches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

from epochproof.observe.real import Numbers, Read, Reader, Values, through
from epochproof.schedule.loader import Loader
from epochproof.stage._stage import Stage, Stream
from epochproof.stage.augment import Augment
from epochproof.stage.batch import Batch
from epochproof.stage.resume import Resume

_PATIENCE = 60
"""Seconds until a worker that does not answer is an error."""


def streamable(loader: Loader) -> bool:
    """Whether one `DataLoader` batches for all stages: nothing below its one `batch` acts on the records."""
    stages = _acting(loader)
    batches = [at for at, stage in enumerate(stages) if isinstance(stage, Batch)]
    return loader.iterable and batches in ([], [len(stages) - 1])


def _acting(loader: Loader) -> list[Stage]:
    return [each.stage for each in loader.stages if not isinstance(each.stage, Augment | Resume)]


class Streamed:
    """An `IterableDataset` in a `DataLoader`; `streamable` says whether there is one."""

    name = "DataLoader over an IterableDataset"

    def __init__(self, torch: Any, loader: Loader) -> None:
        self._torch, self._numbers = torch, Numbers(loader)
        stages = [each.stage for each in loader.stages]
        self._batch = next((at for at, each in enumerate(stages) if isinstance(each, Batch)), None)
        self._stages, self._persistent = stages, loader.persistent
        self._tail = next((each.tail for each in stages if isinstance(each, Batch)), None)

    def open(self, values: Values, rank: int, *, processes: bool = False) -> Callable[[int], Read]:
        """What `rank` reads in an epoch: one loader for all epochs; only processes are several workers."""
        dataset, loader = self.loader(values, rank, processes=processes)
        batched = loader.batch_size is not None

        first = self._numbers.start_epoch(values)

        def epoch(at: int) -> Read:
            dataset.epoch = first + at
            items = [each if batched else [each] for each in loader]
            groups = tuple(tuple(record for record, _ in each) for each in items)
            return Read(groups, len(groups), tuple(each[0][1] for each in items))

        return epoch

    def loader(
        self,
        values: Values,
        rank: int,
        *,
        processes: bool,
        item: Callable[[int], Any] | None = None,
        worker_init_fn: Callable[[int], None] | None = None,
    ) -> tuple[Any, Any]:
        """The dataset, whose `epoch` can be set, and the loader; `item` makes of a record what is yielded."""
        from epochproof.observe.lane_stream import LaneStream  # noqa: PLC0415 -- it imports torch at once

        workers = self._numbers.workers(values) if processes else 0
        options = self._numbers.options(values)
        batch = None if self._batch is None else options[self._batch]["n"]

        def lane(told: int, worker: int, count: int) -> Stream:
            stages = list(zip(self._stages, options, strict=True))[: self._batch]
            size, ranks = self._numbers.size(values), self._numbers.ranks(values)
            reader = Reader(rank, ranks, 0, told, worker, count)
            made, _ = through(self._torch, stages, size, reader)
            return _filled(made, batch) if batch and self._tail == "pad" else made

        dataset = LaneStream(lane, item)
        loader = self._torch.utils.data.DataLoader(
            dataset,
            batch_size=batch,
            drop_last=self._tail == "drop",
            num_workers=workers,
            persistent_workers=self._persistent and workers > 0,
            collate_fn=list,
            timeout=_PATIENCE if workers else 0,
            worker_init_fn=worker_init_fn,
        )
        return dataset, loader


def _filled(stream: Stream, size: int) -> Stream:
    """The stream with its last batch filled from its beginning, which no option of `DataLoader` does."""
    turns, missing = cycle(stream), -len(stream) % size if stream else 0
    return [*stream, *(next(turns) for _ in range(missing))]
