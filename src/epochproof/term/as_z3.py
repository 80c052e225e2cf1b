"""A term read as a z3 expression, in a context of the caller's."""

from __future__ import annotations

from typing import Any

import z3

from epochproof.term.fold import fold
from epochproof.term.node import Term


class AsZ3:
    """Builds expressions in one context; what was built once is built once."""

    def __init__(self, context: z3.Context) -> None:
        self._context = context
        self._memo: dict[Term, Any] = {}

    def __call__(self, term: Term) -> Any:
        """The z3 expression of the term."""
        return fold(term, self, self._memo)

    def number(self, value: int) -> Any:
        return z3.IntVal(value, self._context)

    def variable(self, name: str) -> Any:
        return z3.Int(name, self._context)

    def add(self, parts: list[Any]) -> Any:
        return z3.Sum(parts)

    def multiply(self, a: Any, b: Any) -> Any:
        return a * b

    def floor_divide(self, a: Any, b: Any) -> Any:
        return a / b

    def modulo(self, a: Any, b: Any) -> Any:
        return a % b

    def choose(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return z3.If(condition, then, otherwise, self._context)

    def apply(self, function: str, arguments: list[Any]) -> Any:
        sorts = [z3.IntSort(self._context)] * (len(arguments) + 1)
        return z3.Function(function, *sorts)(*arguments)

    def truth(self, value: bool) -> Any:
        return z3.BoolVal(value, self._context)

    def equal(self, a: Any, b: Any) -> Any:
        return a == b

    def less_equal(self, a: Any, b: Any) -> Any:
        return a <= b

    def negate(self, condition: Any) -> Any:
        return z3.Not(condition, self._context)

    def both(self, conditions: list[Any]) -> Any:
        return z3.And(conditions)

    def either(self, conditions: list[Any]) -> Any:
        return z3.Or(conditions)
