"""What a column must hold to play its role: the types it may have, and what each row must satisfy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.diagnostics import Diagnostic, SpecError, fail
from epochproof.manifest._table import Table, shown
from epochproof.manifest.pin import Column

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_UNSIGNED = tuple(f"U{each}" for each in _WHOLE)
_FLOATS = ("FLOAT", "DOUBLE")
_NUMBERS = (*_WHOLE, *_UNSIGNED, *_FLOATS, "DECIMAL", "VARCHAR")
_KEYS = (
    *_WHOLE,
    *_UNSIGNED,
    "DECIMAL",
    "VARCHAR",
    "ENUM",
    "UUID",
    "BLOB",
    "BOOLEAN",
    "DATE",
    "TIME",
    "TIMESTAMP",
)


LONGEST = 10**15
"""A source has so many frames at most."""


@dataclass(frozen=True)
class Check:
    """What each row must satisfy: `holds`, in SQL over the columns by their roles; else it holds `wrong`."""

    code: str
    columns: tuple[Column, ...]
    holds: str
    wrong: str
    cure: str


def refuse_types(table: Table, columns: Mapping[str, Column]) -> None:
    """Refuses columns whose types do not fit their roles."""
    wrong = tuple(each for role, column in columns.items() for each in _misfit(table, role, column))
    if wrong:
        raise SpecError(wrong)


def _misfit(table: Table, role: str, column: Column) -> tuple[Diagnostic, ...]:
    kind = table.type_of(column)
    number = role in ("weight", "start", "end", "lengths")
    plain = kind.split("(")[0].split(" ")[0].split("_")[0]
    if not kind.endswith("]") and plain in (_NUMBERS if number else _KEYS):
        return ()
    return fail(
        "E607",
        f"column `{shown(column.name)}` of `{table.path}` has type `{shown(kind.lower())}`",
        column.span,
        help="name a column of numbers"
        if number
        else "name a column of texts, whole numbers, dates or the like",
    ).diagnostics


def checks(table: Table, columns: Mapping[str, Column]) -> list[Check]:
    """What each row must satisfy, as far as the columns are named."""
    found = []
    for role in ("id", "groups", "source"):
        if role in columns:
            filled = f"\"{role}\" <> ''" if table.type_of(columns[role]) == "VARCHAR" else "true"
            cure = "give each row a value there, or name another column"
            found.append(
                Check("E608", (columns[role],), f'("{role}" IS NOT NULL AND {filled})', "nothing", cure)
            )
    if "weight" in columns:
        # `isfinite` first: the statistics of a Parquet file, by which comparisons are pruned, know no NaN.
        value = "TRY_CAST(weight AS DOUBLE)"
        holds = f"coalesce(isfinite({value}) AND {value} >= 0, false)"
        cure = "a weight is a finite number, 0 or more"
        found.append(Check("E610", (columns["weight"],), holds, "no weight", cure))
    if "lengths" in columns:
        holds = f"coalesce({length(table, columns['lengths'])} BETWEEN 0 AND {LONGEST}, false)"
        cure = f"a length is a whole number from 0 to {LONGEST:_}"
        found.append(Check("E616", (columns["lengths"],), holds, "no length", cure))
    if "start" in columns:
        holds = f"coalesce({bound(table, columns, 'start')} <= {bound(table, columns, 'end')}, false)"
        cure = "both ends are finite numbers, and an interval ends where it starts, or later"
        ends = (columns["start"], columns["end"])
        found.append(Check("E611", ends, holds, "no interval", cure))
    return found


def length(table: Table, column: Column, role: str = "lengths") -> str:
    """A length in SQL, or null where it is no whole number; of floats and texts, 300.0 is one."""
    kind = table.type_of(column)
    if kind == "VARCHAR":
        whole = f"""regexp_extract("{role}", '^\\s*\\+?([0-9]+)(\\.0*)?\\s*$', 1)"""
        return f"TRY_CAST({whole} AS BIGINT)"
    if kind in _FLOATS or kind.startswith("DECIMAL"):
        return f'CASE WHEN "{role}" = floor("{role}") THEN TRY_CAST("{role}" AS BIGINT) END'
    return f'TRY_CAST("{role}" AS BIGINT)'


def bound(table: Table, columns: Mapping[str, Column], role: str) -> str:
    """An end of an interval in SQL, or null where it is no finite number.

    Floats stay as they are; others, texts too, are read exactly, to nine decimals.
    """
    kinds = {table.type_of(columns[each]) for each in ("start", "end")}
    if kinds & {*_FLOATS}:
        return f'CASE WHEN isfinite(TRY_CAST("{role}" AS DOUBLE)) THEN TRY_CAST("{role}" AS DOUBLE) END'
    return f'TRY_CAST("{role}" AS DECIMAL(38, 9))'
