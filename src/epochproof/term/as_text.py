"""A term read as a formula for people."""

from __future__ import annotations

from epochproof.term.fold import fold
from epochproof.term.node import Term

# (text, how tightly it binds): or 1, and 2, not 3, comparison 4, sum 5, product 6, atom 7
_Bound = tuple[str, int]


def _wrap(part: _Bound, above: int) -> str:
    text, binds = part
    return text if binds > above else f"({text})"


class _Formula:
    def number(self, value: int) -> _Bound:
        return str(value), 7 if value >= 0 else 5

    def variable(self, name: str) -> _Bound:
        return name, 7

    def add(self, parts: list[_Bound]) -> _Bound:
        text = _wrap(parts[0], 4)
        for part in parts[1:]:
            each = _wrap(part, 5) if part[0].startswith("-") is False else part[0]
            text += f" - {each[1:]}" if each.startswith("-") else f" + {each}"
        return text, 5

    def multiply(self, a: _Bound, b: _Bound) -> _Bound:
        if a[0] == "-1":
            return f"-{_wrap(b, 6)}", 5
        return f"{_wrap(a, 5)} * {_wrap(b, 6)}", 6

    def floor_divide(self, a: _Bound, b: _Bound) -> _Bound:
        return f"{_wrap(a, 5)} // {_wrap(b, 6)}", 6

    def modulo(self, a: _Bound, b: _Bound) -> _Bound:
        return f"{_wrap(a, 5)} % {_wrap(b, 6)}", 6

    def choose(self, condition: _Bound, then: _Bound, otherwise: _Bound) -> _Bound:
        return f"if {condition[0]} then {then[0]} else {otherwise[0]}", 0

    def apply(self, function: str, arguments: list[_Bound]) -> _Bound:
        return f"{function}({', '.join(text for text, _ in arguments)})", 7

    def truth(self, value: bool) -> _Bound:
        return str(value).lower(), 7

    def equal(self, a: _Bound, b: _Bound) -> _Bound:
        return f"{_wrap(a, 4)} == {_wrap(b, 4)}", 4

    def less_equal(self, a: _Bound, b: _Bound) -> _Bound:
        return f"{_wrap(a, 4)} <= {_wrap(b, 4)}", 4

    def negate(self, condition: _Bound) -> _Bound:
        return f"not {_wrap(condition, 3)}", 3

    def both(self, conditions: list[_Bound]) -> _Bound:
        return " and ".join(_wrap(each, 2) for each in conditions), 2

    def either(self, conditions: list[_Bound]) -> _Bound:
        return " or ".join(_wrap(each, 1) for each in conditions), 1


def as_text(term: Term) -> str:
    """The formula on one line, with the fewest parentheses that keep its meaning."""
    return fold(term, _Formula())[0]
