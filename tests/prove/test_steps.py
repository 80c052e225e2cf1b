"""Linear steps: every text in them has no solution, and a wrong rewriting is noticed by its fact."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import z3

import epochproof
from epochproof.prove import normal
from epochproof.prove.cases import multiples
from epochproof.prove.facts import Facts
from epochproof.prove.linear import search_of
from epochproof.prove.named import Named
from epochproof.prove.normal import Normal
from epochproof.prove.obligations import Obligation, obligations, written
from epochproof.prove.polynomial import ONE, Polynomial
from epochproof.prove.recheck import ask
from epochproof.prove.second import FACT, LINEAR, in_steps
from epochproof.prove.shown import Shown
from epochproof.prove.steps import steps
from epochproof.term.node import Bool, both, equal, implies, less_equal, negate, variable

EXAMPLES = Path(__file__).parents[2] / "examples"
A, B, C, D, Q, X = map(variable, "abcdqx")
SCHEMAS: dict[str, Bool] = {
    "products": implies(both(less_equal(0, A), less_equal(0, B)), less_equal(0, A * B)),
    "equations": implies(equal(A, B), equal(A * C, B * C)),
    "quotients": implies(
        both(less_equal(1, D), less_equal(D * Q, X), less_equal(X + 1, D * Q + D)), equal(X // D, Q)
    ),
    "remainders": implies(less_equal(1, D), equal(X % D, X - D * (X // D))),
}
K, N = variable("k"), variable("n")
GIVEN = both(less_equal(1, B), less_equal(0, K), less_equal(0, N))
RIGHT = Shown(GIVEN, equal((N - K * B) // B, N // B - K))
WRONG = Shown(GIVEN, equal((N - K * B) // B, N // B - K + 1))


@cache
def hard(example: str, text: str) -> list[Obligation]:
    """The obligations of a claim that multiply."""
    claims = epochproof.check(EXAMPLES / f"{example}.epoch").claims
    found = [each for claim in claims if claim.text == text for each in obligations(claim)]
    return [each for each in found if each.logic.endswith("NIA")]


def by_z3(text: str) -> str:
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("rlimit", 3_000_000)
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize("schema", SCHEMAS)
def test_both_solvers_prove_the_schemas(schema: str) -> None:
    text = written([], [("the contrary", (negate(SCHEMAS[schema]),))])

    assert by_z3(text) == "unsat"
    assert ask(text, FACT) == "unsat"


def test_linear_text_multiplies_nothing() -> None:
    (obligation,) = hard("resume", "an exact resume loses and repeats nothing")
    way = next(steps(obligation.shown))

    assert "(set-logic QF_UFLIA)" in way.linear or "(set-logic QF_LIA)" in way.linear
    assert by_z3(way.linear) == "unsat"


@pytest.mark.parametrize(
    ("example", "text"),
    [
        ("any-size", "dropping the batch tail costs less than one global batch"),
        ("elastic", "resuming on another world size loses and repeats nothing, at a fixed global batch"),
    ],
)
def test_cvc5_shows_every_text(example: str, text: str) -> None:
    assert all(in_steps(each.shown, ask) for each in hard(example, text))


def test_no_fact_rests_on_itself() -> None:
    (obligation,) = hard("elastic", "every step reads the same records on any world size")
    whole = obligation.shown.whole
    for merge in (False, True):
        form = Normal({}, merge)
        found = search_of(whole, form, 600_000)
        assert found is not None and found.ask(32).status == "none"
        named = Named(form)
        named.condition(whole)
        facts = Facts(whole, named, found)
        rank: dict[str, int] = {}
        for _ in facts.known:
            ready = [
                each
                for each in facts.known
                if each not in rank and all(of in rank for of in facts.rests_on(each))
            ]
            rank |= {each: len(rank) for each in ready}

        assert len(rank) == len(facts.known) > 20


def test_what_is_right_is_shown() -> None:
    assert in_steps(RIGHT, ask)


def test_wrong_rewriting_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def off_by_one(x: Polynomial, d: Polynomial) -> tuple[Polynomial, Polynomial]:
        taken, rest = multiples(x, d)
        return (taken + ONE if taken.terms else taken), rest

    assert not list(steps(WRONG))

    monkeypatch.setattr(normal, "multiples", off_by_one)
    (way, *_) = list(steps(WRONG))

    assert ask(way.linear, LINEAR) == "unsat"
    assert [ask(each, FACT) for each in way.facts].count("unsat") < len(way.facts)
    assert not in_steps(WRONG, ask)


def test_wrong_fact_about_products_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = both(equal(A * B, N), less_equal(1, B), less_equal(0, A))
    shown = Shown(known, equal((N - K * B) // B, A - K))

    assert in_steps(shown, ask)

    monkeypatch.setattr(Normal, "reduced", lambda _, polynomial: polynomial.plus(-1))
    (way, *_) = list(steps(shown))

    assert ask(way.linear, LINEAR) == "unsat"
    assert "sat" in [ask(each, FACT) for each in way.facts]
    assert not in_steps(shown, ask)
