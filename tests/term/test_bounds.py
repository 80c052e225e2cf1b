"""What ranges say about a term is true of every value in them."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from epochproof.term.bounds import Interval, interval
from epochproof.term.node import (
    Int,
    apply,
    ceil_divide,
    choose,
    equal,
    maximum,
    minimum,
    number,
    variable,
)
from tests.term.terms import NAMES, POSITIVE, integer

A, B, C = variable("a"), variable("b"), variable("c")
RANGES: dict[str, Interval] = {"a": (-3, 5), "b": (2, None), "c": (1, 4)}


def random_ranges(pick: Random) -> dict[str, tuple[int, int]]:
    ranges = {}
    for name in NAMES:
        low = pick.randint(1, 4) if name in POSITIVE else pick.randint(-4, 3)
        ranges[name] = (low, low + pick.randint(0, 3))
    return ranges


@pytest.mark.parametrize("seed", range(8))
def test_no_value_lies_outside(seed: int) -> None:
    pick = Random(seed)  # noqa: S311 -- repeats by its seed
    for _ in range(40):
        sample, ranges = integer(pick, 4), random_ranges(pick)
        spans = [range(ranges[name][0], ranges[name][1] + 1) for name in NAMES]
        some = [dict(zip(NAMES, choice, strict=True)) for choice in product(*spans)]
        met = [sample.value(values) for values in pick.sample(some, min(60, len(some)))]

        low, high = interval(sample.int, ranges)

        assert low is None or low <= min(met)
        assert high is None or high >= max(met)


@pytest.mark.parametrize("seed", range(4))
def test_open_ranges_promise_nothing_that_large_values_break(seed: int) -> None:
    pick = Random(100 + seed)  # noqa: S311 -- repeats by its seed
    open_ends: dict[str, Interval] = {"a": (None, None), "b": (0, None), "c": (1, None), "d": (2, None)}
    for _ in range(80):
        sample = integer(pick, 3)
        low, high = interval(sample.int, open_ends)
        for _ in range(20):
            a, b = pick.choice((-(10**9), -1, 0, 7, 10**9)), pick.choice((0, 1, 10**9))
            value = sample.value(
                {"a": a, "b": b, "c": pick.choice((1, 3, 10**6)), "d": pick.choice((2, 10**5))}
            )

            assert low is None or low <= value
            assert high is None or high >= value


@pytest.mark.parametrize(("term", "expected"), [
    (number(7), (7, 7)),
    (A, (-3, 5)),
    (variable("unknown"), (None, None)),
    (A + C, (-2, 9)),
    (A + B, (-1, None)),
    (-A, (-5, 3)),
    (-B, (None, -2)),
    (C * C, (1, 16)),
    (B * C, (2, None)),
    (C * -3, (-12, -3)),
    (C // 2, (0, 2)),
    (B // C, (0, None)),
    (A % C, (0, 3)),
    (A % B, (0, None)),
    (ceil_divide(C, 4), (1, 1)),
    (maximum(A, 0), (0, 5)),
    (maximum(A, B), (2, None)),
    (minimum(A, B), (-3, 5)),
    (minimum(B, 10), (2, 10)),
    (maximum(minimum(A, 3), 1), (1, 3)),
    (choose(equal(A, 0), C, B), (1, None)),
    (apply("f", C), (None, None)),
])  # fmt: skip
def test_bounds_are_tight_where_arithmetic_shows_them(term: Int, expected: Interval) -> None:
    assert interval(term, RANGES) == expected


def test_a_divisor_that_may_be_zero_bounds_nothing() -> None:
    assert interval(C // A, RANGES) == (None, None)
    assert interval(C % A, RANGES) == (None, None)
