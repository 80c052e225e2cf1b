"""A term read over numpy arrays: one value a world, exact or refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from epochproof.term.fold import fold
from epochproof.term.node import Term

Array = np.ndarray[Any, np.dtype[Any]]
_LIMIT = 2**62


class _Arrays:
    def __init__(self, values: Mapping[str, Array], functions: Mapping[str, Callable[..., Array]]) -> None:
        self._values, self._functions = values, functions

    def number(self, value: int) -> Array:
        if abs(value) >= _LIMIT:
            raise OverflowError(f"{value} does not fit 64 bits")
        return np.asarray(value, dtype=np.int64)

    def variable(self, name: str) -> Array:
        return np.asarray(self._values[name], dtype=np.int64)

    def add(self, parts: list[Array]) -> Array:
        return self._exact(reduce(np.add, parts), reduce(np.add, [part.astype(float) for part in parts]))

    def multiply(self, a: Array, b: Array) -> Array:
        return self._exact(a * b, a.astype(float) * b)

    def floor_divide(self, a: Array, b: Array) -> Array:
        return np.where(b == 0, 0, a // np.where(b == 0, 1, b))

    def modulo(self, a: Array, b: Array) -> Array:
        return np.where(b == 0, 0, a % np.where(b == 0, 1, b))

    def choose(self, condition: Array, then: Array, otherwise: Array) -> Array:
        return np.where(condition, then, otherwise)

    def apply(self, function: str, arguments: list[Array]) -> Array:
        return self._functions[function](*arguments)

    def truth(self, value: bool) -> Array:
        return np.asarray(value)

    def equal(self, a: Array, b: Array) -> Array:
        return np.asarray(a == b)

    def less_equal(self, a: Array, b: Array) -> Array:
        return np.asarray(a <= b)

    def negate(self, condition: Array) -> Array:
        return ~condition

    def both(self, conditions: list[Array]) -> Array:
        return reduce(np.logical_and, conditions)

    def either(self, conditions: list[Array]) -> Array:
        return reduce(np.logical_or, conditions)

    @staticmethod
    def _exact(exact: Array, rough: Array) -> Array:
        if np.any(np.abs(rough) >= _LIMIT):
            raise OverflowError("a value does not fit 64 bits")
        return exact


def as_array(
    term: Term, values: Mapping[str, Array], functions: Mapping[str, Callable[..., Array]] | None = None
) -> Array:
    """The term for every element of the broadcast `values`: int64, or bool for a condition.

    Raises:
        OverflowError: a value on the way reaches 2^62.
    """
    return fold(term, _Arrays(values, functions or {}))
