"""One pass over a recorded loader: each batch is written before it is handed out."""

from __future__ import annotations

import struct
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

MOST_SIZES = 64
"""So many sizes of batches are kept ready."""

UNTOLD: tuple[int, Any, int, Any] = (-1, None, -1, None)
"""What is known of a batch that nobody told about."""


@dataclass(frozen=True)
class Setting:
    """What all passes over a loader have in common.

    Args:
        writer: Where rows go.
        columns: What a batch is asked for.
        started: When `elapsed` is 0; `None` where it is not recorded.
        batched: Whether the loader makes the batches; else each index is the key of a batch of its own.
    """

    writer: Writer
    columns: Columns
    started: float | None
    batched: bool = True


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
        plain = setting.columns.none and setting.started is None and setting.batched
        unpadded = float("inf") if padding is None else padding.unpadded
        self._plain = unpadded if plain else 0  # batches before this one are whole numbers, and no padding
        self._packs: dict[int, Any] = {}

    def fetched(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Writes one batch.

        Raises:
            SpecError: E803: the disk is full. E809: the batch does not say what it holds.
        """
        if at >= self._plain:
            self._asked(worker, indices, at, data)
            return
        step = self._step
        try:
            rows = len(indices)
            packed = self._packs[rows](self._epoch, worker, step, rows, self._flags, 0.0, *indices)
        except (KeyError, struct.error, TypeError, OverflowError):
            self._asked(worker, indices, at, data)
            return
        if not self._writer.part.put(packed):
            self._writer.put(packed)
        self._step = step + 1

    def over(self) -> None:
        """Lets the writer tidy up."""
        self._writer.rest()

    def _asked(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Writes a batch of any kind."""
        if type(indices) is tuple and not self._setting.batched:
            indices = [indices]  # the key of one record
        started = self._setting.started
        elapsed = None if started is None else monotonic() - started
        told = self._setting.columns.batch(
            data, indices, Batch(self._epoch, worker, self._step, (), elapsed=elapsed)
        )
        if self._padding is not None and told.padded is None:
            told = replace(told, padded=self._padding.of(at, len(told.records)))
        texts = bool(told.records) and isinstance(told.records[0], str)
        if told.records:
            self._writer.refuse_other("string" if texts else "int64")
        self._writer.put(body(told))
        self._step += 1
        if told.records and not texts and len(self._packs) < MOST_SIZES:
            # Further batches of this size are tried without a look; texts do not pack.
            self._packs[len(told.records)] = narrow(len(told.records)).pack


class Ahead:
    """What a tapped iterator told of batches that the loop has not got yet; listens to it.

    Args:
        keeps: Whether the batches themselves are wanted: who looks ahead may move them elsewhere, too.
        skipped: So many batches are fetched first and never handed out.
    """

    def __init__(self, *, keeps: bool, skipped: int = 0) -> None:
        self._keeps, self._skipped = keeps, skipped
        self._told = deque[tuple[int, Any, int, Any]]()

    def fetched(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """Keeps it."""
        self._told.append((worker, indices, at, data if self._keeps else None))

    def over(self) -> None:
        """Whoever looks ahead knows."""

    def next(self) -> tuple[int, Any, int, Any]:
        """What was told first of a batch that is handed out."""
        while self._skipped:
            self._told.popleft()
            self._skipped -= 1
        return self._told.popleft() if self._told else UNTOLD

    def clear(self, *, skipped: int = 0) -> None:
        """Forgets what was told."""
        self._told.clear()
        self._skipped = skipped


class Pass:
    """Hands out the batches of an iterator that is not tapped itself; it keeps none of them.

    Args:
        iterator: The loader's own.
        rows: What writes.
        tap: Of the loader inside, if there is one.
        ahead: What that one is to tell.
    """

    def __init__(self, iterator: Iterator[Any], rows: Rows, tap: Tap | None, ahead: Ahead) -> None:
        self._iterator, self._rows, self._tap, self._ahead = iterator, rows, tap, ahead

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
        worker, indices, at, data = self._ahead.next()
        self._rows.fetched(worker, indices, at, batch if data is None else data)
        return batch
