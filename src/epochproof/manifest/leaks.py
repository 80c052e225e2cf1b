"""Where two parts of a manifest meet: in a value of a key, or in intervals of one source that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from epochproof.diagnostics import SpecError, fail
from epochproof.manifest._parts import Made, Parts
from epochproof.manifest._roles import bound, refuse_types
from epochproof.manifest._table import Table, opened, shown
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column, Side

Sides = tuple[Side, Side]
"""One part and the other."""

_NAMED = 3
"""So many pairs are named."""

_NANO = 10**9


@dataclass(frozen=True)
class Pair:
    """A record of each part, and what they share: the value of the key, or the source (empty without one).

    `intervals` holds start and end of both records where the leak is an overlap, `ids` their ids where the
    manifest has ids; texts as in the manifest.
    """

    one: int
    other: int
    shared: str
    intervals: tuple[tuple[str, str], tuple[str, str]] | None = None
    ids: tuple[str, str] | None = None


@dataclass(frozen=True)
class Leaks:
    """How often two parts meet, and the first pairs of records that show it."""

    count: int
    pairs: tuple[Pair, ...]


def shared_records(manifest: Manifest, sides: Sides, made: Sequence[Made] = ()) -> Leaks:
    """The records that are in both parts, counted; or those of which something is made in both.

    Raises:
        SpecError: A column is missing or unfit, or a part has no record.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts, ids = Parts(table, sides, made), _named(manifest, "id")
        one, other = parts.conditions
        counts = f"count(*) FILTER (WHERE {one} AND {other}), bool_or({one}), bool_or({other})"
        meeting, *some = table.ask(f"SELECT {counts} FROM ({parts.rows({})})", parts.values)[0]
        parts.refuse_empty(some)
        rows = parts.rows(ids, numbered=True)
        first = f"SELECT row, {_id(ids)} FROM ({rows}) WHERE {one} AND {other} ORDER BY row LIMIT {_NAMED}"
        found = table.ask(first, parts.values) if meeting else []
        return Leaks(
            meeting, tuple(Pair(row, row, "", None, (own, own) if ids else None) for row, own in found)
        )


def shared_keys(manifest: Manifest, sides: Sides, key: Column, made: Sequence[Made] = ()) -> Leaks:
    """The values of a key that occur in both parts; `count` counts values.

    Args:
        manifest: Where the records stand.
        sides: One part and the other.
        key: The column whose values may not occur in both.
        made: What is made of the rows of each, if it is no row: rows of which nothing is made do not count.

    Raises:
        SpecError: A column is missing or unfit, a part has no record, or a record of one has no key.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts, ids = Parts(table, sides, made), _named(manifest, "id")
        refuse_types(table, {"key": key})
        rows = _sided(parts, {'"key"': key})
        meeting, missing, *some = table.ask(
            "SELECT count(*) FILTER (WHERE one AND other AND NOT missing), bool_or(missing),"
            " bool_or(one), bool_or(other) FROM"
            ' (SELECT bool_or(one) AS one, bool_or(other) AS other, "key" IS NULL AS missing'
            f' FROM ({rows}) WHERE one OR other GROUP BY "key")',
            parts.values,
        )[0]
        parts.refuse_empty(some)
        if missing:
            raise _no_key(table, key, parts)
        return Leaks(meeting, tuple(_first_keys(table, parts, key, ids)) if meeting else ())


def overlaps(manifest: Manifest, sides: Sides, *, margin: Fraction | int = 0) -> Leaks:
    """The records of the other part that overlap one of the first part, in the same source, counted.

    Intervals are half-open, and an empty one overlaps nothing; any other overlaps itself.
    With a margin, two intervals that lie less than the margin apart overlap, too.

    Raises:
        SpecError: The manifest has no intervals, a column is missing or unfit, or a part has no record.
    """
    ends = {role: column for role in ("start", "end", "source") if (column := manifest.column(role))}
    if "start" not in ends:
        cure = "name the columns of both ends: `start = …` and `end = …`"
        raise fail("E614", f"dataset `{manifest.pin.dataset}` has no intervals", manifest.pin.span, help=cure)
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, sides)
        parts.count()
        spans = _spans(table, ends, Fraction(margin))
        columns = _named(manifest, *ends)
        meeting = _MEETING.format(spans=spans.format(rows=_on_sides(parts, columns)))
        count = table.ask(f"SELECT count(*) FROM ({meeting})", parts.values)[0][0]
        ids = _named(manifest, "id")
        return Leaks(count, tuple(_first_overlaps(table, parts, spans, columns, ids)) if count else ())


def _named(manifest: Manifest, *roles: str) -> dict[str, Column]:
    """The columns that play the roles, as far as the spec names them, by what they are called in SQL."""
    return {f'"{role}"': column for role in roles if (column := manifest.column(role))}


def _sided(parts: Parts, columns: Mapping[str, Column], *, numbered: bool = False) -> str:
    """The rows, each with whether it belongs to `one` part and to the `other`."""
    one, other = parts.conditions
    return f"SELECT *, {one} AS one, {other} AS other FROM ({parts.rows(columns, numbered=numbered)})"


def _on_sides(parts: Parts, columns: Mapping[str, Column], *, numbered: bool = False) -> str:
    """The rows of each part, with side 1 for one part and 2 for the other; those of both are there twice."""
    sides = "CASE WHEN one AND other THEN [1, 2] WHEN one THEN [1] WHEN other THEN [2] ELSE [] END"
    return f"SELECT *, unnest({sides}) AS side FROM ({_sided(parts, columns, numbered=numbered)})"


def _no_key(table: Table, key: Column, parts: Parts) -> SpecError:
    rows = _sided(parts, {'"key"': key}, numbered=True)
    missing = f'SELECT min(row) FROM ({rows}) WHERE (one OR other) AND "key" IS NULL'
    row = table.ask(missing, parts.values)[0][0]
    return fail(
        "E608",
        f"column `{shown(key.name)}` of `{table.path}` holds nothing in row {row + 1:_}",
        key.span,
        help="give each row a value there, or name another column",
    )


def _first_keys(table: Table, parts: Parts, key: Column, ids: Mapping[str, Column]) -> Iterator[Pair]:
    """For each of the first values that both parts have, the first record of each part."""
    named = ", ".join(f"arg_min({_id(ids)}, row) FILTER (WHERE {side})" for side in ("one", "other"))
    rows = _sided(parts, {'"key"': key, **ids}, numbered=True)
    found = table.ask(
        "SELECT min(row) FILTER (WHERE one) AS first, min(row) FILTER (WHERE other) AS second,"
        f' CAST("key" AS VARCHAR), {named} FROM ({rows})'
        ' WHERE one OR other GROUP BY "key" HAVING first IS NOT NULL AND second IS NOT NULL'
        f" ORDER BY least(first, second) LIMIT {_NAMED}",
        parts.values,
    )
    for one, other, value, *both in found:
        yield Pair(one, other, value, ids=(both[0], both[1]) if ids else None)


def _id(ids: Mapping[str, Column], of: str = "") -> str:
    """The id of a row as a text, if there are ids."""
    return f"CAST({of}id AS VARCHAR)" if ids else "NULL"


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
        f" (SELECT *, {source} AS whence, {bounds} FROM ({{rows}})) WHERE first < last"
    )


def _first_overlaps(
    table: Table, parts: Parts, spans: str, columns: Mapping[str, Column], ids: Mapping[str, Column]
) -> Iterator[Pair]:
    """For each of the first records of the other part that overlap, the first record that it overlaps."""
    every = spans.format(rows=_on_sides(parts, {**columns, **ids}, numbered=True))
    first = f"SELECT * FROM ({_MEETING.format(spans=every)}) ORDER BY row LIMIT {_NAMED}"
    texts = ", ".join(
        f'CAST({side}."{end}" AS VARCHAR)' for side in ("mine", "theirs") for end in ("start", "end")
    )
    both = f"{_id(ids, 'mine.')}, {_id(ids, 'theirs.')}"
    found = table.ask(
        f"SELECT mine.row, theirs.row, CAST(theirs.whence AS VARCHAR), {both}, {texts}"
        f" FROM ({every}) AS mine JOIN ({first}) AS theirs ON mine.whence = theirs.whence"
        " WHERE mine.side = 1 AND mine.low < theirs.high AND theirs.low < mine.high"
        " QUALIFY row_number() OVER (PARTITION BY theirs.row ORDER BY mine.row) = 1 ORDER BY theirs.row",
        parts.values,
    )
    for one, other, whence, own, their, *bounds in found:
        shared = whence if '"source"' in columns else ""
        intervals = (bounds[0], bounds[1]), (bounds[2], bounds[3])
        yield Pair(one, other, shared, intervals, (own, their) if ids else None)
