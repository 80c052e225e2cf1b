"""Verdicts as JSON, and back, so that every report can be written again without a proof."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from epochproof.diagnostics import Source, Span
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Blame, Counterexample, Judged, Leak, Meeting, Row, Second, Verdict

if TYPE_CHECKING:
    from epochproof.config.use import Use


def written(checked: Checked) -> str:
    """All that reports say of the claims: their obligations are left out, only `explain` shows them."""
    claims = [
        replace(each, verdict=replace(each.verdict, obligations=(), shown=())) for each in checked.claims
    ]
    source = checked.source
    parts = {"claims": _plain(claims), "uses": _plain(checked.uses)}
    return json.dumps({"path": source.path, "text": source.text, **parts})


def restored(text: str) -> Checked:
    """The claims from what `written` gave."""
    found = json.loads(text)
    source = Source(found["path"], found["text"])
    uses = tuple(map(_use, found["uses"]))
    return Checked(source.path, tuple(map(_judged, found["claims"])), source, uses)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _judged(found: dict[str, Any]) -> Judged:
    parts = {
        "span": Span(**found["span"]),
        "verdict": _verdict(found["verdict"]),
        "assumptions": tuple(found["assumptions"]),
        "uses": tuple(map(_use, found["uses"])),
        "second": None if found["second"] is None else _second(found["second"]),
    }
    return Judged(**{**found, **parts})


def _second(found: dict[str, Any]) -> Second:
    return Second(**{**found, "files": tuple(found["files"])})


def _use(found: dict[str, Any]) -> Use:
    from epochproof.config.entry import Place  # noqa: PLC0415 -- many specs bind nothing
    from epochproof.config.use import Use  # noqa: PLC0415 -- many specs bind nothing

    return Use(**{**found, "place": Place(**found["place"]), "span": Span(**found["span"])})


def _verdict(found: dict[str, Any]) -> Verdict:
    shown = found["counterexample"]
    parts = {
        "counterexample": None if shown is None else _counterexample(shown),
        "obligations": (),
        "shown": (),
    }
    return Verdict(**{**found, **parts})


def _counterexample(found: dict[str, Any]) -> Counterexample:
    blame, meeting, leak = found["blame"], found["meeting"], found["leak"]
    parts = {
        "records": tuple(found["records"]),
        "blame": None if blame is None else Blame(**{**blame, "span": Span(**blame["span"])}),
        "lengths": {name: tuple(each) for name, each in found["lengths"].items()},
        "meeting": None if meeting is None else tuple(map(_meeting, meeting)),
        "leak": None if leak is None else _leak(leak),
    }
    return Counterexample(**{**found, **parts})


def _meeting(found: dict[str, Any]) -> Meeting:
    frames = found["frames"]
    return Meeting(**{**found, "frames": None if frames is None else tuple(frames)})


def _leak(found: dict[str, Any]) -> Leak:
    pairs = tuple((shared, _row(one), _row(other)) for shared, one, other in found["pairs"])
    return Leak(**{**found, "pairs": pairs})


def _row(found: dict[str, Any]) -> Row:
    interval = found["interval"]
    return Row(**{**found, "interval": None if interval is None else tuple(interval)})
