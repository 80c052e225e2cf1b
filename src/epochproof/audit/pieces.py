"""The record ids of a trace in the order in which each rank read them, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from epochproof.audit.trace import Segment, Trace
from epochproof.diagnostics import fail

_AT_ONCE = 65_536


@dataclass(frozen=True)
class Piece:
    """Records that one rank read in one epoch, one after the other: numbers, or ids as texts."""

    epoch: int
    rank: int
    records: tuple[int | str, ...]


def pieces(trace: Trace) -> Iterator[Piece]:
    """All that was read: rank by rank, each from its first segment to its last.

    Raises:
        SpecError: E806: a part is damaged.
    """
    for segment in trace.segments:
        yield from _of_segment(segment)


def _of_segment(segment: Segment) -> Iterator[Piece]:
    import pyarrow as pa  # noqa: PLC0415 -- loaded where a trace is opened
    from pyarrow import parquet  # noqa: PLC0415 -- as above

    for path in segment.files:
        try:
            with parquet.ParquetFile(path) as file:
                for batch in file.iter_batches(_AT_ONCE, columns=["epoch", "record"]):
                    rows = zip(*(batch.column(each).to_pylist() for each in ("epoch", "record")), strict=True)
                    for epoch, some in groupby(rows, key=lambda row: row[0]):
                        yield Piece(epoch, segment.about.rank, tuple(record for _, record in some))
        except (pa.ArrowException, OSError):
            raise fail("E806", f"`{path}` cannot be read: it is damaged", None) from None
