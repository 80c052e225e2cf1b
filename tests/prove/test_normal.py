"""Each rewriting of the normal form is a true lemma, and the linear form of a condition means the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
import z3

from epochproof.prove.linear import linearised
from epochproof.prove.normal import Normal
from epochproof.prove.polynomial import Polynomial, atom, constant, of
from epochproof.term.as_z3 import AsZ3
from epochproof.term.node import (
    Bool,
    Int,
    both,
    ceil_divide,
    choose,
    either,
    equal,
    iff,
    implies,
    less_equal,
    maximum,
    negate,
    variable,
    within,
)
from tests.term.terms import NAMES, condition, world

A, B, C, D, X, Y, K = (variable(name) for name in "abcdxyk")
POSITIVE = both(less_equal(1, A), less_equal(1, D))


class At(NamedTuple):
    """Values of the variables of a lemma."""

    x: int
    y: int
    k: int
    a: int
    d: int


LEMMAS: dict[str, tuple[Bool, Callable[[At], bool]]] = {
    "multiples of the divisor come out": (
        equal((X + K * D) // D, X // D + K),
        lambda at: (at.x + at.k * at.d) // at.d == at.x // at.d + at.k,
    ),
    "minus one over a divisor is minus one": (
        equal((D - 1 - D) // D, -1),
        lambda at: -1 // at.d == -1,
    ),
    "zero over a divisor is zero": (equal((X - X) // D, 0), lambda at: 0 // at.d == 0),
    "a ceiling is a floor and one": (
        equal(ceil_divide(X, D), (X - 1) // D + 1),
        lambda at: -(-at.x // at.d) == (at.x - 1) // at.d + 1,
    ),
    "nested floors are one": (
        equal((Y // A) // D, Y // (A * D)),
        lambda at: (at.y // at.a) // at.d == at.y // (at.a * at.d),
    ),
    "nested floors with something between are one": (
        equal((Y // A + X) // D, (Y + A * X) // (A * D)),
        lambda at: (at.y // at.a + at.x) // at.d == (at.y + at.a * at.x) // (at.a * at.d),
    ),
    "a remainder is what the quotient leaves": (
        equal(X % D, X - D * (X // D)),
        lambda at: at.x % at.d == at.x - at.d * (at.x // at.d),
    ),
    "a quotient of what is not negative is not negative": (
        implies(less_equal(0, X), less_equal(0, X // D)),
        lambda at: at.x < 0 or at.x // at.d >= 0,
    ),
    "a quotient is what its bounds say": (
        iff(equal(X // D, K), both(less_equal(0, X - D * K), less_equal(X - D * K, D - 1))),
        lambda at: (at.x // at.d == at.k) == (0 <= at.x - at.d * at.k <= at.d - 1),
    ),
    "choices come out of a division": (
        equal(choose(X <= Y, X, Y) // D, choose(X <= Y, X // D, Y // D)),
        lambda at: min(at.x, at.y) // at.d == (at.x // at.d if at.x <= at.y else at.y // at.d),
    ),
    "choices come out of a product": (
        equal(choose(X <= Y, X, Y) * K, choose(X <= Y, X * K, Y * K)),
        lambda at: min(at.x, at.y) * at.k == (at.x * at.k if at.x <= at.y else at.y * at.k),
    ),
    "a comparison of a choice is one of its cases": (
        iff(maximum(X, Y) <= K, either(both(Y <= X, X <= K), both(negate(Y <= X), Y <= K))),
        lambda at: (max(at.x, at.y) <= at.k) == ((at.y <= at.x <= at.k) or (at.y > at.x and at.y <= at.k)),
    ),
}
BEYOND_Z3 = {"nested floors with something between are one", "nested floors are one"}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_holds_of_all_small_integers(name: str) -> None:
    _, holds = LEMMAS[name]
    small, divisors = range(-7, 8), range(1, 5)

    assert all(holds(At(*values)) for values in product(small, small, small, divisors, divisors))


@pytest.mark.parametrize("name", sorted(LEMMAS.keys() - BEYOND_Z3))
def test_z3_proves_a_lemma_as_it_is_written(name: str) -> None:
    assert unsatisfiable(both(POSITIVE, negate(LEMMAS[name][0])))


@pytest.mark.parametrize("a", [1, 2, 3, 7])
def test_z3_proves_merged_floors_for_a_fixed_inner_divisor(a: int) -> None:
    lemma = equal((Y // a + X) // D, (Y + a * X) // (a * D))

    assert unsatisfiable(both(less_equal(1, D), equal(D, 5), negate(lemma)))


def test_merged_floors_follow_from_the_bounds_of_the_quotients() -> None:
    inner, outer = variable("inner"), variable("outer")
    bounds = both(
        within(0, Y - A * inner, A),
        within(0, inner + X - D * outer, D),
    )
    product_bounds = both(
        less_equal(0, A * (inner + X - D * outer)), less_equal(A * (inner + X - D * outer), A * (D - 1))
    )

    goal = within(0, Y + A * X - A * D * outer, A * D)
    assert unsatisfiable(both(POSITIVE, bounds, product_bounds, negate(goal)))


def unsatisfiable(given: Bool) -> bool:
    """Whether z3 says so of the condition as it is written."""
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", 8_000_000)
    solver.add(AsZ3(context)(given))
    return bool(solver.check() == z3.unsat)


def quotient(x: Polynomial, d: Polynomial) -> Polynomial:
    """`x // d` in normal form, of atoms that are at least 1."""
    normal = Normal(dict.fromkeys("abcdnk", (1, None)))
    for name in "abcdnk":
        normal.cases(variable(name))
    return normal.quotient(x, d)


def test_divisions_come_out_as_the_rules_say() -> None:
    n, k, b = atom("n"), atom("k"), atom("b")

    assert quotient(k * b, b) == k
    assert quotient(k * b - constant(1), b) == k - constant(1)
    assert quotient(n + k * b, b) - quotient(n, b) == k
    assert quotient(constant(7), constant(2)) == constant(3)
    assert quotient(constant(-7), constant(2)) == constant(-4)
    assert quotient(of({("n",): 6, (): 5}), constant(3)) == of({("n",): 2, (): 1})


def test_nested_floors_share_one_name() -> None:
    normal = Normal({"a": (1, None), "d": (1, None), "y": (None, None)})
    one, other = normal.cases((Y // A) // D), normal.cases(Y // (A * D))

    assert one == other


def test_floors_are_kept_apart_where_merging_is_off() -> None:
    normal = Normal({"a": (1, None), "d": (1, None), "y": (None, None)}, merge=False)

    assert normal.cases((Y // A) // D) != normal.cases(Y // (A * D))


def test_contradictory_cases_are_dropped() -> None:
    normal = Normal({})
    chosen = choose(X <= Y, choose(X <= Y, A, B), choose(X <= Y, C, D))

    assert [value for _, value in normal.cases(chosen)] == [atom("a"), atom("d")]


def test_a_premise_between_products_rewrites_them() -> None:
    normal = Normal({"a": (1, None), "b": (1, None)})
    normal.learn(equal(A * B, 256))

    assert normal.reduced(of({("a", "b", "k"): 3})) == of({("k",): 768})


@pytest.mark.parametrize("seed", range(20))
def test_the_linear_form_agrees_with_python_in_fixed_worlds(seed: int) -> None:
    pick = Random(seed)  # noqa: S311 -- repeats by its seed
    undecided = 0
    for _ in range(60):
        sample, values = condition(pick, 3), world(pick, 5)
        fixed = both(*(equal(variable(name), values[name]) for name in NAMES))
        answer = linearised(both(fixed, sample.bool), {"c": (1, None), "d": (1, None)}, 1_000_000)
        undecided += answer.status == "unknown"

        assert answer.status in ("unknown", "found" if sample.value(values) else "none")

    assert undecided <= 4


@pytest.mark.parametrize("seed", range(10))
def test_the_linear_form_agrees_with_python_where_one_value_is_free(seed: int) -> None:
    pick = Random(100 + seed)  # noqa: S311 -- repeats by its seed
    undecided = 0
    for _ in range(30):
        sample, values = condition(pick, 3), world(pick, 5)
        fixed = [equal(variable(name), values[name]) for name in NAMES[1:]]
        ranges = {"a": (-9, 9), "c": (1, None), "d": (1, None)}
        answer = linearised(both(*fixed, within(-9, variable("a"), 10), sample.bool), ranges, 1_000_000)
        undecided += answer.status == "unknown"
        true_somewhere = any(sample.value({**values, "a": at}) for at in range(-9, 10))

        assert answer.status in ("unknown", "found" if true_somewhere else "none")

    assert undecided <= 3


@pytest.mark.parametrize("seed", range(10))
def test_what_the_linear_form_finds_is_true_and_what_it_excludes_is_false(seed: int) -> None:
    pick = Random(200 + seed)  # noqa: S311 -- repeats by its seed
    spans = {"a": range(-3, 4), "b": range(-3, 4), "c": range(1, 4), "d": range(1, 4)}
    inside = both(*(within(span.start, variable(name), span.stop) for name, span in spans.items()))
    worlds = [dict(zip(NAMES, values, strict=True)) for values in product(*spans.values())]
    for _ in range(8):
        sample = condition(pick, 2)
        answer = linearised(both(inside, sample.bool), {"c": (1, 3), "d": (1, 3)}, 1_000_000)

        if answer.status == "found":
            assert sample.value({name: answer.values.get(name, spans[name].start) for name in NAMES})
        elif answer.status == "none":
            assert not any(sample.value(values) for values in worlds)


def variables_of(term: Int) -> list[str]:
    return sorted({name for monomial, _ in Normal({}).cases(term)[0][1].terms for name in monomial})


def test_sums_and_products_become_polynomials() -> None:
    assert Normal({}).cases((A + 2) * (B - 3))[0][1] == of({("a", "b"): 1, ("a",): -3, ("b",): 2, (): -6})
    assert variables_of(A * B - B * A) == []
