"""The verdicts of several specs as a program reads them: the document `epochproof/check/1`."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.config.use import Use
from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Counterexample, Judged, Second
from epochproof.report import _leak
from epochproof.report._counterexample import trimmed
from epochproof.report._json import diagnostics, written

SCHEMA = "epochproof/check/1"


def render(outcomes: Sequence[Checked | SpecError]) -> str:
    """The JSON text, without a line break at the end.

    Args:
        outcomes: For each spec, in order, its verdicts, or why it is wrong.
    """
    return written({"schema": SCHEMA, "files": [_file(each) for each in outcomes]})


def _file(outcome: Checked | SpecError) -> dict[str, object]:
    if isinstance(outcome, Checked):
        claims = [_claim(each) for each in outcome.claims]
        bound = {"bindings": [_use(each) for each in outcome.uses]} if outcome.uses else {}
        return {"path": outcome.path, "claims": claims, "diagnostics": [], **bound}
    path = "" if outcome.source is None else outcome.source.path
    return {"path": path, "claims": [], "diagnostics": diagnostics(outcome.diagnostics, outcome.source)}


def _use(use: Use) -> dict[str, object]:
    found: dict[str, object] = {"name": use.name, "value": use.shown, "path": use.place.path}
    if use.place.line is not None:
        found["line"] = use.place.line
    if use.place.column is not None:
        found["column"] = use.place.column
    if use.instead_of:
        found["instead_of"] = use.instead_of
    return found


def _claim(claim: Judged) -> dict[str, object]:
    verdict = claim.verdict
    found: dict[str, object] = {
        "text": claim.text,
        "kind": claim.kind,
        "verdict": verdict.word,
        "as_stated": claim.as_stated,
        "seconds": round(claim.seconds, 6),
        "evidence": verdict.evidence,
        "assumptions": list(claim.assumptions),
        "counterexample": None if verdict.counterexample is None else _counterexample(verdict.counterexample),
    }
    if claim.uses:
        found["bindings"] = [each.name for each in claim.uses]
    if verdict.reason:
        found["reason"] = verdict.reason
    if claim.second is not None:
        found["recheck"] = _recheck(claim.second)
    return found


def _recheck(second: Second) -> dict[str, object]:
    return {
        "solver": second.solver,
        "raw": second.raw,
        "linear": second.linear,
        "undecided": second.undecided,
        "disputed": second.disputed,
        "files": list(second.files),
    }


def _counterexample(found: Counterexample) -> dict[str, object]:
    shown: dict[str, object] = {
        "parameters": dict(found.parameters),
        "records": list(found.records),
        "stage": None if found.blame is None else found.blame.stage,
        "replayed": found.replayed,
    }
    if found.meeting is not None:
        shown["lengths"] = {name: trimmed(each) for name, each in found.lengths.items()}
        shown["meeting"] = [
            {
                "population": each.population,
                "indices": dict(each.indices),
                "frames": None if each.frames is None else list(each.frames),
                "rank": each.rank,
            }
            for each in found.meeting
        ]
    if found.leak is not None:
        shown["leak"] = _leak.as_json(found.leak)
    return shown
