"""One claim explained to a person: its verdict, what it rests on, and the formulas that were proved."""

from __future__ import annotations

from textwrap import wrap

from epochproof.diagnostics import Source, Span
from epochproof.language.columns import safe
from epochproof.prove.verdict import Judged, Verdict
from epochproof.report._bound import bound_to
from epochproof.report._counterexample import in_full
from epochproof.report._style import Ink, Style, counted, shown
from epochproof.term.as_text import as_text
from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Op, Term

_MOST_OPERATIONS = 2_000
"""A formula that is longer once its shared parts are written out is only measured."""

_EVIDENCE = {
    "solver": "a solver showed that each obligation below has no solution",
    "exhausted": "every world of the finite domains was run as lists",
    "manifest": "all rows of the manifest were compared",
    "run": "the world below was run as lists, and the claim is false in it",
}


def render(
    claim: Judged,
    written: Span,
    source: Source,
    *,
    colour: bool = False,
    symbols: bool = True,
    columns: int = 100,
) -> str:
    """Several lines without a line break at the end.

    Args:
        claim: The claim with its verdict.
        written: Where the whole claim stands in the source.
        source: The text of the spec.
        colour: Whether to write ANSI colours.
        symbols: Whether the output can show signs beyond ASCII.
        columns: How wide a line may be.
    """
    style = Style(colour, symbols, columns)
    line, _ = source.position(written.start)
    statement = [safe(each) for each in source.text[written.start : written.end].splitlines()]
    lines = [style.ink("faint", safe(f"{source.path}:{line}")), *statement, "", *_verdict(claim, style)]
    if claim.verdict.counterexample is not None:
        lines += ["", *in_full(claim.verdict.counterexample, source, style)]
    if claim.uses:
        lines += ["", *bound_to(claim)]
    if claim.assumptions:
        lines += ["", "assuming", *(f"  {safe(each)}" for each in claim.assumptions)]
    for number, obligation in enumerate(claim.verdict.obligations, 1):
        lines += ["", f"obligation {number}: no values make all of this true", *_formula(obligation, style)]
    lines += _beside(claim.verdict)
    return "\n".join(lines)


def _verdict(claim: Judged, style: Style) -> list[str]:
    verdict = claim.verdict
    ink: Ink = "good" if claim.as_stated else "open" if verdict.word == "unknown" else "bad"
    kind, _, number = verdict.evidence.partition("(")
    stated = "as stated" if claim.as_stated else f"and `{claim.kind}` states otherwise"
    lines = [f"{style.ink(ink, verdict.word)}, {stated}"]
    if verdict.word in ("unknown", "vacuous"):
        lines = [f"{style.ink(ink, verdict.word)}: {verdict.reason}"]
    if verdict.evidence:
        worlds = f" ({shown(int(number.rstrip(')')))} in all)" if kind in ("exhausted", "manifest") else ""
        lines.append(f"evidence {verdict.evidence}: {_EVIDENCE.get(kind, kind)}{worlds}")
    return lines


def _beside(verdict: Verdict) -> list[str]:
    """What the rule behind a claim rests on beside the obligations that are shown."""
    sides = len(verdict.shown) - max(1, len(verdict.obligations))
    return ["", f"the rule rests on {counted(sides, 'side condition')}, shown alike"] if sides > 0 else []


def _formula(condition: Bool, style: Style) -> list[str]:
    """The conditions that it joins, one a line."""
    parts = condition.args if condition.op is Op.ALL else (condition,)
    lines: list[str] = []
    for at, part in enumerate(parts):
        operations = _operations(part)
        text = (
            as_text(part)
            if operations <= _MOST_OPERATIONS
            else f"a formula of {shown(operations)} operations"
        )
        lead = "      " if at == 0 else "  and "
        bare = f"({text})" if part.op is Op.ANY and len(parts) > 1 else text
        lines += wrap(
            bare, style.columns, initial_indent=lead, subsequent_indent=" " * 8, break_long_words=False
        )
    return lines


def _operations(term: Term) -> int:
    """How long the term is once every shared part is written out."""
    found: dict[Term, int] = {}
    for each in postorder(term):
        found[each] = 1 + sum(found[part] for part in each.args)
    return found[term]
