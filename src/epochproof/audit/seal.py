"""A journal made into a part of Parquet, row group by row group."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from epochproof.audit.journal import Frame, frames
from epochproof.audit.schema import Records, arrow_schema

GROUP = 2**17
"""The rows of a row group, at least: so many are in memory at a time."""

_DELTA = ("epoch", "rank", "worker", "step", "slot")


def seal(journal: Path, rank: int, target: Path, *, last: bool = True) -> int:
    """The rows of the journal, all of which are in the Parquet file `target` now; without rows there is none.

    The file appears at once and whole: it is written under another name, which begins with a dot.

    Raises:
        SpecError: E806: the journal is damaged.
        OSError: The file cannot be written.
    """
    from pyarrow import parquet  # noqa: PLC0415 -- a run that is killed never needs it

    made, rows, writer = target.with_name(f".{target.name}"), 0, None
    try:
        for group in _groups(frames(journal, last=last)):
            records: Records = "int64" if group[0].numbers is not None else "string"
            batch = _batch(group, rank, records)
            if writer is None:
                writer = parquet.ParquetWriter(made, batch.schema, **_options(records))
            writer.write_batch(batch)
            rows += batch.num_rows
    finally:
        if writer is not None:
            writer.close()
    if writer is not None:
        _safe(made)
        made.replace(target)
        _safe(target.parent)
    return rows


def _options(records: Records) -> dict[str, Any]:
    delta = (*_DELTA, "record") if records == "int64" else _DELTA
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": ["source", "clip"],
        "column_encoding": dict.fromkeys(delta, "DELTA_BINARY_PACKED"),
    }


def _safe(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)


def _groups(some: Iterable[Frame]) -> Iterator[list[Frame]]:
    group, rows = list[Frame](), 0
    for frame in some:
        if frame.rows:
            group.append(frame)
            rows += frame.rows
        if rows >= GROUP:
            yield group
            group, rows = [], 0
    if group:
        yield group


def _batch(group: Sequence[Frame], rank: int, records: Records) -> Any:
    import pyarrow as pa  # noqa: PLC0415 -- as above

    rows = sum(each.rows for each in group)
    slots = array("i", range(max(each.rows for each in group))).tobytes()

    def numbers(kind: pa.DataType, parts: Iterable[bytes]) -> pa.Array:
        return pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(b"".join(parts))])

    def repeated(kind: pa.DataType, code: str, values: Iterable[float]) -> pa.Array:
        return numbers(
            kind, (array(code, [value]).tobytes() * each.rows for value, each in zip(values, group))
        )

    def optional(name: str, kind: pa.DataType) -> pa.Array:
        if all(getattr(each, name) is None for each in group):
            return pa.nulls(rows, kind)
        return pa.array(
            [value for each in group for value in getattr(each, name) or [None] * each.rows], kind
        )

    record = (
        numbers(pa.int64(), (each.numbers for each in group))
        if records == "int64"
        else pa.array([text for each in group for text in each.texts], pa.string())
    )
    elapsed = pa.nulls(rows, pa.float64())
    if any(each.elapsed is not None for each in group):
        elapsed = pa.array([each.elapsed for each in group for _ in range(each.rows)], pa.float64())
    columns = [
        repeated(pa.int32(), "i", (each.epoch for each in group)),
        repeated(pa.int32(), "i", (rank for _ in group)),
        repeated(pa.int32(), "i", (each.worker for each in group)),
        repeated(pa.int64(), "q", (each.step for each in group)),
        numbers(pa.int32(), (slots[: 4 * each.rows] for each in group)),
        record,
        optional("source", pa.string()),
        optional("clip", pa.string()),
        optional("view", pa.int32()),
        optional("padded", pa.bool_()),
        elapsed,
    ]
    return pa.RecordBatch.from_arrays(columns, schema=arrow_schema(records))
