"""One pass over a recorded loader: each batch is written before it is handed out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Self

from epochproof.audit.journal import NARROW, UNPADDED, Batch, body, narrow
from epochproof.audit.writer import Writer
from epochproof.observe.columns_of import Columns
from epochproof.observe.padding_of import Padding
from epochproof.observe.tap import Tap

UNKNOWN = -1
"""The worker of a batch that nobody told about."""


@dataclass(frozen=True)
class Setting:
    """What all passes over a loader have in common.

    Args:
        writer: Where rows go.
        columns: What a batch is asked for.
        started: When `elapsed` is 0; `None` where it is not recorded.
    """

    writer: Writer
    columns: Columns
    started: float | None


class Rows:
    """Writes what the batches of one pass hold; listens to a tapped iterator.

    Args:
        owner: What must live as long as the pass.
        setting: What all passes share.
        padding: What the sampler tells about padding.
        epoch: Of this pass.
        step: Of its first batch.
    """

    def __init__(
        self, owner: object, setting: Setting, padding: Padding | None, epoch: int, step: int
    ) -> None:
        self._owner, self._setting, self._writer = owner, setting, setting.writer
        self._padding, self._epoch, self._step = padding, epoch, step
        self._flags = NARROW if padding is None else NARROW | UNPADDED
        self._unpadded = float("inf") if padding is None else padding.unpadded
        self._plain = setting.columns.none and setting.started is None
        self._packs: dict[int, Any] = {}

    def fetched(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Writes one batch.

        Raises:
            SpecError: E803: the disk is full. E809: the batch does not say what it holds.
        """
        if not self._plain or at >= self._unpadded or type(indices) is not list:
            self._asked(worker, indices, at, data)
            return
        rows, step = len(indices), self._step
        pack = self._packs.get(rows) or self._pack(rows)
        try:
            packed = pack(self._epoch, worker, step, rows, self._flags, 0.0, *indices)
        except Exception:  # noqa: BLE001 -- `struct.error`, or what an index of any kind raises
            self._asked(worker, indices, at, data)
            return
        self._writer.put(packed)
        self._step = step + 1

    def over(self) -> None:
        """Lets the writer tidy up."""
        self._writer.rest()

    def _pack(self, rows: int) -> Any:
        if len(self._packs) > 64:
            self._packs.clear()
        self._writer.refuse_other("int64")
        found = self._packs[rows] = narrow(rows).pack
        return found

    def _asked(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Writes a batch of any kind."""
        started = self._setting.started
        elapsed = None if started is None else monotonic() - started
        told = self._setting.columns.batch(
            data, indices, Batch(self._epoch, worker, self._step, (), elapsed=elapsed)
        )
        if self._padding is not None and told.padded is None:
            told = replace(told, padded=self._padding.of(at, len(told.records)))
        if told.records:
            self._writer.refuse_other("string" if isinstance(told.records[0], str) else "int64")
        self._writer.put(body(told))
        self._step += 1


class Ahead:
    """What a tapped iterator told and the loader around it has not handed out yet.

    Args:
        keeps: Whether the batches themselves are wanted: that loader may have moved what it hands out.
    """

    def __init__(self, *, keeps: bool) -> None:
        self._keeps, self._told = keeps, deque[tuple[int, Any, int, Any]]()

    def fetched(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Keeps it."""
        self._told.append((worker, indices, at, data if self._keeps else None))

    def over(self) -> None:
        """The loader around it knows."""

    def next(self) -> tuple[int, Any, int, Any]:
        """What was told first."""
        return self._told.popleft()


class Pass:
    """Hands out the batches of an iterator that is not tapped itself; it keeps none of them.

    Args:
        iterator: The loader's own.
        rows: What writes.
        around: The tap of a loader inside, and how many of its batches are not handed out; else `None`.
        keeps: Whether rows need the batches of that loader.
    """

    def __init__(
        self, iterator: Iterator[Any], rows: Rows, around: tuple[Tap, int] | None, *, keeps: bool
    ) -> None:
        self._iterator, self._rows, self._ahead = iterator, rows, Ahead(keeps=keeps)
        self._tap, self._skipped = around or (None, 0)
        self._inside = self._tap is not None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        if self._tap is not None:
            self._tap.listener = self._ahead
        try:
            batch = next(self._iterator)
        except StopIteration:
            self._rows.over()
            raise
        finally:
            if self._tap is not None:  # further passes have listeners of their own
                self._tap.listener, self._tap = None, None
        told: tuple[int, Any, int, Any] = (UNKNOWN, None, UNKNOWN, None)
        if self._inside:
            while self._skipped:
                self._ahead.next()
                self._skipped -= 1
            told = self._ahead.next()
        worker, indices, at, data = told
        self._rows.fetched(worker, indices, at, batch if data is None else data)
        return batch
