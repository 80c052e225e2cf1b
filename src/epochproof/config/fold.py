"""Values of expressions in which every bound value was put in place, as far as they are known."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from epochproof.language import tree

Known = int | Fraction | bool | str
_Number = int | Fraction

_ORDERS: Mapping[str, Callable[[_Number, _Number], bool]] = {
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
        case tree.Name(parts=("true" | "false" as word,)):
            return _TRUTHS[word]
        case tree.Word():
            return str(value)
        case tree.Negate(operator="-"):
            inner = known(value.operand)
            return -inner if _is_number(inner) else None
        case tree.Negate():
            truth = known(value.operand)
            return not truth if isinstance(truth, bool) else None
        case tree.Binary():
            return _joined(value.operator, known(value.left), known(value.right))
        case _:
            return None


def _is_number(value: Known | None) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _joined(sign: str, left: Known | None, right: Known | None) -> Known | None:
    if left is None or right is None:
        return None
    if sign in ("and", "or"):
        both = isinstance(left, bool) and isinstance(right, bool)
        return ((left and right) if sign == "and" else (left or right)) if both else None
    if sign in ("==", "!="):
        alike = type(left) is type(right) or (_is_number(left) and _is_number(right))
        return (left == right) is (sign == "==") if alike else None
    if not isinstance(left, int | Fraction) or not isinstance(right, int | Fraction):
        return None
    if isinstance(left, bool) or isinstance(right, bool):
        return None
    if sign in _ORDERS:
        return _ORDERS[sign](left, right)
    if sign in _SUMS:
        return _SUMS[sign](left, right)
    return _QUOTIENTS[sign](left, right) if right > 0 else None
