"""The parts to which columns of a manifest assign its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.diagnostics import SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.manifest._roles import length, refuse_types
from epochproof.manifest._table import Table, shown
from epochproof.manifest.pin import Chosen, Column, Side
from epochproof.term.as_sql import as_sql
from epochproof.term.node import Int

_LENGTHS = '"part_lengths"'
"""What the column of lengths is called where parts depend on it."""

_MOST = 1_000
"""So many names of parts are looked at for a suggestion."""


Made = Int | None
"""How many records are made of a row, a term with the variable `length`; without it, the row is a record."""


class Parts:
    """Parts of an open manifest: what to select, and which rows belong to which part, in SQL.

    Of a part that is `made` of its rows, only those belong to it of which something is made.
    """

    def __init__(self, table: Table, sides: Sequence[Side], made: Sequence[Made] = ()) -> None:
        self._table, self._sides = table, sides
        self._made = tuple(made) or (None,) * len(sides)
        every = list(dict.fromkeys(each for side in sides for each in side))
        columns = dict.fromkeys(each.column.name for each in every)
        self._called = {name: f"part{at}" for at, name in enumerate(columns)}
        self._numbers = {each: at for at, each in enumerate(dict.fromkeys(each.value for each in every), 1)}
        self.columns = {self._called[each.column.name]: each.column for each in every}
        self.values = list(self._numbers)
        refuse_types(table, {each.name: self._checked(each) for each in self.columns.values()})
        lengths = table.pin.column("lengths")
        if lengths is not None and any(each is not None for each in self._made):
            self.columns[_LENGTHS] = self._checked(lengths)

    def _checked(self, column: Column) -> Column:
        self._table.check(column)
        return column

    @property
    def conditions(self) -> list[str]:
        """For each part, whether a row belongs to it; not where the column is empty."""
        return [
            each if made is None else f"{each} AND {self._makes(made)}"
            for each, made in zip(self._chosen, self._made, strict=True)
        ]

    @property
    def _chosen(self) -> list[str]:
        return [" AND ".join(map(self._holds, side)) or "true" for side in self._sides]

    def _makes(self, made: Int) -> str:
        frames = length(self._table, self.columns[_LENGTHS], "part_lengths")
        return f"coalesce({as_sql(made, {'length': f'({frames})'})} >= 1, false)"

    def _holds(self, chosen: Chosen) -> str:
        called, number = self._called[chosen.column.name], self._numbers[chosen.value]
        return f"coalesce(CAST({called} AS VARCHAR) = ${number}, false)"

    def rows(self, columns: Mapping[str, Column], *, numbered: bool = False) -> str:
        """The rows with these columns, and those that the parts depend on."""
        return self._table.rows({**self.columns, **columns}, numbered=numbered)

    def count(self) -> list[int]:
        """How many rows belong to each part.

        Raises:
            SpecError: There is no such column, or a part has no row.
        """
        counts = ", ".join(f"count(*) FILTER (WHERE {each})" for each in self.conditions)
        found = self._table.ask(f"SELECT {counts} FROM ({self.rows({})})", self.values)[0]
        self.refuse_empty(found)
        return list(found)

    def refuse_empty(self, found: Sequence[object]) -> None:
        """Refuses parts of which no row was found."""
        if not all(found) and any(each is not None for each in self._made):
            found = self._picked()
        for side, some in zip(self._sides, found, strict=True):
            if not some:
                raise self._empty(side)

    def _picked(self) -> tuple[object, ...]:
        """For each part, whether there are rows of which anything could be made."""
        some = ", ".join(f"bool_or({each})" for each in self._chosen)
        return self._table.ask(f"SELECT {some} FROM ({self.rows({})})", self.values)[0]

    def _empty(self, side: Side) -> SpecError:
        """That no row belongs to the part, told by the first column whose value is in no row."""
        chosen, names = side[-1], list[str]()
        for each in side:
            rows = self._table.rows({"part": each.column})
            found = self._table.ask(
                f"SELECT DISTINCT CAST(part AS VARCHAR) FROM ({rows}) WHERE part IS NOT NULL LIMIT {_MOST}"
            )
            names = sorted(shown(name) for (name,) in found)
            if shown(each.value) not in names:
                chosen = each
                break
        else:
            names = []
        listed = ", ".join(f"`{each}`" for each in names[:8]) or "nothing that is in the whole, too"
        return fail(
            "E615",
            f"column `{shown(chosen.column.name)}` of `{self._table.path}` assigns no record"
            f" to `{shown(chosen.value)}`",
            chosen.span,
            help=suggest(chosen.value, names) or f"it holds {listed}",
        )
