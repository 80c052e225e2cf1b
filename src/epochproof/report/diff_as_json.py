"""What a change does, as a program reads it: the document `epochproof/diff/1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from epochproof.diagnostics import SpecError
from epochproof.prove.change import Change
from epochproof.prove.difference import Counts
from epochproof.prove.verdict import Verdict
from epochproof.report._json import diagnostics, written

SCHEMA = "epochproof/diff/1"

MOST_LISTED = 1_000
"""So many records are listed at most; their number is exact."""


def render(changes: Sequence[Change]) -> str:
    """The document, without a line break at the end."""
    return written({"schema": SCHEMA, "loaders": [_change(each) for each in changes]})


def refused(error: SpecError) -> str:
    """The document of a spec or a call that is wrong: no loaders, and the diagnostics."""
    return written(
        {"schema": SCHEMA, "loaders": [], "diagnostics": diagnostics(error.diagnostics, error.source)}
    )


def _change(change: Change) -> dict[str, object]:
    moved = {"first": asdict(change.moved) if change.moved else None}
    return {
        "name": change.loader,
        "change": change.kind,
        "reason": change.reason,
        "order": _verdict(change.order, moved),
        "draws": _verdict(change.draws, {}),
        "records": _verdict(change.records, _read(change.counts)),
        "resume": _verdict(change.resume, _resumed(change.handed_over)),
    }


def _verdict(verdict: Verdict | None, shown: Mapping[str, object]) -> dict[str, object] | None:
    """The verdict; where it is refuted, the values of the smallest case and what is `shown` of it."""
    if verdict is None:
        return None
    found = verdict.counterexample
    return {
        "verdict": verdict.word,
        "evidence": verdict.evidence,
        "reason": verdict.reason,
        "witness": found
        and {
            "parameters": dict(found.parameters),
            "epoch": found.epoch or 0,
            "smallest": found.smallest,
            **shown,
        },
    }


def _read(counts: Counts | None) -> dict[str, object]:
    if counts is None:
        return {}
    parts = {"gone": counts.gone, "come": counts.come, "fewer": counts.fewer, "more": counts.more}
    return {name: _records(found) for name, found in parts.items()}


def _resumed(counts: Counts | None) -> dict[str, object]:
    if counts is None:
        return {}
    lost, repeated = {**counts.gone, **counts.fewer}, {**counts.come, **counts.more}
    return {"lost": _records(lost), "repeated": _records(repeated)}


def _records(found: Mapping[int, tuple[int, int]]) -> dict[str, object]:
    return {"count": len(found), "records": sorted(found)[:MOST_LISTED]}
