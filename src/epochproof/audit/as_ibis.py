"""A term read as an Ibis expression: one value a row, computed where the rows are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add, and_, or_
from typing import Any

import ibis

from epochproof.term.bounds import Interval, interval
from epochproof.term.fold import postorder, read
from epochproof.term.node import Int, Op, Term

MOST = 2**53
"""Quotients are taken of numbers that a float holds exactly."""


class NoExpression(Exception):  # noqa: N818 -- no error: another way is taken
    """No expression says what the term says."""


class _Expressions:
    """Ibis expressions of one node; operands are known to be exact, and divisors to be positive."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def number(self, value: int) -> Any:
        if abs(value) >= MOST:
            raise NoExpression(f"{value} is too large for a query")
        return ibis.literal(value, type="int64")

    def variable(self, name: str) -> Any:
        return self._values[name]

    def add(self, parts: list[Any]) -> Any:
        return reduce(add, parts)

    def multiply(self, a: Any, b: Any) -> Any:
        return a * b

    def floor_divide(self, a: Any, b: Any) -> Any:
        return ((a - a % b) / b).cast("int64")

    def modulo(self, a: Any, b: Any) -> Any:
        return a % b

    def choose(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return ibis.ifelse(condition, then, otherwise)

    def apply(self, function: str, arguments: list[Any]) -> Any:  # noqa: ARG002 -- the protocol has it
        raise NoExpression(f"`{function}` is drawn, and no expression says how")

    def truth(self, value: bool) -> Any:  # noqa: FBT001 -- a truth value is boolean
        return ibis.literal(value)

    def equal(self, a: Any, b: Any) -> Any:
        return a == b

    def less_equal(self, a: Any, b: Any) -> Any:
        return a <= b

    def negate(self, condition: Any) -> Any:
        return ~condition

    def both(self, conditions: list[Any]) -> Any:
        return reduce(and_, conditions)

    def either(self, conditions: list[Any]) -> Any:
        return reduce(or_, conditions)


def as_ibis(term: Term, values: Mapping[str, Any], ranges: Mapping[str, Interval]) -> Any:
    """The term for every row, as an expression over the columns `values`.

    Args:
        term: An integer or a condition.
        values: The column that each variable is.
        ranges: The least and the greatest value of each variable, both included.

    Raises:
        NoExpression: It applies a function, or a value on the way may be negative under a quotient, or 2^53.
    """
    reading, memo = _Expressions(values), dict[Term, Any]()
    for each in postorder(term):
        if each.op in (Op.FLOOR_DIVIDE, Op.MODULO):
            _refuse_wide(each, ranges)
        memo[each] = read(each, [memo[arg] for arg in each.args], reading)
    return memo[term]


def _refuse_wide(quotient: Term, ranges: Mapping[str, Interval]) -> None:
    """Databases round quotients of negative numbers towards zero, and floats hold 53 bits."""
    dividend, divisor = (interval(each, ranges) for each in quotient.args if isinstance(each, Int))
    if dividend[0] is None or dividend[0] < 0 or divisor[0] is None or divisor[0] < 1:
        raise NoExpression("a quotient may be of a negative number")
    if dividend[1] is None or dividend[1] >= MOST:
        raise NoExpression("a quotient may be of a number too large for a query")
