"""What is wrong with the specs, as code scanning reads it: a log in the format SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import epochproof
from epochproof.diagnostics import Source, Span, SpecError
from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.report._finding import CLAIMS, Finding, Rule, findings
from epochproof.report._json import written

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""The bracket with which an embedded link begins."""

_NO_BYTE = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no byte of a file's name."""


def render(outcomes: Sequence[Checked | SpecError]) -> str:
    """The log: one result for each claim that is not as stated and for each diagnostic.

    Args:
        outcomes: For each spec, in order, its verdicts, or why it is wrong.
    """
    found = findings(outcomes)
    rules = sorted({each.id: each for each in (*CLAIMS.values(), *(it.rule for it in found))}.items())
    index = {name: at for at, (name, _) in enumerate(rules)}
    driver = {
        "name": "epochproof",
        "version": epochproof.__version__,
        "rules": [_rule(rule) for _, rule in rules],
    }
    read = all(isinstance(each, Checked) for each in outcomes)
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "invocations": [{"executionSuccessful": read}],
        "results": [
            _result(each, index, fingerprint)
            for each, fingerprint in zip(found, _fingerprints(found), strict=True)
        ],
    }
    return written({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, object]:
    level = "warning" if rule is CLAIMS["unknown"] else "error"
    return {
        "id": rule.id,
        "name": rule.title,
        "shortDescription": _text(rule.summary),
        "fullDescription": _text(rule.summary),
        "help": _text(rule.why),
        "defaultConfiguration": {"level": level},
    }


def _result(finding: Finding, index: Mapping[str, int], fingerprint: str) -> dict[str, object]:
    source = finding.source
    related = [
        {"id": at, **_location(source, each.span), "message": _text(safe(each.text) or "see here")}
        for at, each in enumerate(finding.related, 1)
    ]
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": index[finding.rule.id],
        "level": finding.level,
        "message": _text("\n".join(finding.lines)),
        **({"locations": [_location(source, finding.span)]} if source.path else {}),
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"epochproof/v1": fingerprint},
    }


def _fingerprints(found: Sequence[Finding]) -> list[str]:
    """For each finding a digest that stays while lines move, another one for each."""
    seen: Counter[tuple[str, str, str]] = Counter()
    digests = []
    for each in found:
        key = (each.source.path, each.rule.id, each.identity)
        seen[key] += 1
        content = "\0".join((*key, str(seen[key])))
        digests.append(hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest())
    return digests


def _text(text: str) -> dict[str, object]:
    """A message that shows the text as it is: neither a placeholder nor a link is seen in it."""
    return {"text": _LINK.sub(r"\\[", text).replace("{", "{{").replace("}", "}}")}


def _location(source: Source, span: Span | None) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": _uri(source.path), "uriBaseId": "%SRCROOT%"}}
    return {"physicalLocation": place if span is None else place | {"region": _region(source, span)}}


def _uri(path: str) -> str:
    return quote(_NO_BYTE.sub("\ufffd", path).encode("utf-8", "surrogateescape"), safe="/")


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = (_position(source, min(at, len(source.text))) for at in (span.start, span.end))
    return {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}


def _position(source: Source, offset: int) -> tuple[int, int]:
    """The line and the column of an offset, from 1; the column in code units of UTF-16."""
    line, column = source.position(offset)
    before = source.text[offset - column + 1 : offset]
    return line, len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1
