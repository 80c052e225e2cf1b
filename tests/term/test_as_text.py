"""A formula for people means what the term means."""

from __future__ import annotations

import re
from random import Random

import pytest

from epochproof.term.as_text import as_text
from epochproof.term.node import (
    Term,
    add,
    apply,
    both,
    choose,
    either,
    equal,
    less_equal,
    negate,
    number,
    truth,
    variable,
)
from tests.term.terms import condition, integer, world

A, B, C = variable("a"), variable("b"), variable("c")
_TOKEN = re.compile(r"\w+|//|[<=>!]=|\S")
_ENDS = {")", ",", "then", "else"}


def python(text: str) -> str:
    """The formula as Python writes it: choices turned round, words of truth in capitals."""
    tokens = _TOKEN.findall(text)[::-1]
    found = _expression(tokens)
    assert not tokens
    return found


def _expression(tokens: list[str]) -> str:
    parts: list[str] = []
    while tokens and tokens[-1] not in _ENDS:
        token = tokens.pop()
        if token == "(":  # noqa: S105 -- a bracket
            parts.append(f"({_expression(tokens)}{tokens.pop()}")
        elif token == "if":  # noqa: S105 -- a word
            condition_text = _expression(tokens)
            assert tokens.pop() == "then"
            then = _expression(tokens)
            assert tokens.pop() == "else"
            parts.append(f"(({then}) if ({condition_text}) else ({_expression(tokens)}))")
        else:
            parts.append({"true": "True", "false": "False"}.get(token, token))
    return " ".join(parts)


@pytest.mark.parametrize("seed", range(8))
def test_the_text_has_the_value_of_the_term(seed: int) -> None:
    pick = Random(seed)  # noqa: S311 -- repeats by its seed
    for at in range(80):
        sample = (integer if at % 2 else condition)(pick, pick.randint(1, 5))
        text = python(as_text(sample.term))
        for _ in range(4):
            values = world(pick)

            assert eval(text, {}, dict(values)) == sample.value(values)  # noqa: S307 -- our own text


@pytest.mark.parametrize(("term", "text"), [
    (A + B * C, "a + b * c"),
    ((A + B) * C, "(a + b) * c"),
    (A - B - C, "a - b - c"),
    (A - (B - C), "a - (b - c)"),
    (A // B // C, "a // b // c"),
    (A // (B // C), "a // (b // c)"),
    (A // (B * C), "a // (b * c)"),
    (A * (B % C), "a * (b % c)"),
    (-A, "-a"),
    (-(A + B), "-(a + b)"),
    (A * -2, "(-2) * a"),
    (A - 1, "a - 1"),
    (add(-1, A), "a - 1"),
    (number(-3), "-3"),
    (number(-3) % B, "(-3) % b"),
    (A < B, "a + 1 <= b"),
    (equal(A, 0), "a == 0"),
    (negate(equal(A, 0)), "not a == 0"),
    (negate(both(equal(A, 0), equal(B, 0))), "not (a == 0 and b == 0)"),
    (both(either(equal(A, 0), equal(B, 0)), equal(C, 0)), "(a == 0 or b == 0) and c == 0"),
    (either(both(equal(A, 0), equal(B, 0)), equal(C, 0)), "a == 0 and b == 0 or c == 0"),
    (choose(A <= B, A, B), "if a <= b then a else b"),
    (choose(A <= B, A, B) + 1, "(if a <= b then a else b) + 1"),
    (choose(A <= B, choose(equal(A, 0), 1, 2), B), "if a <= b then if a == 0 then 1 else 2 else b"),
    (apply("permuted", A + 1, B), "permuted(a + 1, b)"),
    (truth(value=True), "true"),
    (less_equal(choose(A <= B, A, B), 3), "(if a <= b then a else b) <= 3"),
])  # fmt: skip
def test_parentheses_stand_where_they_are_needed_and_nowhere_else(term: Term, text: str) -> None:
    assert as_text(term) == text
