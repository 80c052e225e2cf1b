"""The populations of a spec as a program reads them: the document `epochproof/count/1`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from epochproof.diagnostics import SpecError
from epochproof.prove.population import Population, Records
from epochproof.report._json import EXACT, diagnostics, written

SCHEMA = "epochproof/count/1"

MOST_LISTED = 1_000
"""So many records are listed one by one; more are given as runs."""


def render(populations: Sequence[Population], *, seconds: Fraction | None = None) -> str:
    """The JSON text, without a line break at the end.

    Args:
        populations: What each loader reads.
        seconds: How long the pass, or the portion of it, took; rates are given if it is.
    """
    return written({"schema": SCHEMA, "loaders": [_loader(each, seconds) for each in populations]})


def refused(error: SpecError) -> str:
    """The JSON text of a spec or a call that is wrong: no loaders, and the diagnostics."""
    return written(
        {"schema": SCHEMA, "loaders": [], "diagnostics": diagnostics(error.diagnostics, error.source)}
    )


def _loader(population: Population, seconds: Fraction | None) -> dict[str, object]:
    found: dict[str, object] = {
        "name": population.loader,
        "parameters": dict(population.parameters),
        "occurrences": population.occurrences,
        "distinct": population.distinct,
        "padding": population.padding,
        "omitted": _records(population.omitted),
        "repeated": _records(population.repeated),
        "steps": {"min": population.steps_min, "max": population.steps_max},
    }
    if population.portion is not None:
        first, last = population.portion
        found["portion"] = {"first": first, "last": last}
    if seconds is not None:
        found["rates"] = {
            "seconds": _number(seconds),
            "occurrences_per_second": _number(population.occurrences / seconds),
            "distinct_records_per_second": _number(population.distinct / seconds),
        }
    return found


def _records(records: Records) -> dict[str, object]:
    """How many, and which: one by one, as runs, or `None` where that depends on the order."""
    if records.runs is None or records.note:
        return {"count": records.count, "records": None}
    if records.count <= MOST_LISTED:
        listed = [each for run in records.runs for each in range(run.first, run.last + 1, run.stride)]
        return {"count": records.count, "records": sorted(listed)}
    runs = [{"first": run.first, "last": run.last, "stride": run.stride} for run in records.runs]
    return {"count": records.count, "records": runs}


def _number(value: Fraction) -> float | int:
    """The value as a number of JSON; rounded to an integer where a float may not hold it."""
    return float(value) if value < EXACT else round(value)
