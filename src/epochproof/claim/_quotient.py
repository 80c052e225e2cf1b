"""Exact fractions in formulas: quotients of two terms, compared by multiplying crosswise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import add, floordiv, mod, mul, sub

from epochproof.claim._question import Undecided
from epochproof.term.node import Int, number

Value = int | Fraction
"""A number in a world."""


@dataclass(frozen=True, eq=False, repr=False)
class Quotient:
    """`above / below`, where `below` is at least 1."""

    above: Int
    below: Int


def quotient(value: Value) -> Quotient:
    """The quotient that is this number."""
    return Quotient(number(value.numerator), number(value.denominator))


def joined(operator: str, a: Quotient, b: Quotient) -> Quotient:
    """Two quotients and what joins them."""
    if a.below is b.below and operator in ("+", "-"):
        return Quotient(a.above + b.above if operator == "+" else a.above - b.above, a.below)
    match operator:
        case "+":
            return Quotient(a.above * b.below + b.above * a.below, a.below * b.below)
        case "-":
            return Quotient(a.above * b.below - b.above * a.below, a.below * b.below)
        case "*":
            return Quotient(a.above * b.above, a.below * b.below)
    raise Undecided("a rounded quotient of numbers that are not whole has no rule")


_VALUES: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": floordiv,
    "%": mod,
    "ceil": lambda a, b: -(-a // b),
}


def calculated(operator: str, a: Value, b: Value) -> Value:
    """The operator on two numbers."""
    return _VALUES[operator](a, b)
