"""The claims of a spec as sections of HTML: verdict, evidence, assumptions, counterexample and story."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.diagnostics import Source, Span
from epochproof.prove.account import Account, Story
from epochproof.prove.verdict import Counterexample, Judged
from epochproof.report._counterexample import in_full
from epochproof.report._html import Html, element, joined, lines
from epochproof.report._page_tale import story
from epochproof.report._style import Style, shown

_MARKS = {"as stated": "✓", "not as stated": "✗", "vacuous": "✗", "unknown": "?"}
_INKS = {"as stated": "good", "not as stated": "bad", "vacuous": "bad", "unknown": "open"}

_EVIDENCE = {
    "solver": "a solver showed that no values contradict the claim",
    "exhausted": "every world of the finite domains was run",
    "run": "one world was run, and the claim is false in it",
}


def claims(account: Account) -> Html:
    """All claims in the order in which they are written, and once what they rest on."""
    checked = account.checked
    every = dict.fromkeys(text for each in checked.claims for text in each.assumptions)
    numbers = {text: at for at, text in enumerate(every, 1)}
    items = [
        _claim(at, claim, _statement(span, checked.source), stories, numbers, checked.source)
        for at, (claim, span, stories) in enumerate(
            zip(checked.claims, account.statements, account.stories, strict=True), 1
        )
    ]
    return element(
        "section",
        element("h2", "Claims", id="claims-head"),
        joined(*items) if items else element("p", "The spec states no claim."),
        _assumptions(numbers),
        id="claims",
        aria_labelledby="claims-head",
    )


def outcome(claim: Judged) -> str:
    """`as stated`, `not as stated`, `vacuous` or `unknown`."""
    if claim.as_stated:
        return "as stated"
    return claim.verdict.word if claim.verdict.word in ("vacuous", "unknown") else "not as stated"


def _statement(span: Span, source: Source) -> Html:
    """The claim as it is written."""
    return element("pre", element("code", lines(source.text[span.start : span.end])))


def _claim(
    at: int,
    claim: Judged,
    statement: Html,
    stories: tuple[Story, ...],
    numbers: Mapping[str, int],
    source: Source,
) -> Html:
    line, _ = source.position(claim.span.start)
    found = outcome(claim)
    rows = [
        ("stated as", f"{claim.kind}, line {shown(line)}: {found}"),
        ("evidence", _evidence(claim)),
        ("because", _reason(claim)),
        ("bound to", ", ".join(map(str, claim.uses))),
        ("assuming", ", ".join(str(numbers[text]) for text in claim.assumptions)),
    ]
    return element(
        "article",
        element("h3", _badge(claim, found), " ", claim.text),
        statement,
        element("dl", *(joined(element("dt", name), element("dd", value)) for name, value in rows if value)),
        _counterexample(claim, stories, source),
        id=f"claim-{at}",
        class_=f"claim {_INKS[found]}",
    )


def _badge(claim: Judged, found: str) -> Html:
    mark = element("span", _MARKS[found], aria_hidden="true")
    return element("span", mark, " ", claim.verdict.word, class_=f"badge {_INKS[found]}")


def _evidence(claim: Judged) -> str:
    kind, _, number = claim.verdict.evidence.partition("(")
    if kind == "exhausted":
        return f"{kind}: {_EVIDENCE[kind]} ({shown(int(number.rstrip(')')))} in all)"
    return f"{kind}: {_EVIDENCE.get(kind, '')}" if kind else ""


def _reason(claim: Judged) -> str:
    verdict = claim.verdict
    if verdict.word in ("unknown", "vacuous"):
        return verdict.reason
    if verdict.word == "proved" and not claim.as_stated:
        return "it is stated as false, but true for all that the spec leaves free"
    return ""


def _counterexample(claim: Judged, stories: tuple[Story, ...], source: Source) -> Html | None:
    counterexample = claim.verdict.counterexample
    if counterexample is None:
        return None
    said = "\n".join(in_full(counterexample, source, Style()))
    tales = [story(each, counterexample, source) for each in stories]
    return element(
        "details",
        element("summary", "the counterexample, stage by stage" if stories else "the counterexample"),
        element("pre", lines(said), class_="said"),
        *tales,
        None if stories else _untold(counterexample),
        open=not claim.as_stated,
    )


def _untold(counterexample: Counterexample) -> Html | None:
    """Why there is no story."""
    if counterexample.of_records:
        return None
    if counterexample.made_up:
        return element("p", "Its draws are made up, so that no list shows them.")
    return element("p", "Its world is too large to be drawn.")


def _assumptions(numbers: Mapping[str, int]) -> Html | None:
    if not numbers:
        return None
    items = (element("li", text) for text in numbers)
    return joined(element("h3", "What the verdicts assume"), element("ol", *items, class_="assumptions"))
