"""An expectation is the mean over every sequence of draws there is."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

import epochproof
from epochproof.claim._occupancy import distinct_odds, missed
from epochproof.claim.expected import _SIZES
from epochproof.diagnostics import SpecError
from tests.claim.agreement import proofs, verdicts
from tests.claim.chances import Drawn, all_small

FREE = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{
  ranks in 1..
  draw(d.size{times}, seed = any)
  shard(ranks, tail = uneven)
}}
prove "" : {claim}
"""


def scaled(mean: Fraction, use: str) -> list[str]:
    """Four claims about a mean: it is what it is, and no more, less, or other than that."""
    left = f"{mean.denominator} * expected({use})"
    return [f"{left} {operator} {mean.numerator}" for operator in ("==", "<", ">", "!=")]


def test_mean_is_that_of_all_sequences() -> None:
    for each in all_small():
        read = each.mean()
        left_out = each.size - read
        claims = [*scaled(read, "l.distinct"), *scaled(left_out, "count(l.omitted)")]

        assert verdicts(each.text(*claims)) == ["proved", "refuted", "refuted", "refuted"] * 2, each


def test_mean_of_a_rank_is_that_of_all_sequences() -> None:
    for each in [each for each in all_small() if each.ranks > 1 and each.size == 3]:
        means = {each.mean(rank) for rank in range(each.ranks)}
        claims = [f"{mean.denominator} * expected(l.distinct(rank)) == {mean.numerator}" for mean in means]

        assert verdicts(each.text(*claims)) == ["proved" if len(means) == 1 else "refuted"] * len(means), each


def test_each_epoch_of_a_run_draws_anew_unless_it_is_never_reseeded() -> None:
    text = """edition 1
dataset d { size = 3 }
loader anew over d {
  epochs = 2
  draw(2, seed = any)
}
loader never over d {
  epochs = 2
  draw(2, seed = any, reseed = never)
}
prove "" : 27 * expected(count(anew.omitted(run))) == 16
prove "" : 3 * expected(count(never.omitted(run))) == 4
"""
    four, two = Drawn(3, 4, 1, ()), Drawn(3, 2, 1, ())

    assert (3 - four.mean(), 3 - two.mean()) == (Fraction(16, 27), Fraction(4, 3))
    assert verdicts(text) == ["proved", "proved"]


def test_epochs_of_persistent_workers_are_not_taken_for_draws_of_their_own() -> None:
    blocks = (
        "edition 1\ndataset d { size = 4 }\nloader l over d { style = iterable, workers = 2, epochs = 3\n"
    )
    claim = '}\nprove "" : expected(count(l.omitted(run))) <= 0.13\n'

    assert verdicts(f"{blocks}draw(4), shard(workers) {claim}") == ["proved"]
    assert verdicts(f"{blocks}persistent = true, draw(4), shard(workers) {claim}") == ["unknown"]


def test_ranks_with_lists_of_their_own_draw_on_their_own() -> None:
    text = """edition 1
dataset d { size = 3 }
loader own over d {
  ranks = 2
  epochs = 2
  draw(3, seed = any, shared = false)
  batch(2, tail = drop)
}
loader same over d {
  ranks = 2
  draw(3, seed = any)
  batch(2, tail = drop)
}
"""
    four, two, eight = (Drawn(3, n, 1, ()).mean() for n in (4, 2, 8))
    claims = [
        *scaled(four, "own.distinct"),
        *scaled(two, "own.distinct(rank)"),
        *scaled(eight, "own.distinct(run)"),
        *scaled(two, "same.distinct"),
    ]
    text += "\n".join(f'prove "{at}" : {claim}' for at, claim in enumerate(claims))

    assert verdicts(text) == ["proved", "refuted", "refuted", "refuted"] * 4
    assert proofs(text) == [True, False, False, False] * 4


@pytest.mark.parametrize(
    ("times", "claim", "verdict"),
    [
        ("", "expected(count(l.omitted)) <= 0.368 * d.size", "proved"),
        ("", "expected(count(l.omitted)) <= 0.36 * d.size", "refuted"),
        ("", "expected(l.distinct) > 0.632 * d.size", "proved"),
        ("", "expected(l.distinct) <= 0.75 * d.size given d.size >= 2", "proved"),
        ("", "expected(l.distinct) <= 0.74 * d.size given d.size >= 2", "refuted"),
        ("", "expected(l.distinct) <= d.size", "proved"),
        (" * 3", "expected(count(l.omitted)) <= 0.05 * d.size", "proved"),
        (" * 3", "expected(count(l.omitted)) <= 0.04 * d.size", "refuted"),
        (" // 2", "expected(count(l.omitted)) <= d.size", "proved"),
        (" // 2", "expected(l.distinct) <= d.size // 2", "proved"),
        (" // 2", "expected(count(l.omitted)) >= 0.25 * d.size given d.size >= 2", "proved"),
    ],
)
def test_every_size_at_once(times: str, claim: str, verdict: str) -> None:
    assert verdicts(FREE.format(times=times, claim=claim)) == [verdict]


def test_share_rises_with_the_size_and_stays_below_its_limit() -> None:
    for times in range(1, 13):
        shares = [missed(size, size * times)[0] for size in (*_SIZES[:-1], 5_000)]

        assert sorted(shares[:-2]) == shares[:-2]
        assert all(share < exp(-times) for share in shares)


def test_rounded_bounds_hold_the_exact_share() -> None:
    for size, draws in ((10**6, 10**6), (10**7, 10**5), (3, 10**7)):
        low, high = missed(size, draws)

        assert low <= high
        assert abs(high - low) < Fraction(1, 2**200)
        assert float(low) == pytest.approx((1 - 1 / size) ** draws, rel=1e-6)


def test_exact_share_lies_within_rounded_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [(size, draws) for size in range(1, 30) for draws in range(40)]
    exact = [missed(*case)[0] for case in cases]
    monkeypatch.setattr("epochproof.claim._occupancy.MOST_BITS", -1)
    rounded = [missed(*case) for case in cases]

    assert all(low <= share <= high for share, (low, high) in zip(exact, rounded, strict=True))


def test_odds_are_those_of_all_sequences() -> None:
    for each in [each for each in all_small() if each.below == ()]:
        odds = each.odds()
        found = distinct_odds(each.size, each.n)

        assert found == [Fraction(odds[k], odds.total()) for k in range(len(found))]


@pytest.mark.parametrize(
    "draw", ["draw(3, seed = any, weights = w)", "draw(3, seed = any, shared = false)\n  shard(ranks)",
             "draw(3, seed = any, replacement = false)", "shard(ranks, tail = drop)\n  draw(3, seed = any)",
             "draw(3)\n  draw(3, seed = any)"]
)  # fmt: skip
def test_where_no_rule_tells_it_is_unknown(draw: str) -> None:
    text = f"edition 1\ndataset d {{ size = 5 }}\nloader l over d {{\n  ranks = 2\n  {draw}\n}}\n"

    assert verdicts(f'{text}prove "" : expected(l.distinct) <= 3\n') == ["unknown"]


def test_large_numbers_take_no_longer() -> None:
    text = FREE.format(times="", claim="expected(l.distinct) >= 0.6321205 * d.size")

    assert verdicts(text.replace("in 1.. }", "= 1_000_000_000 }")) == ["proved"]


def test_loader_that_draws_nothing_is_refused() -> None:
    text = Drawn(3, 3, 1, ()).text("expected(l.distinct) <= 3").replace("draw(3, seed = any)", "shuffle()")

    with pytest.raises(SpecError, match="`expected` is about `draw`"):
        epochproof.check(text)


@pytest.mark.parametrize(
    "claim",
    [
        "expected(l.omitted) <= 3",
        "expected(l.steps) <= 3",
        "expected() <= 3",
        "expected(l.distinct, l.distinct) <= 3",
        "expected(d.size) <= 3",
        "max(expected(l.distinct), 3) <= 3",
        "expected(l.distinct)",
        "expected(l.distinct) // 2 <= 3",
        "expected(l.distinct) <= {3}",
        "expected(l.distinct) <= l.omitted",
    ],
)
def test_what_it_does_not_know_is_refused(claim: str) -> None:
    with pytest.raises(SpecError):
        epochproof.check(Drawn(3, 3, 1, ()).text(claim))
