"""Where two parts of a manifest meet: in a value of a key, or in intervals of one source that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from epochproof.diagnostics import SpecError, fail
from epochproof.manifest._parts import SIDES, check_parts
from epochproof.manifest._roles import bound, refuse_types
from epochproof.manifest._table import Table, opened, shown
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column

_NAMED = 3
"""So many pairs are named."""

_NANO = 10**9


@dataclass(frozen=True)
class Pair:
    """A record of each part, and what they share: the value of the key, or the source (empty without one).

    `intervals` holds start and end of both records where the leak is an overlap; texts as in the manifest.
    """

    one: int
    other: int
    shared: str
    intervals: tuple[tuple[str, str], tuple[str, str]] | None = None


@dataclass(frozen=True)
class Leaks:
    """How often two parts meet, and the first pairs of records that show it."""

    count: int
    pairs: tuple[Pair, ...]


def shared_keys(manifest: Manifest, assignment: Column, parts: tuple[str, str], key: Column) -> Leaks:
    """The values of a key that occur in both parts; `count` counts values.

    Args:
        manifest: Where the records stand.
        assignment: The column that names the part of each record.
        parts: One part and the other.
        key: The column whose values may not occur in both.

    Raises:
        SpecError: A column is missing or unfit, a part has no record, or a record of one has no key.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        check_parts(table, assignment, parts)
        columns = {"part": assignment, '"key"': key}
        refuse_types(table, {"key": key})
        meeting, missing = table.ask(
            "SELECT count(*) FILTER (WHERE one AND other AND NOT missing), bool_or(missing) FROM"
            ' (SELECT bool_or(side = 1) AS one, bool_or(side = 2) AS other, "key" IS NULL AS missing'
            f' FROM ({_sided(table.rows(columns))}) WHERE side > 0 GROUP BY "key")',
            parts,
        )[0]
        if missing:
            raise _no_key(table, key, columns, parts)
        return Leaks(meeting, tuple(_first_keys(table, columns, parts)) if meeting else ())


def overlaps(
    manifest: Manifest, assignment: Column, parts: tuple[str, str], *, margin: Fraction | int = 0
) -> Leaks:
    """The records of the other part that overlap one of the first part, in the same source, counted.

    Intervals are half-open, and an empty one overlaps nothing.
    With a margin, two intervals that lie less than the margin apart overlap, too.

    Raises:
        SpecError: The manifest has no intervals, a column is missing or unfit, or a part has no record.
    """
    ends = {each.role: each for each in manifest.pin.columns if each.role in ("start", "end", "source")}
    if "start" not in ends:
        cure = "name the columns of both ends: `start = …` and `end = …`"
        raise fail("E614", f"dataset `{manifest.pin.dataset}` has no intervals", manifest.pin.span, help=cure)
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        check_parts(table, assignment, parts)
        columns = {"part": assignment, **{f'"{role}"': column for role, column in ends.items()}}
        spans = _spans(table, ends, Fraction(margin))
        meeting = _MEETING.format(spans=spans.format(rows=_sided(table.rows(columns))))
        count = table.ask(f"SELECT count(*) FROM ({meeting})", parts)[0][0]
        return Leaks(count, tuple(_first_overlaps(table, columns, parts, spans)) if count else ())


def _sided(rows: str) -> str:
    """The rows, each with its side: 1 or 2 for one part and the other, else 0."""
    return f"SELECT *, {SIDES} AS side FROM ({rows})"


def _no_key(table: Table, key: Column, columns: Mapping[str, Column], parts: tuple[str, str]) -> SpecError:
    rows = _sided(table.rows(columns, numbered=True))
    row = table.ask(f'SELECT min(row) FROM ({rows}) WHERE side > 0 AND "key" IS NULL', parts)[0][0]
    return fail(
        "E608",
        f"column `{shown(key.name)}` of `{table.path}` holds nothing in row {row + 1:_}",
        key.span,
        help="give each row a value there, or name another column",
    )


def _first_keys(table: Table, columns: Mapping[str, Column], parts: tuple[str, str]) -> Iterator[Pair]:
    """For each of the first values that both parts have, the first record of each part."""
    found = table.ask(
        "SELECT min(row) FILTER (WHERE side = 1) AS one, min(row) FILTER (WHERE side = 2) AS other,"
        f' CAST("key" AS VARCHAR) FROM ({_sided(table.rows(columns, numbered=True))}) WHERE side > 0'
        ' GROUP BY "key" HAVING one IS NOT NULL AND other IS NOT NULL'
        f" ORDER BY least(one, other) LIMIT {_NAMED}",
        parts,
    )
    for one, other, value in found:
        yield Pair(one, other, value)


# Of two intervals that overlap, the later one starts before the earlier one ends. So an interval meets the
# first part if an end there lies beyond its start, among those that start no later, or a start before its
# end, among the rest.
_MEETING = """
SELECT * FROM (
  SELECT *,
    max(CASE WHEN side = 1 THEN high END) OVER before AS latest,
    min(CASE WHEN side = 1 THEN low END) OVER after AS earliest
  FROM ({spans})
  WINDOW before AS (PARTITION BY whence ORDER BY low RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
    after AS (PARTITION BY whence ORDER BY low RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
) WHERE side = 2 AND (latest > low OR earliest < high)"""


def _spans(table: Table, ends: Mapping[str, Column], margin: Fraction) -> str:
    """The intervals of both parts, from `low` to `high`; in the first part with the margin around them."""
    nanos = margin * _NANO
    if nanos.denominator != 1 or margin < 0:
        cure = "write a number from 0 on, with at most nine decimals"
        raise fail("E614", f"`{margin}` is no margin", table.pin.span, help=cure)
    around = f"CASE WHEN side = 1 THEN CAST('{nanos}e-9' AS DECIMAL(38, 9)) ELSE 0 END"
    source = '"source"' if "source" in ends else "0"
    bounds = f"{bound(table, ends, 'start')} AS first, {bound(table, ends, 'end')} AS last"
    return (
        f"SELECT *, first - {around} AS low, last + {around} AS high FROM"
        f" (SELECT *, {source} AS whence, {bounds} FROM ({{rows}}) WHERE side > 0) WHERE first < last"
    )


def _first_overlaps(
    table: Table, columns: Mapping[str, Column], parts: tuple[str, str], spans: str
) -> Iterator[Pair]:
    """For each of the first records of the other part that overlap, the first record that it overlaps."""
    every = spans.format(rows=_sided(table.rows(columns, numbered=True)))
    first = f"SELECT * FROM ({_MEETING.format(spans=every)}) ORDER BY row LIMIT {_NAMED}"
    texts = ", ".join(
        f'CAST({side}."{end}" AS VARCHAR)' for side in ("mine", "theirs") for end in ("start", "end")
    )
    found = table.ask(
        f"SELECT mine.row, theirs.row, CAST(theirs.whence AS VARCHAR), {texts}"
        f" FROM ({every}) AS mine JOIN ({first}) AS theirs ON mine.whence = theirs.whence"
        " WHERE mine.side = 1 AND mine.low < theirs.high AND theirs.low < mine.high"
        " QUALIFY row_number() OVER (PARTITION BY theirs.row ORDER BY mine.row) = 1 ORDER BY theirs.row",
        parts,
    )
    for one, other, whence, *bounds in found:
        shared = whence if '"source"' in columns else ""
        yield Pair(one, other, shared, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))
