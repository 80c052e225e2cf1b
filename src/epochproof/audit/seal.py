"""A journal made into a part of Parquet, row group by row group."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from epochproof.audit.journal import Frame, frames
from epochproof.audit.schema import COLUMNS, arrow_schema

GROUP = 2**17
"""The rows of a row group, at least: so many are in memory at a time."""

_DELTA = ("epoch", "rank", "worker", "step", "slot")


def seal(journal: Path, rank: int, target: Path, *, last: bool = True) -> int:
    """The rows of the journal, all of which are in the Parquet file `target` now.

    The file appears at once and whole: it is written under another name, which begins with a dot.

    Raises:
        SpecError: E806: the journal is damaged.
        OSError: The file cannot be written.
    """
    from pyarrow import parquet  # noqa: PLC0415 -- a run that is killed never needs it

    made, rows, groups = target.with_name(f".{target.name}"), 0, _groups(frames(journal, last=last))
    first = next(groups, None)
    schema = arrow_schema("int64" if first is None or first[0].texts is None else "string")
    with parquet.ParquetWriter(made, schema, **_options(schema)) as writer:
        for group in () if first is None else chain([first], groups):
            writer.write_batch(_batch(group, rank, schema))
            rows += sum(each.rows for each in group)
    _safe(made)
    made.replace(target)
    _safe(target.parent)
    return rows


def _options(schema: Any) -> dict[str, Any]:
    texts = str(schema.field("record").type) == "string"
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": ["source", "clip"],
        "column_encoding": dict.fromkeys(_DELTA if texts else (*_DELTA, "record"), "DELTA_BINARY_PACKED"),
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


def _batch(group: Sequence[Frame], rank: int, schema: Any) -> Any:
    """The rows of the frames, as a record batch of Arrow."""
    import pyarrow as pa  # noqa: PLC0415 -- as above

    ends = list(accumulate(each.rows for each in group))
    slots = array("i", range(max(each.rows for each in group))).tobytes()
    columns = {
        "rank": pa.repeat(pa.scalar(rank, pa.int32()), ends[-1]),
        "slot": _of_bytes(pa.int32(), (slots[: 4 * each.rows] for each in group)),
        "record": _numbers(group) if group[0].texts is None else _listed(group, "texts", pa.string()),
        "padded": _padded(group),
    }
    for name in ("epoch", "worker", "step", "elapsed"):
        columns[name] = _repeated([getattr(each, name) for each in group], ends, schema.field(name).type)
    for name in ("source", "clip", "view"):
        columns[name] = _listed(group, name, schema.field(name).type)
    return pa.RecordBatch.from_arrays([columns[each.name] for each in COLUMNS], schema=schema)


def _of_bytes(kind: Any, parts: Iterable[bytes]) -> Any:
    import pyarrow as pa  # noqa: PLC0415 -- as above

    held = b"".join(parts)
    return pa.Array.from_buffers(kind, len(held) * 8 // kind.bit_width, [None, pa.py_buffer(held)])


def _numbers(group: Sequence[Frame]) -> Any:
    """The record ids that are numbers; those of four bytes are made as wide as the others."""
    import pyarrow as pa  # noqa: PLC0415 -- as above

    held = [(each.numbers or b"", each.rows) for each in group]
    if all(len(each) == 4 * rows for each, rows in held):
        return _of_bytes(pa.uint32(), (each for each, _ in held)).cast(pa.int64())
    wide = (each if len(each) == 8 * rows else array("q", array("I", each)).tobytes() for each, rows in held)
    return _of_bytes(pa.int64(), wide)


def _repeated(values: list[Any], ends: list[int], kind: Any) -> Any:
    """Each frame's value once for each of its rows, of which the last ends at `ends`."""
    import pyarrow as pa  # noqa: PLC0415 -- as above
    from pyarrow import compute  # noqa: PLC0415 -- as above

    if all(each is None for each in values):
        return pa.nulls(ends[-1], kind)
    runs = pa.RunEndEncodedArray.from_arrays(pa.array(ends, pa.int32()), pa.array(values, kind))
    return compute.run_end_decode(runs)


def _listed(group: Sequence[Frame], name: str, kind: Any) -> Any:
    """A column of which frames hold a value for each row, or nothing."""
    import pyarrow as pa  # noqa: PLC0415 -- as above

    held = [getattr(each, name) for each in group]
    if all(each is None for each in held):
        return pa.nulls(sum(each.rows for each in group), kind)
    rows = [each or [None] * frame.rows for each, frame in zip(held, group, strict=True)]
    return pa.array([value for each in rows for value in each], kind)


def _padded(group: Sequence[Frame]) -> Any:
    import pyarrow as pa  # noqa: PLC0415 -- as above

    if all(each.padded is False for each in group):
        return pa.repeat(pa.scalar(False), sum(each.rows for each in group))  # noqa: FBT003 -- its value
    whole = [each._replace(padded=each.padded or [each.padded] * each.rows) for each in group]  # type: ignore[list-item]  # of one row each
    return _listed(whole, "padded", pa.bool_())
