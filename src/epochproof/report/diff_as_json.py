"""What a change does, as a program reads it: the document `epochproof/diff/1`."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.prove.change import Change
from epochproof.prove.verdict import Verdict
from epochproof.report._json import written

SCHEMA = "epochproof/diff/1"


def render(changes: Sequence[Change]) -> str:
    """The document, without a line break at the end."""
    return written({"schema": SCHEMA, "loaders": [_change(each) for each in changes]})


def _change(change: Change) -> dict[str, object]:
    return {
        "name": change.loader,
        "change": change.kind,
        "order": _verdict(change.order),
        "records": _verdict(change.records),
        "resume": _verdict(change.resume),
    }


def _verdict(verdict: Verdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    found = verdict.counterexample
    witness = found and {"parameters": dict(found.parameters), "records": list(found.records)}
    return {
        "verdict": verdict.word,
        "evidence": verdict.evidence,
        "reason": verdict.reason,
        "witness": witness,
    }
