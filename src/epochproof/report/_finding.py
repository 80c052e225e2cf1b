"""What is wrong, claim by claim and diagnostic by diagnostic, for the formats that show nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from epochproof.codes import explain
from epochproof.diagnostics import Diagnostic, Label, Source, Span, SpecError
from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged
from epochproof.report._details import details
from epochproof.report._style import Style


@dataclass(frozen=True)
class Rule:
    """What a finding breaks: a code of the catalogue, or a verdict that a claim should not have."""

    id: str
    title: str
    summary: str
    why: str


@dataclass(frozen=True)
class Finding:
    """A claim that is not as stated, or a diagnostic of a spec.

    `lines` tell it in full, each without a line break or anything that could steer a terminal.
    `identity` stays the same when the lines of the file move.
    """

    rule: Rule
    level: Literal["error", "warning"]
    source: Source
    span: Span | None
    lines: tuple[str, ...]
    related: tuple[Label, ...]
    identity: str


def findings(outcomes: Sequence[Checked | SpecError]) -> list[Finding]:
    """What is wrong with the specs, in the order in which it is written; nothing where all is as stated."""
    return [found for each in outcomes for found in _findings(each)]


def of_claim(claim: Judged, source: Source) -> Finding:
    """What is wrong with a claim that is not as stated."""
    verdict = claim.verdict
    blame = None if verdict.counterexample is None else verdict.counterexample.blame
    return Finding(
        rule=CLAIMS[verdict.word],
        level="warning" if verdict.word == "unknown" else "error",
        source=source,
        span=claim.span,
        lines=tuple(
            safe(line)
            for line in (
                f'{claim.kind} "{claim.text}" is {verdict.word}',
                *details(claim, source, Style()),
            )
        ),
        related=() if blame is None else (Label(blame.span, blame.text),),
        identity=f"{claim.kind} {claim.text}",
    )


def of_diagnostic(diagnostic: Diagnostic, source: Source) -> Finding:
    """What is wrong with a spec, or with the file it should be in."""
    lines = [diagnostic.message, *([f"help: {diagnostic.help}"] if diagnostic.help else [])]
    at = None if diagnostic.span is None else min(diagnostic.span.start, len(source.text))
    written = "" if at is None else source.line(source.position(at)[0]).strip()
    return Finding(
        rule=_rule(diagnostic.code),
        level=diagnostic.severity,
        source=source,
        span=diagnostic.span,
        lines=tuple(map(safe, lines)),
        related=diagnostic.secondary,
        identity=f"{diagnostic.message} {written}",
    )


def _findings(outcome: Checked | SpecError) -> list[Finding]:
    if isinstance(outcome, Checked):
        return [of_claim(each, outcome.source) for each in outcome.claims if not each.as_stated]
    source = outcome.source or Source("", "")
    return [of_diagnostic(each, source) for each in outcome.diagnostics]


def _rule(code: str) -> Rule:
    found = explain(code)
    if found is None:
        return Rule(code, code, code, code)
    return Rule(code, f"{code} {found.name}", found.summary, found.why)


CLAIMS: Mapping[str, Rule] = {
    "refuted": Rule(
        "claim-refuted",
        "claim refuted",
        "a claim that is stated as true is false",
        "The counterexample is a set of values for which the schedule makes the claim false. "
        "Change the stage at fault, narrow what the spec leaves free, or state the claim with `refute`.",
    ),
    "proved": Rule(
        "claim-proved",
        "claim proved",
        "a claim that is stated as false is true",
        "The claim holds for all that the spec leaves free. State it with `prove`.",
    ),
    "vacuous": Rule(
        "claim-vacuous",
        "claim vacuous",
        "a claim says nothing, because its premises contradict each other",
        "No values satisfy the premises. Change what is assumed, or what is given.",
    ),
    "unknown": Rule(
        "claim-unknown",
        "claim unknown",
        "a claim was neither proved nor refuted",
        "The reason says what was tried. Do not rely on the claim.",
    ),
}
"""For each verdict the rule that a claim breaks with it, where it is not as stated."""
