"""The parts to which a column of a manifest assigns its records."""

from __future__ import annotations

from epochproof.diagnostics import fail
from epochproof.language.suggest import suggest
from epochproof.manifest._roles import refuse_types
from epochproof.manifest._table import Table, shown
from epochproof.manifest.pin import Column

SIDES = "CASE CAST(part AS VARCHAR) WHEN $1 THEN 1 WHEN $2 THEN 2 ELSE 0 END"
"""Which of two parts a row belongs to; 0 for neither, and where the column is empty."""

_MOST = 1_000
"""So many names of parts are looked at for a suggestion."""


def check_parts(table: Table, assignment: Column, parts: tuple[str, ...]) -> None:
    """Refuses parts to which no record belongs."""
    table.check(assignment)
    refuse_types(table, {"part": assignment})
    rows = table.rows({"part": assignment})
    known = "SELECT CAST(part AS VARCHAR) AS part FROM"
    for part in parts:
        if table.ask(
            f"SELECT count(*) FROM (SELECT 1 FROM ({known} ({rows})) WHERE part = $1 LIMIT 1)", [part]
        )[0][0]:
            continue
        found = table.ask(
            f"SELECT DISTINCT part FROM ({known} ({rows})) WHERE part IS NOT NULL LIMIT {_MOST}"
        )
        names = sorted(shown(name) for (name,) in found)
        listed = ", ".join(f"`{each}`" for each in names[:8])
        raise fail(
            "E615",
            f"column `{shown(assignment.name)}` of `{table.path}` assigns no record to `{shown(part)}`",
            assignment.span,
            help=suggest(part, names) or f"it holds {listed or 'nothing'}",
        )
