"""The ids of the records of a manifest, row by row."""

from __future__ import annotations

from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest


def ids(manifest: Manifest) -> tuple[str, ...]:
    """The id of each record as a text, in the order of the rows; its number where the spec names no column.

    Raises:
        SpecError: The manifest cannot be read any more.
    """
    column = manifest.column("id")
    if column is None:
        return tuple(map(str, range(manifest.records)))
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        rows = table.rows({'"key"': column}, numbered=True)
        found = table.ask(f'SELECT CAST("key" AS VARCHAR) FROM ({rows}) ORDER BY "row"')
    return tuple(str(each) for (each,) in found)
