"""All readings of a term give the value that plain Python gives."""

from __future__ import annotations

from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest
import z3

from epochproof.term.as_array import as_array
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.as_sql import as_sql
from epochproof.term.as_z3 import AsZ3
from epochproof.term.node import Int, apply, both, equal, number, variable
from tests.term.terms import NAMES, Sample, Values, condition, integer, world

TERMS, WORLDS = 60, 8


def samples(seed: int, constants: int = 6) -> list[tuple[Sample, list[dict[str, int]]]]:
    """Random integers and conditions, each with some worlds."""
    pick = Random(seed)  # noqa: S311 -- repeats by its seed
    made = [(integer if at % 2 else condition)(pick, pick.randint(1, 5), constants) for at in range(TERMS)]
    return [(each, [world(pick) for _ in range(WORLDS)]) for each in made]


def simplified(expression: Any, values: Values) -> int | bool:
    """What z3 makes of the expression in a world."""
    context = expression.ctx
    fixed = [(z3.Int(name, context), z3.IntVal(value, context)) for name, value in values.items()]
    found = z3.simplify(z3.substitute(expression, *fixed))
    return int(found.as_long()) if z3.is_int_value(found) else z3.is_true(found)


def answer(text: str) -> Any:
    """What z3 says of the text."""
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return solver.check()


def as_condition(sample: Sample) -> Any:
    """The sample as a condition: that it is `result`, where it is an integer."""
    return equal(sample.int, variable("result")) if isinstance(sample.term, Int) else sample.bool


@pytest.mark.parametrize("seed", range(6))
def test_python_functions_and_rows_agree_with_python(seed: int) -> None:
    for sample, worlds in samples(seed):
        compiled = as_int(sample.term, NAMES)
        rows = as_rows((sample.term, variable("a")), "a", number(9), NAMES[1:])
        for values in worlds:
            assert compiled(*values.values()) == sample.value(values)

            listed = rows(*(values[name] for name in NAMES[1:]))
            assert listed == [(sample.value({**values, "a": at}), at) for at in range(9)]


@pytest.mark.parametrize("seed", range(6))
def test_arrays_agree_with_python(seed: int) -> None:
    for sample, worlds in samples(seed):
        columns = {name: np.array([values[name] for values in worlds]) for name in NAMES}

        found = np.broadcast_to(as_array(sample.term, columns), (WORLDS,)).tolist()

        assert found == [sample.value(values) for values in worlds]


@pytest.mark.parametrize("seed", range(3))
def test_z3_agrees_with_python(seed: int) -> None:
    for sample, worlds in samples(seed):
        expression = AsZ3(z3.Context())(sample.term)
        for values in worlds[:3]:
            assert simplified(expression, values) == sample.value(values)


@pytest.mark.parametrize("seed", range(3))
def test_smtlib_text_agrees_with_python(seed: int) -> None:
    for sample, worlds in samples(seed):
        context = z3.Context()
        (parsed,) = z3.parse_smt2_string(as_smtlib(as_condition(sample)), ctx=context)
        for values in worlds[:3]:
            value = sample.value(values)
            if isinstance(sample.term, Int):
                assert simplified(parsed, {**values, "result": value}) is True
                assert simplified(parsed, {**values, "result": value + 1}) is False
            else:
                assert simplified(parsed, values) is value


@pytest.mark.parametrize("seed", range(2))
def test_sql_agrees_with_python(seed: int) -> None:
    columns = {name: name for name in NAMES}
    with duckdb.connect() as connection:
        for sample, worlds in samples(seed):
            rows = ", ".join(str(tuple(values.values())) for values in worlds)
            query = f"SELECT {as_sql(sample.term, columns)} FROM (VALUES {rows}) AS t({', '.join(NAMES)})"  # noqa: S608 -- our own terms

            assert connection.execute(query).fetchall() == [(sample.value(values),) for values in worlds]


def test_integers_of_a_thousand_digits_are_exact() -> None:
    big, pick = 10**1000 + 7, Random(1)  # noqa: S311 -- repeats by its seed
    for sample, _ in samples(9, constants=10**40):
        values = {"a": big, "b": -big * 3, "c": pick.randint(1, 10**30), "d": 10**500 + 1}

        assert as_int(sample.term, NAMES)(*values.values()) == sample.value(values)
        assert simplified(AsZ3(z3.Context())(sample.term), values) == sample.value(values)


def in_duckdb(term: Int, **values: str) -> int:
    """What DuckDB makes of the term."""
    found = duckdb.sql(f"SELECT {as_sql(term, values)}")
    assert found is not None
    ((value,),) = found.fetchall()
    return int(value)


def test_negative_numerators_round_down() -> None:
    a, c = variable("a"), variable("c")
    term, values = (a // c) * 100 + a % c, {"a": -7, "c": 3}
    (parsed,) = z3.parse_smt2_string(as_smtlib(equal(term, -298)), ctx=z3.Context())

    assert as_int(term, ["a", "c"])(-7, 3) == -298
    assert as_rows((term,), "a", number(1), ["c"])(3) == [(0,)]
    assert as_array(term, {"a": np.array([-7]), "c": np.array([3])}).tolist() == [-298]
    assert in_duckdb(term, a="-7", c="3") == -298
    assert simplified(AsZ3(z3.Context())(term), values) == -298
    assert simplified(parsed, values) is True


@pytest.mark.parametrize("term", [
    variable("a") * variable("b"),
    variable("a") * 4,
    variable("a") + variable("a") + variable("a") + variable("a"),
    variable("a") - number(2**62),
    (variable("a") * variable("b")) // variable("b"),
])  # fmt: skip
def test_arrays_refuse_what_reaches_the_edge_of_64_bits(term: Int) -> None:
    with pytest.raises(OverflowError):
        as_array(term, {"a": np.array([1, 2**60]), "b": np.array([2, 2**40])})


def test_arrays_just_below_the_edge_are_exact() -> None:
    a = variable("a")

    assert as_array(a * 2 - 2, {"a": np.array([2**60, 3])}).tolist() == [2**61 - 2, 4]


def test_applied_functions_are_asked() -> None:
    term = apply("double", variable("a")) + 1

    assert as_int(term, ["a"], {"double": lambda x: 2 * x})(5) == 11
    assert as_rows((term,), "a", number(3), [], {"double": lambda x: 2 * x})() == [(1,), (3,), (5,)]
    assert as_array(term, {"a": np.array([5, 6])}, {"double": lambda x: 2 * x}).tolist() == [11, 13]


def test_smtlib_declares_the_functions_that_are_applied() -> None:
    some = both(equal(apply("f", variable("a")), 3), equal(apply("f", 2), 4))

    assert answer(as_smtlib(some)) == z3.sat
    assert answer(as_smtlib(some, equal(variable("a"), 2))) == z3.unsat


def test_a_divisor_of_zero_gives_zero_where_terms_are_run() -> None:
    term = variable("a") // variable("b") + variable("a") % variable("b")

    assert as_int(term, ["a", "b"])(7, 0) == 0
    assert as_array(term, {"a": np.array([7, 7]), "b": np.array([0, 2])}).tolist() == [0, 4]
    assert in_duckdb(term, a="7", b="0") == 0
    assert as_int(variable("a") // 0 + variable("a") % 0, ["a"])(7) == 0
    assert as_int(number(7) // 0, [])() == 0
