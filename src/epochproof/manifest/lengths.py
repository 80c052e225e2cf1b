"""The lengths of the sources that a manifest lists, and sums over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.diagnostics import InternalError
from epochproof.manifest._parts import Parts
from epochproof.manifest._roles import LONGEST, length
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column, Side
from epochproof.term.as_int import as_int
from epochproof.term.as_sql import as_sql
from epochproof.term.fold import postorder, variables
from epochproof.term.node import Int, constant

LENGTH = "length"
"""The variable that stands for the length of a source."""

LENGTHS = "lengths"
"""The role of the column."""

_LARGE = 2**60
"""Numbers from here on are not handed to the database, nor sums from the square of it on."""

Asked = tuple[Side, Int]
"""Which rows are meant, and what is summed over them: a term with the variable `length`."""


def listed_lengths(manifest: Manifest, most: int) -> tuple[int, ...] | None:
    """The length of each record, in the order of the rows; `None` where there are more than `most`."""
    if manifest.records > most:
        return None
    column = _column(manifest)
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        rows = table.rows({'"lengths"': column}, numbered=True)
        found = table.ask(f"SELECT {length(table, column)} FROM ({rows}) ORDER BY row")
    return tuple(each for (each,) in found)


def different_lengths(manifest: Manifest, side: Side, most: int) -> Mapping[int, int] | None:
    """How many records of the rows have each length; `None` where more than `most` lengths differ."""
    column = _column(manifest)
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, [side])
        rows = parts.rows({'"lengths"': column})
        found = table.ask(
            f"SELECT {length(table, column)}, count(*) FROM ({rows})"
            f" WHERE {parts.conditions[0]} GROUP BY 1 ORDER BY 1 LIMIT {most + 1}",
            parts.values,
        )
    return dict(found) if len(found) <= most else None


def sums_over_lengths(manifest: Manifest, asked: Sequence[Asked]) -> list[int]:
    """The sum of each term over the lengths of its rows, in one pass.

    Raises:
        SpecError: There is no such column, or a part has no record.
    """
    column, sides = _column(manifest), dict.fromkeys(side for side, _ in asked)
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, list(sides))
        called = {side: f"rows{at}" for at, side in enumerate(sides)}
        # Each length is computed with once, in wide integers, however many rows have it.
        counts = ", ".join(
            f"count(*) FILTER (WHERE {chosen}) AS {name}"
            for chosen, name in zip(parts.conditions, called.values(), strict=True)
        )
        rows = parts.rows({'"lengths"': column})
        grouped = f"SELECT {length(table, column)} AS {LENGTH}, {counts} FROM ({rows}) GROUP BY 1"
        sums = [f"sum({called[side]} * {as_sql(term, {LENGTH: LENGTH})})" for side, term in asked]
        sums += [f"sum({name})" for name in called.values()]
        found = table.ask(f"SELECT {', '.join(sums)} FROM ({grouped})", parts.values)[0]
        parts.refuse_empty(found[len(asked) :])
    return list(found[: len(asked)])


def is_summed(manifest: Manifest, term: Int) -> bool:
    """Whether the sum of the term stays far below the integers that the database has."""
    numbers = [constant(each) or 0 for each in postorder(term) if isinstance(each, Int)]
    small = all(abs(each) < _LARGE for each in numbers) and variables(term) <= {LENGTH}
    return small and manifest.records * as_int(term, [LENGTH])(LONGEST) < _LARGE**2


def _column(manifest: Manifest) -> Column:
    column = manifest.column(LENGTHS)
    if column is None:
        raise InternalError(f"`{manifest.pin.dataset}` names no column of lengths")
    return column
