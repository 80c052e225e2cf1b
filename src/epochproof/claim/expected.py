"""`expected(…)`: the mean, over all draws, of how many records are read or left out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim._amounts import Amount, Between, Quotient, fixed
from epochproof.claim._chance import counted, drawn
from epochproof.claim._nodes import Node, Symbols, Use, World
from epochproof.claim._occupancy import missed
from epochproof.claim._question import View
from epochproof.term.node import Int, constant, minimum

_TIMES, _SIZES = 12, (1_000_000, 10_000, 1_000, 100, 30, 10, 5, 2)
"""Up to so many times the records are drawn, and so many records there are, where that gives a bound."""

_E = (Fraction(27182818284590452353, 10**19), Fraction(27182818284590452354, 10**19))
"""Bounds of e."""


@dataclass(frozen=True, eq=False, repr=False)
class Expected(Amount):
    """Of N records, d draws miss N (1 - 1/N)^d in the mean; `left_out` tells which of both is meant."""

    use: Use
    left_out: bool

    def parts(self) -> tuple[Node, ...]:
        return (self.use,)

    def between(self, symbols: Symbols) -> Between:
        view, size, draws = drawn(symbols, self.use)
        omitted = _omitted(view, size, draws)
        if self.left_out:
            return omitted
        read = omitted.times(Fraction(-1))
        return Between(read.low + Quotient(size), read.high + Quotient(size))

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        size, draws = counted(world, self.use)
        low, high = missed(size, draws)
        return (size * low, size * high) if self.left_out else (size * (1 - high), size * (1 - low))


def _omitted(view: View, size: Int, draws: Int) -> Between:
    """The mean of what is left out: exact where both are fixed, else between bounds that hold for all."""
    if (n := constant(size)) is not None and (d := constant(draws)) is not None:
        low, high = missed(n, d)
        return Between(fixed(n * low), fixed(n * high))
    low, high = _share(view, size, draws)
    most = Quotient(size).times(high)
    if high == 1:
        # One draw at least gives one record.
        most = Quotient(size - minimum(minimum(size, draws), 1))
    return Between(Quotient(size).times(low), most)


def _share(view: View, size: Int, draws: Int) -> tuple[Fraction, Fraction]:
    """Bounds of (1 - 1/N)^d for all N and d that there may be.

    (1 - 1/N)^N rises with N, and stays below 1/e.
    """
    sane = view.sane()
    times = range(_TIMES, 0, -1)
    at_least = next((c for c in times if view.question.settle(sane, draws >= size * c)), 0)
    at_most = next((c for c in reversed(times) if view.question.settle(sane, draws <= size * c)), None)
    fewest = next((n for n in _SIZES if view.question.settle(sane, size >= n)), 1)
    low = Fraction(0) if at_most is None else missed(fewest, fewest * at_most)[0]
    return _shorter(low, up=False), _shorter(1 / _E[0] ** at_least, up=True)


def _shorter(share: Fraction, *, up: bool) -> Fraction:
    """The share with twelve digits, rounded."""
    scaled = share * 10**12
    return Fraction(-(-scaled.numerator // scaled.denominator) if up else int(scaled), 10**12)


