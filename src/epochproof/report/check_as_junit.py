"""The verdicts as test results: JUnit's XML, one suite a spec and one case a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from epochproof.diagnostics import Diagnostic, Source, SpecError
from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged
from epochproof.report._finding import Finding, of_claim, of_diagnostic

_FORBIDDEN = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 can hold, not even escaped."""


def render(outcomes: Sequence[Checked | SpecError]) -> str:
    """The XML text: unknown claims and wrong specs are errors, all else that is not as stated failures.

    Args:
        outcomes: For each spec, in order, its verdicts, or why it is wrong.
    """
    root = ET.Element("testsuites", {"name": "epochproof"})
    root.extend(map(_suite, outcomes))
    _count(root, sum(each.seconds for it in outcomes if isinstance(it, Checked) for each in it.claims))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}'


def _suite(outcome: Checked | SpecError) -> ET.Element:
    source = outcome.source or Source("", "")
    suite = ET.Element("testsuite", {"name": _clean(source.path)})
    if isinstance(outcome, Checked):
        suite.extend(_claim(each, source) for each in outcome.claims)
    else:
        suite.extend(_diagnostic(each, source) for each in outcome.diagnostics)
    _count(suite, sum(each.seconds for each in outcome.claims) if isinstance(outcome, Checked) else 0)
    return suite


def _claim(claim: Judged, source: Source) -> ET.Element:
    case = _case(claim.text, source, claim.seconds)
    case.set("line", str(source.position(claim.span.start)[0]))
    if not claim.as_stated:
        _add(case, "error" if claim.verdict.word == "unknown" else "failure", of_claim(claim, source))
    return case


def _diagnostic(diagnostic: Diagnostic, source: Source) -> ET.Element:
    finding = of_diagnostic(diagnostic, source)
    case = _case(finding.rule.title, source, 0)
    if diagnostic.span is not None:
        at = min(diagnostic.span.start, len(source.text))
        case.set("line", str(source.position(at)[0]))
    _add(case, "error", finding)
    return case


def _case(name: str, source: Source, seconds: float) -> ET.Element:
    path = _clean(source.path)
    return ET.Element(
        "testcase", {"name": _clean(name), "classname": path, "file": path, "time": f"{seconds:.3f}"}
    )


def _add(case: ET.Element, tag: str, finding: Finding) -> None:
    shown = ET.SubElement(case, tag, {"type": finding.rule.id, "message": _clean(finding.lines[0])})
    shown.text = "\n".join(map(_clean, finding.lines))


def _count(element: ET.Element, seconds: float) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", str(len(list(element.iter("error")))))
    element.set("skipped", "0")
    element.set("time", f"{seconds:.3f}")


def _clean(text: str) -> str:
    """The text on one line, with U+FFFD for what XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", safe(text))
