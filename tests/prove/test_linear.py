"""Products are decided by the facts that are missed: what is valid is proved, what is false has values."""

from __future__ import annotations

import time

import pytest

from epochproof.prove.linear import linearised
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import (
    Bool,
    both,
    ceil_divide,
    differ,
    equal,
    implies,
    less_equal,
    maximum,
    minimum,
    negate,
    variable,
    within,
)

N, D, R, B, P, Q, G, H, K, U, V, W = (variable(name) for name in "ndrbpqghkuvw")
LIMIT = 6_000_000
RANGES = {"d": (1, None), "r": (1, None), "b": (1, None), "n": (0, None), "k": (0, None)}
GIVEN = both(*(less_equal(1, each) for each in (D, R, B)), less_equal(0, N), less_equal(0, K))

VALID: dict[str, tuple[Bool, Bool]] = {
    "strided positions of one rank differ": (
        both(within(0, P, Q), within(0, G, R)),
        differ(P * R + G, Q * R + G),
    ),
    "strided positions of two ranks differ": (
        both(within(0, G, R), within(0, H, R), equal(P * R + G, Q * R + H)),
        both(equal(P, Q), equal(G, H)),
    ),
    "nested floors are one": (less_equal(0, P), equal((P // R) // B, P // (R * B))),
    "a ceiling is reached": (less_equal(0, N), less_equal(N, ceil_divide(N, D) * D)),
    "a ceiling is not far away": (less_equal(0, N), ceil_divide(N, D) * D < N + D),
    "a ceiling of fewer is smaller": (
        both(less_equal(0, P), less_equal(P, Q)),
        less_equal(ceil_divide(P, D), ceil_divide(Q, D)),
    ),
    "digits in a mixed radix are unique": (
        both(
            within(0, U, B), within(0, V, B), within(0, G, R), within(0, H, R),
            equal((P * R + G) * B + U, (Q * R + H) * B + V), less_equal(0, P), less_equal(0, Q),
        ),
        both(equal(P, Q), equal(G, H), equal(U, V)),
    ),
    "what is dropped is less than a batch": (less_equal(0, N), N - B * (N // B) < B),
    "ranks drop less than a global batch": (less_equal(0, N), N - R * B * (N // R // B) < R * B),
    "padding is less than the ranks": (less_equal(0, N), R * ceil_divide(N, R) - N < R),
    "what is skipped and what is left is everything": (
        less_equal(0, N),
        equal(minimum(N, K * B) + maximum(0, N - K * B), N),
    ),
    "a resumed run goes on where the first one stopped": (
        both(within(0, P, maximum(0, N - K * B)), within(0, N, N + 1)),
        equal((P + K * B) // B, P // B + K),
    ),
    "the rest of an epoch has the rest of the steps": (
        less_equal(K * B, N),
        equal(ceil_divide(N - K * B, B), ceil_divide(N, B) - K),
    ),
    "a step on twice the ranks at half the batch is the same": (
        both(equal(R * B, 256), less_equal(0, P)),
        equal((P // R) // B, P // 256),
    ),
}  # fmt: skip

FALSE: dict[str, tuple[Bool, Bool]] = {
    "padding reads nothing twice": (less_equal(1, N), less_equal(R * ceil_divide(N, R), N)),
    "at most two laps": (less_equal(1, N), less_equal(R * ceil_divide(N, R), 2 * N)),
    "floors may be swapped with products": (less_equal(0, P), equal((P * R) // B, (P // B) * R)),
    "what is dropped is less than half a batch": (less_equal(0, N), 2 * (N - B * (N // B)) <= B),
    "positions of two ranks differ even beyond the ranks": (
        both(less_equal(0, G), less_equal(0, H), equal(P * R + G, Q * R + H)),
        equal(G, H),
    ),
    "every factorisation of 256 has a small factor": (equal(R * B, 256), R < 16),
    "products are squares": (less_equal(0, N), equal(R * B, R * R)),
}


@pytest.mark.parametrize("name", VALID)
def test_what_is_valid_is_proved(name: str) -> None:
    given, goal = VALID[name]

    assert linearised(both(GIVEN, given, negate(goal)), RANGES, LIMIT).status == "none"


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted_by_values_that_refute_it(name: str) -> None:
    given, goal = FALSE[name]
    condition = both(GIVEN, given, negate(goal))
    answer = linearised(condition, RANGES, LIMIT)
    names = sorted(variables(condition))

    assert answer.status == "found"
    assert as_int(condition, names)(*(answer.values.get(each, RANGES.get(each, (0,))[0]) for each in names))


@pytest.mark.parametrize("limit", [1_000, 200_000])
def test_a_limit_ends_the_search(limit: int) -> None:
    cubes = both(*(less_equal(1, each) for each in (P, Q, G)), equal(P * P * P + Q * Q * Q, G * G * G))
    start = time.process_time()
    answer = linearised(cubes, {"p": (1, None), "q": (1, None), "g": (1, None)}, limit)

    assert answer.status == "unknown"
    assert time.process_time() - start < 15


def test_an_unsatisfiable_core_of_products_is_found_under_irrelevant_ones() -> None:
    noise = both(equal(U * V, W), equal(V * W, K * U))
    given = both(noise, within(0, P, Q), within(0, G, R), equal(P * R + G, Q * R + G))

    assert linearised(both(GIVEN, given), RANGES, LIMIT).status == "none"


def test_fixed_factors_make_products_exact() -> None:
    found = linearised(both(GIVEN, equal(R, 17), equal(B, 19), equal(R * B, N)), RANGES, LIMIT)

    assert found.status == "found"
    assert found.values["n"] == 323


def test_an_implication_between_products_is_not_taken_for_a_fact() -> None:
    given = implies(equal(R * B, 6), equal(R, 2))

    assert linearised(both(GIVEN, given, equal(R * B, 6), equal(R, 3)), RANGES, LIMIT).status == "none"
    assert linearised(both(GIVEN, given, equal(R, 3)), RANGES, LIMIT).status == "found"
