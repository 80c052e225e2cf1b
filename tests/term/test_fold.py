"""One fold for every reading; free variables; substitution."""

from __future__ import annotations

import inspect
from random import Random

import pytest

from epochproof.term import as_array, as_int, as_smtlib, as_text, as_z3, bounds
from epochproof.term import fold as folding
from epochproof.term.fold import Reading, fold, postorder, substitute, variables
from epochproof.term.node import (
    Op,
    Term,
    apply,
    both,
    choose,
    constant,
    either,
    equal,
    iff,
    less_equal,
    negate,
    number,
    variable,
)
from tests.term.terms import NAMES, integer, world

A, B = variable("a"), variable("b")
EVERY_OP = choose(
    both(equal(A * 2 + B, 3), either(less_equal(A, B), negate(equal(A % 7, 1)))), apply("f", A // 3), 4
)
METHODS = {name for name, _ in inspect.getmembers(Reading, inspect.isfunction) if not name.startswith("_")}


class Heads:
    """Reads a term as the names of the methods that were called for it."""

    def __init__(self) -> None:
        self.called: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.called.add(name)
        return lambda *_: name


def test_each_operation_calls_a_method_of_its_own() -> None:
    heads = Heads()
    fold(EVERY_OP, heads)  # type: ignore[arg-type]  # it answers every name
    fold(equal(1, 2), heads)  # type: ignore[arg-type]  # it answers every name

    assert heads.called == METHODS
    assert {each.op for each in postorder(EVERY_OP, equal(1, 2))} == set(Op)
    assert len(METHODS) == len(Op)


@pytest.mark.parametrize(("module", "name"), [
    (as_array, "_Arrays"),
    (as_int, "_Python"),
    (as_smtlib, "_Sexpr"),
    (as_text, "_Formula"),
    (as_z3, "AsZ3"),
    (bounds, "_Intervals"),
    (folding, "_Substitute"),
])  # fmt: skip
def test_every_reading_answers_every_operation(module: object, name: str) -> None:
    reading = getattr(module, name)

    assert METHODS.issubset(dir(reading))
    for method in METHODS:
        wanted = list(inspect.signature(getattr(Reading, method)).parameters)[1:]
        taken = [each for each in inspect.signature(getattr(reading, method)).parameters if each != "self"]
        assert len(taken) == len(wanted)


def test_substitution_replaces_variables_and_folds() -> None:
    assert substitute(A * B + 1, {"a": number(2), "b": number(5)}) is number(11)
    assert substitute(A * B + 1, {"a": B}) is B * B + 1
    assert substitute(choose(A <= 3, A, B), {"a": number(3)}) is number(3)
    assert substitute(A + 1, {}) is A + 1
    assert substitute(apply("f", A, B), {"b": number(1)}) is apply("f", A, 1)
    assert substitute(iff(equal(A, 1), equal(B, 1)), {"a": number(1)}) is not None


def test_substitution_is_simultaneous() -> None:
    assert substitute(A - B, {"a": B, "b": A}) is B - A


def test_substituting_all_values_gives_the_value() -> None:
    pick = Random(5)  # noqa: S311 -- repeats by its seed
    for _ in range(300):
        sample, values = integer(pick, 4), world(pick)

        fixed = substitute(sample.int, {name: number(values[name]) for name in NAMES})

        assert constant(fixed) == sample.value(values)


def test_variables_are_the_free_ones() -> None:
    assert variables(EVERY_OP) == {"a", "b"}
    assert variables(A * 0, number(3)) == set()
    assert variables(A, equal(B, variable("c"))) == {"a", "b", "c"}


def test_walking_gives_arguments_first_and_leaves_out_what_is_known() -> None:
    seen: set[Term] = set()
    for each in postorder(EVERY_OP):
        assert seen.issuperset(each.args)
        seen.add(each)

    assert list(postorder(EVERY_OP, known=dict.fromkeys(seen))) == []


def test_a_memo_is_read_and_kept() -> None:
    memo: dict[Term, str] = {A * B: "known"}

    found = fold(A * B + 1, Words(), memo)  # type: ignore[arg-type]  # it answers every name

    assert found == "known+1"
    assert memo[A * B + 1] == "known+1" and A not in memo


class Words(Heads):
    """Reads sums and numbers."""

    def number(self, value: int) -> str:
        return str(value)

    def add(self, parts: list[str]) -> str:
        return "+".join(parts)
