"""The claims of a statement and what they rest on, as parts of its page."""

from __future__ import annotations

from epochproof.report._html import Html, element, joined
from epochproof.statement.evidence import NOBODY
from epochproof.statement.predicate import Assumption, Claim, Predicate

_INKS = {True: ("✓", "good"), False: ("✗", "bad"), None: ("?", "open")}
_EVIDENCE = {
    "run": "one case was run, which shows it",
    "enumerated": "the cases up to a bound were run, and no others",
    "manifest": "the rows of the manifest were compared, {} in all",
    "exhausted": "each case that there is was run, {} in all",
    "solver": "a prover showed it for all values at once",
    "two solvers": "two provers showed it for all values at once, each by itself",
}
"""What was done, for each evidence that a statement names; `{}` is the number in it."""


def claims(predicate: Predicate) -> Html:
    """Each claim with its verdict, and what shows it."""
    numbers = {each.id: at for at, each in enumerate(predicate.assumptions, 1)}
    if not predicate.claims:
        return element("p", "The spec states no claim.")
    return joined(*(_claim(each, numbers) for each in predicate.claims))


def _claim(claim: Claim, numbers: dict[str, int]) -> Html:
    mark, ink = _INKS[None if claim.verdict == "unknown" else claim.as_stated]
    scope = ", ".join(
        f"every order ({each.name})" if each.order else f"every {each.name} of {each.domain}"
        for each in claim.scope
    )
    rows = [
        ("states that it", "holds" if claim.kind == "prove" else "does not hold"),
        ("for", scope or "the values of the spec"),
        ("evidence", _evidence(claim.evidence)),
        ("because", claim.reason or ""),
        ("assuming", ", ".join(str(numbers.get(each, each)) for each in claim.assumptions)),
    ]
    badge = element(
        "span", element("span", mark, aria_hidden="true"), " ", claim.verdict, class_=f"badge {ink}"
    )
    return element(
        "article",
        element("h3", badge, " ", claim.text),
        element("pre", element("code", claim.formula)),
        element("dl", *(joined(element("dt", name), element("dd", value)) for name, value in rows if value)),
        class_=f"claim {ink}",
    )


def _evidence(evidence: str) -> str:
    """The word of the statement, and what was done."""
    word, _, count = evidence.removesuffix(")").partition("(")
    told = _EVIDENCE.get(word, "").format(count)
    return f"{evidence}: {told}" if told else evidence


def assumptions(predicate: Predicate) -> Html:
    """Each assumption, in the order of its number, and who checked it."""
    if not predicate.assumptions:
        return element("p", "No verdict rests on an assumption.")
    items = (element("li", each.text, " ", _checked_by(each)) for each in predicate.assumptions)
    return element("ol", *items, class_="assumptions")


def _checked_by(assumption: Assumption) -> Html:
    if assumption.checked_by == NOBODY:
        return element("span", "nobody checked it", class_="badge open")
    return element("span", f"checked by {assumption.checked_by}", class_="badge good")
