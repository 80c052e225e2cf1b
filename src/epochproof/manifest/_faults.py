"""What is wrong with the rows of a manifest: one pass finds whether something is, further ones find where."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.diagnostics import Diagnostic, fail
from epochproof.manifest._roles import Check, checks, refuse_types
from epochproof.manifest._table import Table, shown
from epochproof.manifest.pin import Column

_NAMED = 3
"""So many rows at fault are named."""


def faults(table: Table) -> tuple[int, list[Diagnostic]]:
    """How many rows there are, and what is wrong with them.

    Raises:
        SpecError: The manifest cannot be read, has no rows, or lacks a column.
    """
    columns = {f'"{each.role}"': each for each in table.pin.columns}
    rows = table.rows(columns)
    roles = {each.role: each for each in table.pin.columns}
    refuse_types(table, roles)
    conditions = checks(table, roles)
    counts = [f"count(*) FILTER (WHERE NOT {each.holds})" for each in conditions]
    # Ids whose hashes differ do; only where some hashes are equal, the ids themselves are compared.
    distinct = ["count(DISTINCT hash(id)), count(id)"] if "id" in roles else []
    counts += [] if columns else ["count(anything)"]
    total, *found = table.ask(f"SELECT {', '.join(['count(*)', *counts, *distinct])} FROM ({rows})")[0]
    if not total:
        raise table.empty()
    wrong: list[Diagnostic] = []
    for check, number in zip(conditions, found, strict=False):
        wrong += _broken(table, columns, check, number) if number else ()
    if distinct and found[-2] < found[-1]:
        wrong += _repeated(table, columns, roles["id"])
    return total, wrong


def _broken(table: Table, columns: Mapping[str, Column], check: Check, number: int) -> tuple[Diagnostic, ...]:
    """The rows that do not satisfy a check."""
    values = ", ".join(f'CAST("{each.role}" AS VARCHAR)' for each in check.columns)
    rows = table.rows(columns, numbered=True)
    first = table.ask(
        f"SELECT row, {values} FROM ({rows}) WHERE NOT {check.holds} ORDER BY row LIMIT {_NAMED}"
    )
    names = " and ".join(f"`{shown(each.name)}`" for each in check.columns)
    places = [f"row {row + 1:_}{_values(found)}" for row, *found in first]
    hold = "column {} of {} holds" if len(check.columns) == 1 else "columns {} of {} hold"
    return fail(
        check.code,
        f"{hold.format(names, f'`{table.path}`')} {check.wrong} in {_listed(places, number)}",
        check.columns[0].span,
        help=check.cure,
    ).diagnostics


def _values(found: list[str | None]) -> str:
    if not any(found):
        return ""
    return f" ({', '.join('nothing' if each is None else f'`{shown(each)}`' for each in found)})"


def _repeated(table: Table, columns: Mapping[str, Column], column: Column) -> tuple[Diagnostic, ...]:
    """The ids that stand in several rows; none where only the hashes of some are equal."""
    rows = table.rows(columns, numbered=True)
    table.ask(
        "CREATE TEMP TABLE repeated AS SELECT id, min(row) AS first, count(*) AS times"
        f" FROM ({rows}) WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1"
    )
    number = table.ask("SELECT count(*) FROM repeated")[0][0]
    named = table.ask(
        "SELECT first, min(row), any_value(CAST(id AS VARCHAR)), any_value(times)"
        f" FROM ({rows}) JOIN (SELECT * FROM repeated ORDER BY first LIMIT {_NAMED}) USING (id)"
        " WHERE row > first GROUP BY first ORDER BY first"
    )
    places = [
        f"`{shown(value)}` in rows {first + 1:_} and {second + 1:_}" + _times(times)
        for first, second, value, times in named
    ]
    if not number:
        return ()
    return fail(
        "E609",
        f"column `{shown(column.name)}` of `{table.path}` repeats ids: {_listed(places, number, 'id')}",
        column.span,
        help="an id names one record: name another column, or let each row have an id of its own",
    ).diagnostics


def _times(times: int) -> str:
    return f" ({times:_} times in all)" if times > 2 else ""  # noqa: PLR2004 -- both are named


def _listed(places: list[str], number: int, noun: str = "row") -> str:
    """The places, and how many more there are."""
    more = number - len(places)
    if more:
        places = [*places, f"{more:_} more {noun}{'' if more == 1 else 's'}"]
    return " and ".join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places)
