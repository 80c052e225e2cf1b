"""The rows of a trace in one table: where each occurrence was read, and the record as a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import ibis

from epochproof.audit.engine import Engine
from epochproof.audit.schema import arrow_schema
from epochproof.audit.trace import Trace

UNKNOWN = -1
"""The number of a record whose name no manifest has."""


def rows_of(engine: Engine, trace: Trace, names: Any | None = None) -> Any:
    """The rows of a trace.

    Args:
        engine: Where queries run.
        trace: An opened trace.
        names: The number (`item`) of each record's `name`, where records have names.

    Returns:
        Columns `segment`, `epoch`, `rank`, `worker`, `step`, `slot`, `record`, `padded`, `elapsed`, `source`
        and `clip`; with names also the `name` of the record.
    """
    tables = [
        _normal(engine.parquet(*files), segment) for segment, files in by_segment(trace).items() if files
    ]
    tables = tables or [_normal(engine.table(arrow_schema(trace.records).empty_table()), 0)]
    rows = ibis.union(*tables, distinct=False) if len(tables) > 1 else tables[0]
    if trace.records == "int64":
        return rows
    rows = rows.rename(name="record")
    if names is None:
        return rows.mutate(record=ibis.literal(UNKNOWN, type="int64"))
    named = rows.left_join(names, rows.name == names.name)
    columns = [rows[each] for each in rows.columns]
    return engine.view(named.select(*columns, record=named.item.coalesce(UNKNOWN).cast("int64")))


def by_segment(trace: Trace) -> Mapping[int, Sequence[Path]]:
    """The files of each segment, of all ranks."""
    found = sorted(trace.segments, key=lambda each: each.about.segment)
    return {
        segment: [file for each in group for file in each.files]
        for segment, group in groupby(found, key=lambda each: each.about.segment)
    }


def _normal(table: Any, segment: int) -> Any:
    numbers = {name: table[name].cast("int64") for name in ("epoch", "rank", "worker", "step", "slot")}
    others = {name: table[name] for name in ("record", "padded", "elapsed", "source", "clip")}
    return table.select(segment=ibis.literal(segment, type="int64"), **numbers, **others)
