"""The weights that a manifest lists, exactly as they are written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from epochproof.diagnostics import InternalError, fail
from epochproof.manifest._parts import Parts
from epochproof.manifest._table import opened, shown
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side


def listed_weights(manifest: Manifest, side: Side) -> list[Fraction]:
    """The weight of each of the rows, in their order.

    Raises:
        SpecError: A part has no record, or all weigh nothing.
    """
    column = manifest.column("weight")
    if column is None:
        raise InternalError(f"`{manifest.pin.dataset}` names no column of weights")
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, [side])
        rows = parts.rows({"weight": column}, numbered=True)
        found = table.ask(
            f"SELECT weight FROM ({rows}) WHERE {parts.conditions[0]} ORDER BY row", parts.values
        )
        parts.refuse_empty([found])
        weights = [_exact(each) for (each,) in found]
        if not any(weights):
            raise fail(
                "E610",
                f"column `{shown(column.name)}` of `{table.path}` holds no weight above 0",
                column.span,
                help="give one record a weight at least: nothing could be drawn",
            )
    return weights


def _exact(value: str | float | Decimal) -> Fraction:
    """The number; a text that only the database reads as one is the nearest float."""
    try:
        return Fraction(value.strip() if isinstance(value, str) else value)
    except ValueError:
        return Fraction(float(value))
