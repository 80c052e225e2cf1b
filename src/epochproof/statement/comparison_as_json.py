"""Two offers side by side, as a program reads them: the document `epochproof/compare/1`."""

from __future__ import annotations

from epochproof.diagnostics import SpecError
from epochproof.prove.difference import Counts
from epochproof.report._json import EXACT, diagnostics, written
from epochproof.statement import shape
from epochproof.statement.comparison import Comparison
from epochproof.statement.offer import Offer, Timed

SCHEMA = "epochproof/compare/1"

MOST_LISTED = 1_000
"""So many records are listed at most; their number is exact."""


def comparison_as_json(found: Comparison) -> str:
    """The document, without a line break at the end."""
    return written(
        {
            "schema": SCHEMA,
            "population": found.population,
            "how": found.how,
            "dataset": {"word": found.dataset.word, "text": found.dataset.text},
            "apart": None if found.apart is None else _apart(found.apart),
            "a": _offer(found.a),
            "b": _offer(found.b),
            "notClaimed": list(found.not_claimed),
        }
    )


def refused(error: SpecError) -> str:
    """The document of an offer or a call that is wrong: nothing is compared, and the diagnostics say why."""
    return written({"schema": SCHEMA, "diagnostics": diagnostics(error.diagnostics, error.source)})


def _offer(offer: Offer) -> dict[str, object]:
    return {
        "path": offer.path,
        "signature": offer.signature or None,
        "population": shape.written(offer.population),
        "assumptions": list(offer.assumptions),
        "timed": None if offer.timed is None else _timed(offer.timed),
    }


def _timed(timed: Timed) -> dict[str, object]:
    steps = None if timed.steps is None else {"first": timed.steps[0], "last": timed.steps[1]}
    rates = {
        "occurrencesPerSecond": timed.occurrences / timed.seconds,
        "distinctRecordsPerSecond": timed.distinct / timed.seconds,
    }
    return {
        "seconds": float(timed.seconds),
        "steps": steps,
        "occurrences": timed.occurrences,
        "distinct": timed.distinct,
        **{name: float(each) if each < EXACT else round(each) for name, each in rates.items()},
    }


def _apart(counts: Counts) -> dict[str, object]:
    parts = {
        "onlyA": counts.gone,
        "onlyB": counts.come,
        "moreOftenA": counts.fewer,
        "moreOftenB": counts.more,
    }
    return {
        name: {"count": len(found), "records": sorted(found)[:MOST_LISTED]} for name, found in parts.items()
    }
