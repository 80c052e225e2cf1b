"""What the ranges of the variables say about a term, without a solver."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.term.fold import postorder, read
from epochproof.term.node import Int, Op, Term

Interval = tuple[int | None, int | None]
"""Least and greatest value, both included; `None` is no bound."""

_ANY: Interval = (None, None)


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


class _Intervals:
    """Interval arithmetic; conditions carry no bound."""

    def __init__(self, ranges: Mapping[str, Interval]) -> None:
        self._ranges = ranges

    def number(self, value: int) -> Interval:
        return value, value

    def variable(self, name: str) -> Interval:
        return self._ranges.get(name, _ANY)

    def add(self, parts: list[Interval]) -> Interval:
        return _sum([low for low, _ in parts]), _sum([high for _, high in parts])

    def multiply(self, a: Interval, b: Interval) -> Interval:
        if a[0] is not None and a[0] == a[1] and a[0] < 0:
            low, high = self.multiply((-a[0], -a[0]), b)
            return None if high is None else -high, None if low is None else -low
        if a[0] is None or b[0] is None or a[0] < 0:
            return _ANY
        if b[0] < 0:
            return (a[1] * b[0] if a[1] is not None else None), (
                a[1] * b[1] if a[1] is not None and b[1] is not None and b[1] >= 0 else None
            )
        return a[0] * b[0], (a[1] * b[1] if a[1] is not None and b[1] is not None else None)

    def floor_divide(self, a: Interval, b: Interval) -> Interval:
        if a[0] is None or b[0] is None or b[0] < 1:
            return _ANY
        low = a[0] // b[0] if a[0] < 0 else (a[0] // b[1] if b[1] is not None else 0)
        return low, (a[1] // b[0] if a[1] is not None and a[1] >= 0 else None)

    def modulo(self, a: Interval, b: Interval) -> Interval:
        return (0, None if b[1] is None else b[1] - 1) if b[0] is not None and b[0] >= 1 else _ANY

    def choose(self, condition: Interval, then: Interval, otherwise: Interval) -> Interval:
        lows, highs = (then[0], otherwise[0]), (then[1], otherwise[1])
        return (
            None if lows[0] is None or lows[1] is None else min(lows[0], lows[1]),
            None if highs[0] is None or highs[1] is None else max(highs[0], highs[1]),
        )

    def apply(self, function: str, arguments: list[Interval]) -> Interval:
        return _ANY

    def truth(self, value: bool) -> Interval:
        return _ANY

    def equal(self, a: Interval, b: Interval) -> Interval:
        return _ANY

    less_equal = equal

    def negate(self, condition: Interval) -> Interval:
        return _ANY

    def both(self, conditions: list[Interval]) -> Interval:
        return _ANY

    either = both


def _extremum(term: Term, memo: Mapping[Term, Interval]) -> Interval | None:
    """The interval of `max(a, b)` or `min(a, b)`, which a choice between intervals would lose."""
    if term.op is not Op.CHOOSE or term.args[0].op is not Op.LESS_EQUAL:
        return None
    condition, then, otherwise = term.args
    (a, b), (c, d) = memo[then], memo[otherwise]
    if condition.args == (otherwise, then):
        lows = [low for low in (a, c) if low is not None]
        return max(lows, default=None), None if b is None or d is None else max(b, d)
    if condition.args == (then, otherwise):
        highs = [high for high in (b, d) if high is not None]
        return None if a is None or c is None else min(a, c), min(highs, default=None)
    return None


def interval(term: Int, ranges: Mapping[str, Interval]) -> Interval:
    """The least and greatest value that can be read off the ranges: sound, not exact."""
    reading, memo = _Intervals(ranges), dict[Term, Interval]()
    for each in postorder(term):
        memo[each] = _extremum(each, memo) or read(each, [memo[arg] for arg in each.args], reading)
    return memo[term]
