"""A term read as an expression of SQL, in integers of 128 bits; a query fails where they overflow."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.term.fold import fold
from epochproof.term.node import Term


class _Sql:
    """SQL of one node. Its `//` and `%` cut towards 0, and a divisor of 0 is an error: neither is ours."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns

    def number(self, value: int) -> str:
        return f"CAST({value} AS HUGEINT)"

    def variable(self, name: str) -> str:
        return f"CAST({self._columns[name]} AS HUGEINT)"

    def add(self, parts: list[str]) -> str:
        return f"({' + '.join(parts)})"

    def multiply(self, a: str, b: str) -> str:
        return f"({a} * {b})"

    def floor_divide(self, a: str, b: str) -> str:
        return f"coalesce(({a} - {self._left(a, b)}) // nullif({b}, 0), 0)"

    def modulo(self, a: str, b: str) -> str:
        return f"coalesce({self._left(a, b)}, 0)"

    def _left(self, a: str, b: str) -> str:
        return f"(({a} % nullif({b}, 0) + {b}) % nullif({b}, 0))"

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        return f"(CASE WHEN {condition} THEN {then} ELSE {otherwise} END)"

    def apply(self, function: str, arguments: list[str]) -> str:
        raise ValueError(f"no SQL says what {function} of {len(arguments)} numbers is")

    def truth(self, value: bool) -> str:
        return str(value).lower()

    def equal(self, a: str, b: str) -> str:
        return f"({a} = {b})"

    def less_equal(self, a: str, b: str) -> str:
        return f"({a} <= {b})"

    def negate(self, condition: str) -> str:
        return f"(NOT {condition})"

    def both(self, conditions: list[str]) -> str:
        return f"({' AND '.join(conditions)})"

    def either(self, conditions: list[str]) -> str:
        return f"({' OR '.join(conditions)})"


def as_sql(term: Term, columns: Mapping[str, str]) -> str:
    """The expression; `columns` says what stands for each variable, and text is doubled where terms share."""
    return fold(term, _Sql(columns))
