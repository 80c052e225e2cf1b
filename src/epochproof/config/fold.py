"""Values of expressions in which every bound value was put in place, as far as they are known."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from epochproof.language import tree

Known = int | Fraction | bool | str
_Number = int | Fraction

_ORDERS: Mapping[str, Callable[[_Number, _Number], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SUMS: Mapping[str, Callable[[_Number, _Number], _Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_QUOTIENTS: Mapping[str, Callable[[_Number, _Number], _Number]] = {
    "//": operator.floordiv,
    "%": operator.mod,
    "ceil": lambda a, b: -(-a // b),
}
_TRUTHS = {"true": True, "false": False}


def known(value: tree.Expression) -> Known | None:
    """The value of an expression without free names, `None` for any other; it is never null."""
    match value:
        case tree.Number() | tree.Text():
            return value.value
        case tree.Name():
            word = str(value)
            return _TRUTHS.get(word, word if isinstance(value, tree.Word) else None)
        case tree.Negate():
            return _negated(value.operator, known(value.operand))
        case tree.Binary():
            return _joined(value.operator, known(value.left), known(value.right))
        case _:
            return None


def amount(value: Known | None) -> _Number | None:
    """The value if it is a number."""
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def _negated(sign: str, inner: Known | None) -> Known | None:
    if sign == "not":
        return not inner if isinstance(inner, bool) else None
    number = amount(inner)
    return None if number is None else -number


def _joined(sign: str, left: Known | None, right: Known | None) -> Known | None:
    one, other = amount(left), amount(right)
    if one is not None and other is not None:
        return _of_numbers(sign, one, other)
    if left is None or type(left) is not type(right):
        return None
    if sign in ("==", "!="):
        return (left == right) is (sign == "==")
    if sign in ("and", "or") and isinstance(left, bool) and isinstance(right, bool):
        return (left and right) if sign == "and" else (left or right)
    return None


def _of_numbers(sign: str, left: _Number, right: _Number) -> Known | None:
    if sign in _ORDERS:
        return _ORDERS[sign](left, right)
    if sign in _SUMS:
        return _SUMS[sign](left, right)
    return _QUOTIENTS[sign](left, right) if sign in _QUOTIENTS and right > 0 else None
