"""What is drawn by weights is as likely as every sequence of draws together says, each with its product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import epochproof
from epochproof.claim import _weighted
from epochproof.claim._occupancy import TooMany, all_drawn, distinct_odds, missed
from epochproof.claim._weighted import (
    all_drawn_by_weight,
    distinct_odds_by_weight,
    missed_by_weight,
)
from tests.claim.agreement import verdicts

Exact = tuple[Fraction, ...]
WEIGHTS: list[Exact] = [
    tuple(map(Fraction, each.split()))
    for each in ("1", "1 2", "0 3 1", "1 1 2", "0.5 0.25 0.25", "1/3 2/3 0", "2 0 1 1")
]


def odds(weights: Exact, draws: int) -> Counter[int]:
    """How likely each number of different records is, over all sequences of draws."""
    found: Counter[int] = Counter()
    for drawn in product(range(len(weights)), repeat=draws):
        share = prod((weights[each] for each in drawn), start=Fraction(1)) / sum(weights) ** draws
        found[len(set(drawn))] += share  # type: ignore[assignment]  # fractions are counted, too
    return found


def wrong(weights: Exact, draws: int) -> bool:
    """Whether a number is another one than all sequences give."""
    counts, likely, size = Counter(weights), odds(weights, draws), len(weights)
    mean = sum((k * odd for k, odd in likely.items()), Fraction(0))
    return (
        missed_by_weight(counts, draws) != (size - mean, size - mean)
        or all_drawn_by_weight(counts, draws) != likely[size]
        or distinct_odds_by_weight(counts, draws) != [likely[k] for k in range(size + 1)]
    )


@pytest.mark.parametrize("draws", range(5))
def test_numbers_are_those_of_all_sequences(draws: int) -> None:
    assert not any(wrong(weights, draws) for weights in WEIGHTS)


def test_equal_weights_are_uniform_draws() -> None:
    for size, draws in product((1, 2, 5, 9), (0, 1, 4, 12, 30)):
        counts = {Fraction(3, 7): size}

        assert missed_by_weight(counts, draws)[0] == size * missed(size, draws)[0]
        assert all_drawn_by_weight(counts, draws) == all_drawn(size, draws)
        assert distinct_odds_by_weight(counts, draws)[: draws + 1] == distinct_odds(size, draws)[: size + 1]


def test_rounded_means_enclose_the_exact_one() -> None:
    counts = {Fraction(1, 10): 3, Fraction(7, 2): 40, Fraction(0): 2}
    exact, same = missed_by_weight(counts, 1_000)

    with patch.object(_weighted, "MOST_BITS", 0):
        low, high = missed_by_weight(counts, 1_000)

    assert exact == same
    assert low <= exact <= high
    assert 0 < high - low < Fraction(1, 2**200)


def test_what_takes_too_long_is_told() -> None:
    many = {Fraction(at): 1 for at in range(1, 6_000)}
    alike = {Fraction(1): 75_000, Fraction(2): 75_000}

    for ask in (missed_by_weight, all_drawn_by_weight, distinct_odds_by_weight):
        with pytest.raises(TooMany):
            ask(many, 10_000)
    for ask in (all_drawn_by_weight, distinct_odds_by_weight):
        with pytest.raises(TooMany):
            ask(alike, 200_000)
    assert all_drawn_by_weight(alike, 149_999) == 0
    with pytest.raises(TooMany):
        all_drawn_by_weight({Fraction(1): 100}, 10**9)


def multiplicity_forgotten(counts: _weighted.Counts) -> tuple[list[tuple[int, int]], int]:
    whole, total = _WHOLE(counts)
    return [(each, 1) for each, _ in whole], total


def floors(counts: _weighted.Counts) -> tuple[list[tuple[int, int]], int]:
    whole = [(int(each), times) for each, times in counts.items()]
    return whole, max(1, sum(each * times for each, times in whole))


def uniform(counts: _weighted.Counts) -> tuple[list[tuple[int, int]], int]:
    return [(1, times) for times in counts.values()], sum(counts.values())


_WHOLE = _weighted._whole


@pytest.mark.parametrize("fault", [multiplicity_forgotten, floors, uniform])
def test_planted_fault_is_seen(fault: Callable[[_weighted.Counts], object]) -> None:
    with patch.object(_weighted, "_whole", fault):
        assert any(wrong(weights, 2) for weights in WEIGHTS)


SPEC = """edition 1
dataset clips {{ manifest = "{folder}/clips.csv", weight = {named} }}
split s of clips by clips {{ assignment = part, train = "train", val = "val" }}
loader l over {over} {{ {above} draw({n}, seed = any, weights = w) {below} }}
"""


def written(folder: Path, weights: Exact, parts: str = "", **options: str | int) -> str:
    """A spec that draws by these weights, written as decimals, of records in these parts."""
    rows = [
        f"{float(each)},{part}\n" for each, part in zip(weights, parts or "t" * len(weights), strict=True)
    ]
    text = "".join(rows).replace(",t", ",train").replace(",v", ",val")
    (folder / "clips.csv").write_text("w,part\n" + text)
    given = {"over": "clips", "n": 3, "above": "", "below": "", "named": "w", "folder": folder}
    return SPEC.format(**{**given, **options})


def claims(weights: Exact, draws: int) -> str:
    """Claims about the numbers of all sequences, each true, then each false."""
    likely, size = odds(weights, draws), len(weights)
    mean = sum((k * odd for k, odd in likely.items()), Fraction(0))
    found = [
        (f"{mean.denominator} * expected(l.distinct)", mean.numerator),
        (f"{mean.denominator} * expected(count(l.omitted))", (size - mean).numerator),
        (f"{likely[size].denominator} * probability(l.omitted == {{}})", likely[size].numerator),
        (f"{likely[2].denominator} * probability(l.distinct == 2)", likely[2].numerator),
    ]
    return "".join(f'prove "" : {left} {to} {right}\n' for to in ("==", "!=") for left, right in found)


BINARY = [tuple(map(Fraction, each)) for each in (("1", "2"), ("0.5", "0.25", "0.25"), ("0", "3", "0.125"))]


@pytest.mark.parametrize("weights", BINARY, ids=str)
def test_weights_of_a_manifest_are_meant_exactly(weights: Exact, tmp_path: Path) -> None:
    part = written(tmp_path, (*weights, Fraction(9)), "t" * len(weights) + "v", over="s.train")

    assert verdicts(part + claims(weights, 3)) == ["proved"] * 4 + ["refuted"] * 4
    text = written(tmp_path, weights) + claims(weights, 3)
    assert verdicts(text) == ["proved"] * 4 + ["refuted"] * 4


def test_below_the_draw_only_what_is_read_counts(tmp_path: Path) -> None:
    weights = BINARY[1]
    text = written(tmp_path, weights, n=5, below="batch(2, tail = drop)") + claims(weights, 4)

    assert verdicts(text) == ["proved"] * 4 + ["refuted"] * 4


def test_verdict_lists_what_was_read(tmp_path: Path) -> None:
    (claim,) = epochproof.check(written(tmp_path, BINARY[0]) + 'prove "" : expected(l.distinct) <= 2').claims

    assert any(
        "weights of `clips` are those of column `w` (checked against" in each for each in claim.assumptions
    )
    assert any("as often as its weight says" in each for each in claim.assumptions)
    assert not any("equally often" in each for each in claim.assumptions)


def test_counterexample_is_drawn_by_the_weights_of_the_manifest(tmp_path: Path) -> None:
    text = written(tmp_path, tuple(map(Fraction, "0010")), n=20) + 'prove "" : l.multiplicity <= 19'

    (claim,) = epochproof.check(text).claims

    assert claim.verdict.counterexample is not None
    assert claim.verdict.counterexample.records == (2,)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"named": "v"}, "unknown"),
        ({"above": "shard(ranks)"}, "unknown"),
        ({"n": "in 0.."}, "unknown"),
        ({"n": "in 0..4"}, "proved"),
    ],
)
def test_chance_is_unknown_where_weights_or_numbers_are(
    options: dict[str, Any], word: str, tmp_path: Path
) -> None:
    text = written(tmp_path, BINARY[1], **options).replace("weight = v", "")

    assert verdicts(text + 'prove "" : expected(l.distinct) <= 3') == [word]


def test_column_without_a_weight_above_0_is_told(tmp_path: Path) -> None:
    text = written(tmp_path, (Fraction(0), Fraction(0))) + 'prove "" : expected(l.distinct) <= 3'

    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(text)

    assert [(each.code, each.message[-23:]) for each in raised.value.diagnostics] == [
        ("E610", "holds no weight above 0")
    ]


@pytest.mark.parametrize(
    "above", ["weigh(padding = 0)", "copy(ranks)", "weigh(by = inverse_multiplicity) copy(ranks)"]
)
def test_weights_are_listed_ones_below_what_moves_nothing(tmp_path: Path, above: str) -> None:
    (tmp_path / "m.csv").write_text("id,w\na,0\nb,1\n")
    (tmp_path / "s.epoch").write_text(
        "edition 1\n"
        'dataset d { manifest = "m.csv", weight = w }\n'
        f"loader l over d {{ {above} draw(2, seed = any, weights = w) }}\n"
        'prove "only b is drawn" : l.distinct == 1\n'
    )
    (found,) = epochproof.check(tmp_path / "s.epoch").claims

    assert found.verdict.word != "refuted"
    assert "d.w" not in str(found.verdict.counterexample)


@pytest.mark.parametrize("above", ["shuffle(seed = 3)", "ranks = 2 shard(ranks, tail = uneven)"])
@pytest.mark.parametrize("size", ["", "size = 3"])
def test_weights_that_the_manifest_does_not_list_refute_nothing(
    tmp_path: Path, above: str, size: str
) -> None:
    """Record 1 weighs nothing, and is never drawn, whatever else the tool could make up."""
    (tmp_path / "m.csv").write_text("id,w\na,1\nb,0\nc,1\n")
    (tmp_path / "s.epoch").write_text(
        "edition 1\n"
        f'dataset d {{ {size} manifest = "m.csv", weight = w }}\n'
        f"loader l over d {{ {above} draw(3, weights = w) }}\n"
        "loader m over d { draw(3, weights = w) }\n"
        'prove "one is left out" : count(l.omitted) >= 1\n'
        'prove "here, too" : count(m.omitted) >= 1\n'
        'refute "three are read" : l.occurrences == 4\n'
    )

    found = epochproof.check(tmp_path / "s.epoch").claims

    assert [each.verdict.word for each in found] == ["unknown", "unknown", "refuted"]
