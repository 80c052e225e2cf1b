"""An audit as a program reads it: the document `epochproof/audit/1`."""

from __future__ import annotations

from fractions import Fraction

from epochproof.diagnostics import SpecError
from epochproof.report._audit import At, Audited, Broken, Finding, Leaked, Portion, Read
from epochproof.report._json import EXACT, diagnostics, written

SCHEMA = "epochproof/audit/1"


def render(audited: Audited) -> str:
    """The JSON text, without a line break at the end."""
    balance = audited.balance
    return written(
        {
            "schema": SCHEMA,
            "spec": audited.spec,
            "trace": audited.trace,
            "loader": audited.loader,
            "agrees": not audited.findings,
            "parameters": dict(audited.parameters),
            "parameters_from_trace": sorted(audited.said),
            "order": audited.order,
            "compared": "enumerated" if audited.enumerated else "expressions",
            "scheduled": audited.due,
            "segments": audited.segments,
            "replayed": audited.replayed,
            "epochs": [{"epoch": epoch, **_read(read)} for epoch, read in audited.epochs],
            "run": _read(audited.run),
            "portion": None if audited.portion is None else _portion(audited.portion),
            "balance": None
            if balance is None
            else {
                "workers": balance.workers,
                "least": {"occurrences": balance.least, **_worker(balance.least_of)},
                "most": {"occurrences": balance.most, **_worker(balance.most_of)},
            },
            "first": None if audited.first is None else _at(audited.first),
            "differences": [_finding(each) for each in audited.findings],
            "broken": [_broken(each) for each in audited.broken],
            "notes": [*audited.notes, *([audited.enumerated] if audited.enumerated else [])],
        }
    )


def leaks(found: Leaked) -> str:
    """The JSON text of what two traces share."""
    return written(
        {
            "schema": SCHEMA,
            "trace": found.trace,
            "against": found.against,
            "by": found.by,
            "agrees": not found.count,
            "shared": found.count,
            "examples": [
                {"value": each.value, "record": each.one, "other_record": each.other}
                for each in found.examples
            ],
            "broken": [_broken(each) for each in found.broken],
        }
    )


def refused(error: SpecError) -> str:
    """The JSON text of a spec, a trace or a call that is wrong: the diagnostics alone."""
    return written({"schema": SCHEMA, "diagnostics": diagnostics(error.diagnostics, error.source)})


def _read(read: Read) -> dict[str, object]:
    return {
        "occurrences": read.occurrences,
        "distinct": read.distinct,
        "padding": read.padding,
        "omitted": read.omitted,
        "repeated": read.repeated,
    }


def _portion(portion: Portion) -> dict[str, object]:
    found: dict[str, object] = {"read": _read(portion.read)}
    if portion.steps is not None:
        found["steps"] = {"first": portion.steps[0], "last": portion.steps[1]}
    if portion.seconds is not None:
        found["clock"] = {"start": _number(portion.seconds[0]), "end": _number(portion.seconds[1])}
    if portion.duration is not None:
        found["rates"] = {
            "seconds": _number(portion.duration),
            "occurrences_per_second": _number(portion.read.occurrences / portion.duration),
            "distinct_records_per_second": _number(portion.read.distinct / portion.duration),
        }
    return found


def _number(value: Fraction) -> int | float:
    whole = value.denominator == 1 and abs(value) < EXACT
    return int(value) if whole else float(value)


def _worker(place: tuple[int, int]) -> dict[str, object]:
    return {"rank": place[0], "worker": place[1]}


def _at(at: At) -> dict[str, object]:
    return {
        "epoch": at.epoch,
        "rank": at.rank,
        "step": at.step,
        "slot": at.slot,
        "expected": at.expected,
        "found": at.found,
    }


def _finding(found: Finding) -> dict[str, object]:
    return {
        "kind": found.kind,
        "count": found.count,
        "first": _at(found.first),
        "records": list(found.records),
    }


def _broken(broken: Broken) -> dict[str, object]:
    return {"kind": broken.kind, "text": broken.text, "how": broken.how, "line": broken.line}
