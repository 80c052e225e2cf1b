"""Expressions give what the integer reading gives, or are refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pyarrow as pa
import pytest

from epochproof.audit.as_ibis import NoExpression, as_ibis
from epochproof.audit.engine import opened
from epochproof.term.as_int import as_int
from epochproof.term.node import (
    Term,
    apply,
    both,
    ceil_divide,
    choose,
    differ,
    either,
    less_equal,
    maximum,
    minimum,
    negate,
    variable,
)

a, b = variable("a"), variable("b")
RANGES = {"a": (0, 12), "b": (1, 5)}
ROWS = list(product(range(13), range(1, 6)))
TERMS: list[Term] = [
    a // b + a % b * 3,
    ceil_divide(a, b) * b - a,
    (a * b + 7) // (b * 2) % 4,
    choose(less_equal(a, b), a - b, maximum(a % 3, minimum(b, 2))),
    both(differ(a, b), either(less_equal(b, a), negate(less_equal(a, 3)))),
]


def read(term: Term) -> list[Any]:
    with opened() as engine:
        columns = zip(*ROWS, strict=True)
        table = engine.table(pa.table(dict(zip(("a", "b"), map(list, columns), strict=True))))
        found = table.mutate(found=as_ibis(term, {"a": table.a, "b": table.b}, RANGES))
        answers = {(row["a"], row["b"]): row["found"] for row in engine.rows(found)}
        return [answers[row] for row in ROWS]


@pytest.mark.parametrize("term", TERMS, ids=range(len(TERMS)))
def test_expression_gives_what_the_integer_reading_gives(term: Term) -> None:
    whole = as_int(term, ["a", "b"])

    assert read(term) == [whole(*row) for row in ROWS]


@pytest.mark.parametrize("term", [(a - b) // b, a % (b - 1), apply("picked", a), (a * 2**50) // b, a + 2**60])
def test_what_a_database_would_round_is_refused(term: Term) -> None:
    with pytest.raises(NoExpression):
        read(term)
