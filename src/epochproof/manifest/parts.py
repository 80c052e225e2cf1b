"""How many records of a manifest belong to each part of it."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.manifest._parts import Parts
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side


def part_sizes(manifest: Manifest, sides: Sequence[Side]) -> list[int]:
    """How many records belong to each part, in one pass.

    Raises:
        SpecError: There is no such column, or a part has no record.
    """
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        return Parts(table, sides).count()
