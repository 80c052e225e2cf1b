"""What is wrong with the specs, as GitHub Actions shows it beside the code: a workflow command a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.diagnostics import SpecError
from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.report._finding import Finding, findings
from epochproof.report._sum import in_a_line

_IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = _IN_TEXT | {":": "%3A", ",": "%2C"}


def render(outcomes: Sequence[Checked | SpecError]) -> str:
    """Errors before warnings, because GitHub shows few of each; the last line counts the claims.

    Args:
        outcomes: For each spec, in order, its verdicts, or why it is wrong.
    """
    found = sorted(findings(outcomes), key=lambda each: each.level != "error")
    return "\n".join([*map(_command, found), in_a_line(outcomes)])


def _command(finding: Finding) -> str:
    properties = {**_place(finding), "title": finding.rule.title}
    shown = ",".join(f"{name}={_escaped(str(value), _IN_PROPERTY)}" for name, value in properties.items())
    return f"::{finding.level} {shown}::{_escaped(chr(10).join(finding.lines), _IN_TEXT)}"


def _place(finding: Finding) -> dict[str, str | int]:
    """File, line and, where it is about one line, columns; both from 1, the last column included."""
    source, span = finding.source, finding.span
    if not source.path:
        return {}
    place: dict[str, str | int] = {"file": safe(source.path)}
    if span is None:
        return place
    start, end = (source.position(min(at, len(source.text))) for at in (span.start, span.end))
    place |= {"line": start[0], "endLine": end[0]}
    if start[0] == end[0]:
        place |= {"col": start[1], "endColumn": max(end[1] - 1, start[1])}
    return place


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(each, each) for each in text)
