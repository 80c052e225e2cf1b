"""Terms are built once, fold their constants, and have no truth value."""

from __future__ import annotations

import gc
import weakref

import pytest

from epochproof.term.as_int import as_int
from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.as_text import as_text
from epochproof.term.bounds import interval
from epochproof.term.fold import postorder, substitute, variables
from epochproof.term.node import (
    FALSE,
    TRUE,
    Int,
    Op,
    add,
    apply,
    both,
    ceil_divide,
    choose,
    constant,
    differ,
    either,
    equal,
    iff,
    implies,
    less_equal,
    maximum,
    minimum,
    multiply,
    negate,
    number,
    truth,
    variable,
    within,
)

A, B = variable("a"), variable("b")
DEPTH = 10_000


@pytest.mark.parametrize(("term", "value"), [
    (number(2) + 3 - 7, -2),
    (add(), 0),
    (number(6) * -7, -42),
    (A * 0, 0),
    (0 * A, 0),
    (number(-7) // 2, -4),
    (number(-7) % 2, 1),
    (number(0) // A, 0),
    (number(0) % A, 0),
    (A % 1, 0),
    (ceil_divide(7, 2), 4),
    (ceil_divide(-7, 2), -3),
    (minimum(3, 5), 3),
    (maximum(3, 5), 5),
    (choose(TRUE, 1, 2), 1),
    (choose(FALSE, 1, 2), 2),
    (choose(equal(A, B), 4, 4), 4),
    (A + 3 - A * 1 + A * -1, None),
    (number(7) // 0, None),
    (number(7) // -2, None),
])  # fmt: skip
def test_constants_fold(term: Int, value: int | None) -> None:
    assert constant(term) == value


def test_neutral_elements_vanish() -> None:
    assert A + 0 is A
    assert A * 1 is A
    assert A // 1 is A
    assert 2 * (3 * A) is A * 6
    assert (A + 2) + (B + 3) is add(A, B, 5)
    assert choose(equal(A, B), A, A) is A


def test_conditions_fold() -> None:
    assert equal(A, A) is TRUE and less_equal(A, A) is TRUE
    assert equal(1, 2) is FALSE and less_equal(2, 1) is FALSE and less_equal(1, 2) is TRUE
    assert both() is TRUE and either() is FALSE
    assert both(equal(A, B), FALSE) is FALSE and either(equal(A, B), TRUE) is TRUE
    assert both(equal(A, B), TRUE, equal(A, B)) is equal(A, B)
    assert negate(negate(equal(A, B))) is equal(A, B)
    assert negate(TRUE) is FALSE and truth(value=False) is FALSE
    assert implies(TRUE, equal(A, B)) is equal(A, B) and implies(FALSE, equal(A, B)) is TRUE
    assert iff(equal(A, B), equal(A, B)) is not FALSE
    assert within(0, 3, 4) is TRUE and within(0, 4, 4) is FALSE
    assert differ(1, 2) is TRUE


def test_equal_terms_are_the_same_object() -> None:
    one, other = (variable("a") + 7) * variable("b"), (variable("a") + 7) * variable("b")

    assert one is other
    assert one == other and hash(one) == hash(other)
    assert equal(one, 3) is equal(other, 3)
    assert apply("f", A, 1) is apply("f", A, 1) and apply("f", A) is not apply("g", A)


def test_one_and_true_are_different_constants() -> None:
    assert len({number(1), truth(value=True), number(0), FALSE}) == 4


def test_different_terms_are_different_objects() -> None:
    assert len({A + B, B + A, A * B, A - B, A // B, A % B, apply("a"), A}) == 8


def test_terms_that_nobody_holds_are_forgotten() -> None:
    term = variable("held by nobody") + 1
    gone = weakref.ref(term)

    del term
    gc.collect()

    assert gone() is None


@pytest.mark.parametrize("term", [A, number(1), number(0), TRUE, FALSE, equal(A, B)])
def test_terms_have_no_truth_value(term: Int) -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(term)
    with pytest.raises(TypeError, match="no truth value"):
        max(A, B)


def deep() -> Int:
    """A sum, a quotient, a choice and a product in turn, ten thousand deep."""
    term = A
    for at in range(DEPTH):
        kinds = (term + B, (term * 2) // 3, choose(less_equal(term, B), term, B), term % 7)
        term = kinds[at % 4]
    return term


def test_deep_terms_are_walked_without_recursion() -> None:
    term = deep()

    assert variables(term) == {"a", "b"}
    assert constant(substitute(term, {"a": number(1), "b": number(2)})) is not None
    assert len(list(postorder(term))) > DEPTH
    assert interval(term, {"a": (0, 5), "b": (0, 5)})[0] is not None
    assert as_int(term, ["a", "b"])(1, 2) == constant(substitute(term, {"a": number(1), "b": number(2)}))
    assert as_smtlib(equal(term, 0)).count("(declare-const") == 2


def test_deep_sums_are_written_without_recursion() -> None:
    term = A
    for _ in range(DEPTH):
        term = (term + B) % 7

    assert as_text(term).count("% 7") == DEPTH


def test_walking_gives_each_shared_part_once() -> None:
    term = A
    for _ in range(200):
        term = term * term

    assert [each.op for each in postorder(term)] == [Op.VARIABLE] + [Op.MULTIPLY] * 200
    assert constant(multiply(term, 0)) == 0
