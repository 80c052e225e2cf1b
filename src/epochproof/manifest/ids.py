"""The ids of the records of a manifest, row by row."""

from __future__ import annotations

from epochproof.manifest._parts import Parts
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side


def ids(manifest: Manifest, side: Side = ()) -> tuple[str, ...]:
    """The id of each record as a text, in the order of the rows; its number where the spec names no column.

    Of a part, those of its rows.

    Raises:
        SpecError: The manifest cannot be read any more.
    """
    column = manifest.column("id")
    if column is None:
        return tuple(map(str, range(manifest.records)))
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, (side,))
        rows = parts.rows({'"key"': column}, numbered=True)
        query = f'SELECT CAST("key" AS VARCHAR) FROM ({rows}) WHERE {parts.conditions[0]} ORDER BY "row"'
        found = table.ask(query, parts.values)
    return tuple(str(each) for (each,) in found)
