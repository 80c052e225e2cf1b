"""Traces as lists, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyarrow import parquet

from epochproof.audit.trace import open_trace
from epochproof.diagnostics import SpecError

PLACE = ("epoch", "worker", "step", "slot", "record")


def rows(folder: Path, *columns: str, every_rank: bool = True) -> list[tuple[Any, ...]]:
    """The rows of a trace in their order: `PLACE`, or the columns that are named."""
    names = list(columns or PLACE)
    with open_trace(folder, every_rank=every_rank) as trace:
        tables = [parquet.read_table(file, columns=names, partitioning=None) for file in trace.files]
    return [tuple(row[name] for name in names) for table in tables for row in table.to_pylist()]


def steps(folder: Path) -> list[tuple[int, int, tuple[Any, ...]]]:
    """Each batch of a trace: its epoch, its step, and its records."""
    found: dict[tuple[int, int], list[Any]] = {}
    for epoch, step, record in rows(folder, "epoch", "step", "record"):
        found.setdefault((epoch, step), []).append(record)
    return [(epoch, step, tuple(records)) for (epoch, step), records in found.items()]


def told(error: SpecError) -> tuple[str, str]:
    """The code of an error, and what it says."""
    (diagnostic,) = error.diagnostics
    return diagnostic.code, diagnostic.message
