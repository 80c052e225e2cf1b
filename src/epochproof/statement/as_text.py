"""A statement, and what became of checking one, as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.language.columns import padded, safe
from epochproof.statement.predicate import Claim, Predicate, Statement
from epochproof.statement.rooted import told
from epochproof.statement.verification import REFUSED, Finding, Verification

_SIGNS = {"ok": "ok", "skipped": "-", "refused": "REFUSED", "noted": "!"}


def statement_as_text(statement: Statement) -> str:
    """Several lines without a line break at the end."""
    return "\n".join(_lines(statement))


def verification_as_text(found: Verification) -> str:
    """A line for each finding, what is stated, what the policy misses, and the result."""
    lines = [_finding(each) for each in found.findings]
    if found.statement is not None and found.exit_code != REFUSED:
        lines += ["", *_stated(found.statement, found.level)]
        lines += [""] if found.unmet else []
    lines += [f"{padded('policy', 13)} {padded('UNMET', 8)} {each}" for each in found.unmet]
    word = {0: "accepted", 1: "not accepted: the policy is not met", REFUSED: "REFUSED"}[found.exit_code]
    return "\n".join([*lines, "", f"{_level(found)}: {word}"])


def _stated(statement: Statement, level: str) -> Iterator[str]:
    """What is accepted, and how far anybody here looked whether it is true."""
    predicate = statement.predicate
    looked = "found true again here" if level >= "V3" else "not checked here: that takes `--spec`, and V3"
    yield f"it states, as of {predicate.verified_at}, {looked}"
    yield from _said(predicate)


def _level(found: Verification) -> str:
    """The level that was reached, and whether the second prover was left out below it."""
    left_out = found.level == "V5" and all(each.level != "V4" or each.word != "ok" for each in found.findings)
    return f"{found.level or 'no level'}{', V4 left out' if left_out else ''}"


def _finding(finding: Finding) -> str:
    code = f" [{finding.code}]" if finding.code else ""
    return f"{padded(finding.what, 13)} {padded(_SIGNS[finding.word], 8)} {finding.text}{code}"


def _lines(statement: Statement) -> Iterator[str]:
    predicate = statement.predicate
    for subject in statement.subject:
        for algorithm, digest in subject.digest.items():
            yield f"{safe(subject.name)}  {algorithm} {digest}"
    yield f"meaning  sha256 {predicate.language.semantic_digest.sha256}"
    yield ""
    yield from _said(predicate)
    if predicate.commitments is not None and any(
        each.source == "trace" for each in predicate.commitments.streams
    ):
        yield ""
        yield from (f"  {each}" for each in told(predicate.commitments))
    yield from _assumed(predicate)


def _said(predicate: Predicate) -> Iterator[str]:
    """The claims with their verdicts, then what each loader reads."""
    width = max((len(each.verdict) for each in predicate.claims), default=0)
    for claim in predicate.claims:
        yield _claim(claim, width)
    if predicate.claims and predicate.populations:
        yield ""
    for each in predicate.populations:
        yield f"  {safe(each.loader)}: {safe(each.sentence)}"


def _claim(claim: Claim, width: int) -> str:
    sign = "✓" if claim.as_stated else "✗"
    evidence = f"  ({safe(claim.evidence)})" if claim.evidence else ""
    return f'  {sign} {padded(claim.verdict, width)}  "{safe(claim.text)}"{evidence}'


def _assumed(predicate: Predicate) -> Iterator[str]:
    if predicate.assumptions:
        yield ""
    for each in predicate.assumptions:
        yield f"  {each.id}  {safe(each.text)}, checked by {safe(each.checked_by)}"
