"""How many values a column of a manifest has, and how many records share one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.manifest._roles import refuse_types
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column


@dataclass(frozen=True)
class Groups:
    """So many groups, and the records of the smallest and of the largest; rows without a value are none."""

    count: int
    smallest: int
    largest: int


def groups(manifest: Manifest, column: Column) -> Groups:
    """The groups of records that have the same value in a column.

    Raises:
        SpecError: There is no such column, or it holds no keys.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        rows = table.rows({'"key"': column})
        refuse_types(table, {"key": column})
        sizes = f'SELECT count(*) AS records FROM ({rows}) WHERE "key" IS NOT NULL GROUP BY "key"'
        answer = f"SELECT count(*), coalesce(min(records), 0), coalesce(max(records), 0) FROM ({sizes})"
        return Groups(*table.ask(answer)[0])


def sizes(manifest: Manifest, column: Column, *, most: int = 1_000) -> Mapping[str, int]:
    """The records of each group, the largest first, then in the order of their names; at most so many.

    For the parts of an assignment, and for a list to look at.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        rows = table.rows({'"key"': column})
        refuse_types(table, {"key": column})
        found = table.ask(
            f'SELECT CAST("key" AS VARCHAR) AS name, count(*) AS records FROM ({rows})'
            f' WHERE "key" IS NOT NULL GROUP BY ALL ORDER BY records DESC, name LIMIT {most}'
        )
    return dict(found)
