"""What there is to say about a claim that is not as stated."""

from __future__ import annotations

from epochproof.diagnostics import Source
from epochproof.prove.verdict import Judged, Verdict
from epochproof.report._bound import bound_to
from epochproof.report._counterexample import in_full
from epochproof.report._style import Style


def details(claim: Judged, source: Source, style: Style) -> list[str]:
    """The counterexample in full, or the reason, and the bound values behind it; one line each."""
    verdict = claim.verdict
    if verdict.word == "refuted" and verdict.counterexample is not None:
        return [*in_full(verdict.counterexample, source, style), *bound_to(claim)]
    return [_in_words(verdict), *bound_to(claim)]


def _in_words(verdict: Verdict) -> str:
    match verdict.word:
        case "proved":
            return "it is stated as false, but true for all that the spec leaves free; `prove` states it"
        case "vacuous":
            return f"the claim says nothing: {verdict.reason}"
        case _:
            return f"undecided: {verdict.reason}"
