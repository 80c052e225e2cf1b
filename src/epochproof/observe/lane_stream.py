"""The dataset of an iterable loader: its `__iter__` asks torch which worker it is. Imports torch at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info

from epochproof.stage._stage import Stream


class LaneStream(IterableDataset):
    """Gives what `lane` says of an epoch, a worker and how many there are: what `item` makes of each record.

    Without `item` it is the record and the worker that read it.

    `epoch` is set in the main process: it reaches workers that are started afterwards.
    """

    def __init__(
        self, lane: Callable[[int, int, int], Stream], item: Callable[[int], Any] | None = None
    ) -> None:
        super().__init__()
        self.epoch, self._lane, self._item = 0, lane, item

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        for record in self._lane(self.epoch, worker, workers):
            yield (record, worker) if self._item is None else self._item(record)
