"""What there is to say about a claim that is not as stated."""

from __future__ import annotations

from epochproof.diagnostics import Source
from epochproof.prove.verdict import Judged
from epochproof.report._counterexample import in_full
from epochproof.report._style import Style


def details(claim: Judged, source: Source, style: Style) -> list[str]:
    """The counterexample in full, or the reason; one line each."""
    verdict = claim.verdict
    match verdict.word:
        case "refuted" if verdict.counterexample is not None:
            return in_full(verdict.counterexample, source, style)
        case "proved":
            return ["it is stated as false, but true for all that the spec leaves free; `prove` states it"]
        case "vacuous":
            return [f"the claim says nothing: {verdict.reason}"]
        case _:
            return [f"undecided: {verdict.reason}"]
