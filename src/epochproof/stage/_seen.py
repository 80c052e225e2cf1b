"""A dataset whose items tell which worker read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """Records `0 <= record < size`; an item is the record and the id of the worker that read it.

    `worker_info` is torch's `get_worker_info`; the main process counts as worker 0.
    """

    size: int
    worker_info: Callable[[], Any]

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, record: int) -> tuple[int, int]:
        if not 0 <= record < self.size:
            raise IndexError(record)
        info = self.worker_info()
        return record, 0 if info is None else info.id
