"""The rows of a trace, version 1: one row is one occurrence, as `spec/trace.md` defines it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = "epochproof/trace/1"

Records = Literal["int64", "string"]
"""The types that record ids may have; a trace has one of them."""


@dataclass(frozen=True)
class Column:
    """One column: its name, the name of its Arrow type, and whether a row may leave it open."""

    name: str
    type: str
    nullable: bool


COLUMNS = (
    Column("epoch", "int32", nullable=False),
    Column("rank", "int32", nullable=False),
    Column("worker", "int32", nullable=False),
    Column("step", "int64", nullable=False),
    Column("slot", "int32", nullable=False),
    Column("record", "int64", nullable=False),  # or string: see `Records`
    Column("source", "string", nullable=True),
    Column("clip", "string", nullable=True),
    Column("view", "int32", nullable=True),
    Column("padded", "bool", nullable=True),
    Column("elapsed", "float64", nullable=True),
)


def arrow_schema(records: Records) -> pa.Schema:
    """The schema of a Parquet part whose record ids have the type `records`."""
    import pyarrow as pa  # noqa: PLC0415 -- a run that only writes its journal does without

    kinds = {"bool": pa.bool_()}
    return pa.schema(
        [
            pa.field(
                each.name,
                pa.type_for_alias(records) if each.name == "record" else kinds.get(each.type) or each.type,
                nullable=each.nullable,
            )
            for each in COLUMNS
        ],
        metadata={"schema": VERSION},
    )
