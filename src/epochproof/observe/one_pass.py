"""One pass over a recorded loader: each batch is written before it is handed out."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from time import monotonic
from typing import Any, Self

from epochproof.audit.journal import PADDED, Batch, body, packer
from epochproof.audit.writer import Writer
from epochproof.diagnostics import fail
from epochproof.observe.columns_of import Columns
from epochproof.observe.padding_of import Padding
from epochproof.observe.tap import Fetched, Queue

UNTOLD = Fetched(-1, None, -1, None)
"""What is known of a batch that no tapped iterator fetched."""


class Rows:
    """Writes what batches hold.

    Args:
        writer: Where to.
        columns: What to ask a batch for.
        started: When `elapsed` is 0; `None` where it is not recorded.
    """

    def __init__(self, writer: Writer, columns: Columns, started: float | None) -> None:
        self._writer, self._columns, self._started = writer, columns, started
        self._plain, self._texts = columns.none and started is None, False
        self.padding: Padding | None = None

    def put(self, epoch: int, step: int, data: Any, fetched: Fetched) -> None:
        """Writes one batch.

        Args:
            epoch: Of this pass.
            step: Of this rank and epoch.
            data: What the columns are asked of.
            fetched: What its iterator told.

        Raises:
            SpecError: E803: the disk is full. E809: the batch does not say what it holds.
        """
        worker, indices, at, _ = fetched
        padded, known = None, self.padding is not None
        if self.padding is not None:
            padded = self.padding.of(at, len(indices) if type(indices) is list else 1)
        if self._plain and padded is None and type(indices) is list:
            rows, flags = len(indices), PADDED if known else 0
            try:
                packed = packer(rows, unpadded=known).pack(epoch, worker, step, rows, flags, 0.0, *indices)
            except struct.error:
                pass  # not whole numbers, or not all of them
            else:
                self._writer.put(packed, rows)
                return
        elapsed = None if self._started is None else monotonic() - self._started
        told = self._columns.batch(
            data, indices, Batch(epoch, worker, step, (), padded=padded, elapsed=elapsed)
        )
        self._writer.put(body(self._one_kind(told)), len(told.records))

    def rest(self) -> None:
        """Lets the writer tidy up: a pass is over."""
        self._writer.rest()

    def _one_kind(self, told: Batch) -> Batch:
        """The batch, whose ids are of the kind that all others have."""
        if told.records:
            texts = isinstance(told.records[0], str)
            if self._writer.rows and texts != self._texts:
                kinds = ("texts", "numbers") if texts else ("numbers", "texts")
                where = f"epoch {told.epoch}, step {told.step}"
                raise fail(
                    "E809", f"record ids are {kinds[0]} here and were {kinds[1]} before ({where})", None
                )
            self._texts = texts
            self._plain = self._plain and not texts
        return told


class Pass:
    """Hands out the batches of `iterator`, and nothing else: it keeps none of them.

    Args:
        iterator: The loader's own.
        queue: What a tapped iterator tells; `None` where none is tapped.
        rows: What writes.
        epoch: Of this pass.
        step: Of its first batch.
        skipped: So many batches are fetched before it and not handed out.
    """

    def __init__(
        self, iterator: Iterator[Any], queue: Queue | None, rows: Rows, epoch: int, step: int, skipped: int
    ) -> None:
        self._iterator, self._queue, self._rows = iterator, queue, rows
        self._epoch, self._step, self._skipped = epoch, step, skipped

    def __iter__(self) -> Self:
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._iterator, name)

    def __len__(self) -> int:
        return len(self._iterator)  # type: ignore[arg-type]  # torch's iterators have a length

    def __next__(self) -> Any:
        try:
            batch = next(self._iterator)
        except StopIteration:
            self._rows.rest()
            raise
        queue = self._queue
        if queue is None:
            self._rows.put(self._epoch, self._step, batch, UNTOLD)
        else:
            while self._skipped:
                queue.popleft()
                self._skipped -= 1
            fetched = queue.popleft()
            self._rows.put(self._epoch, self._step, batch if fetched.data is None else fetched.data, fetched)
        self._step += 1
        return batch
