"""A probability is the share of all sequences of draws."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from tests.claim.agreement import verdicts
from tests.claim.chances import Drawn, all_small

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def share(each: Drawn, compared: str, bound: int, *, left_out: bool = False) -> Fraction:
    """The share of all sequences of which so many records, read or left out, are so to the bound."""
    odds, holds = each.odds(), OPERATORS[compared]
    ways = sum(ways for k, ways in odds.items() if holds(each.size - k if left_out else k, bound))
    return Fraction(ways, odds.total())


def exactly(share: Fraction, event: str) -> list[str]:
    """Three claims about a probability: it is what it is, no less and no more."""
    left = f"{share.denominator} * probability({event})"
    return [f"{left} {compared} {share.numerator}" for compared in ("==", "<", ">")]


def test_full_coverage_is_as_likely_as_among_all_sequences() -> None:
    for each in all_small():
        full = share(each, "==", each.size)
        claims = [*exactly(full, "l.omitted == {}"), *exactly(full, "count(l.omitted) < 1")]
        claims += [*exactly(full, "d.size == l.distinct"), *exactly(1 - full, "l.omitted != {}")]

        assert verdicts(each.text(*claims)) == ["proved", "refuted", "refuted"] * 4, each


@pytest.mark.parametrize("compared", OPERATORS)
def test_any_number_is_as_likely_as_among_all_sequences(compared: str) -> None:
    for each in [each for each in all_small() if each.n in (0, 4)]:
        read, left_out = share(each, compared, 2), share(each, compared, 1, left_out=True)
        swapped = share(each, SWAPPED[compared], 2)
        claims = [
            exactly(read, f"l.distinct {compared} 2")[0],
            exactly(left_out, f"count(l.omitted) {compared} 1")[0],
            exactly(swapped, f"2 {compared} count(l.covered)")[0],
        ]

        assert verdicts(each.text(*claims)) == ["proved"] * 3, each


def test_free_numbers_of_a_finite_domain_are_all_run() -> None:
    text = Drawn(4, 8, 1, ()).text(
        "probability(l.omitted == {}) <= 0.63", "probability(l.omitted == {}) <= 0.5"
    )
    judged = epochproof.check(text.replace("draw(8,", "draw(in 4..8,")).claims

    assert [each.verdict.word for each in judged] == ["proved", "refuted"]
    assert judged[0].verdict.evidence == "exhausted(5)"


def test_fewer_draws_than_records_never_read_everything() -> None:
    text = """edition 1
dataset d { size in 1.. }
loader l over d { draw(in 0.., seed = any) }
prove "" : probability(l.omitted == {}) == 0 given l.draw < d.size
prove "" : probability(l.omitted == {}) == 0
prove "" : probability(l.omitted == {}) <= 1
"""
    assert verdicts(text) == ["proved", "refuted", "proved"]


def test_number_that_takes_too_long_is_unknown() -> None:
    text = Drawn(1_000_000, 1_000_000, 1, ()).text("probability(l.omitted == {}) <= 0.5")
    verdict = epochproof.check(text).claims[0].verdict

    assert verdict.word == "unknown"
    assert "1_000_000 draws from 1_000_000 records takes too long" in verdict.reason


def test_free_numbers_are_unknown_where_no_rule_tells() -> None:
    text = Drawn(2, 2, 1, ()).text("probability(l.omitted == {}) <= 0.5 given d.size >= 2")

    assert verdicts(text.replace("size = 2", "size in 1..").replace("draw(2,", "draw(d.size,")) == ["unknown"]


@pytest.mark.parametrize(
    "claim",
    [
        "probability(l.distinct) <= 0.5",
        "probability(l.omitted <= {1}) <= 0.5",
        "probability(l.steps == 1) <= 0.5",
        "probability(l.distinct == l.distinct) <= 0.5",
        "probability(l.multiplicity == 1) <= 0.5",
        "probability(l.omitted == {} and l.distinct == 3) <= 0.5",
        "probability() <= 0.5",
        "0.5 <= probability",
        "not probability(l.omitted == {})",
    ],
)
def test_what_it_does_not_know_is_refused(claim: str) -> None:
    with pytest.raises(SpecError):
        epochproof.check(Drawn(3, 3, 1, ()).text(claim))
