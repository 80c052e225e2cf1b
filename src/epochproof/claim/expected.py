"""`expected(…)`: the mean, over all draws, of how many records are read or left out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim._amounts import Amount, Between, Quotient, fixed
from epochproof.claim._chance import counted, drawn, weights_drawn
from epochproof.claim._nodes import Node, Symbols, Use, World
from epochproof.claim._occupancy import TooMany, missed
from epochproof.claim._question import Undecided, View
from epochproof.claim._weighted import missed_by_weight
from epochproof.schedule.plan import Plan
from epochproof.term.node import Int, choose, constant, maximum, minimum, number

_TIMES, _DIGITS = 12, 10**9
"""Up to so many times the records are drawn where that gives a bound, of so many digits."""

_SIZES = (*range(1, 31), 40, 50, 100, 1_000, 1_000_000)
"""Sizes from which on, and up to which, a bound is tightened."""

_E = Fraction(2718281828459045235, 10**18)
"""The number e, rounded down."""


@dataclass(frozen=True, eq=False, repr=False)
class Expected(Amount):
    """Of N records, d draws miss N (1 - 1/N)^d in the mean; `left_out` tells which of both is meant.

    Of weights v that are W together, they miss the sum of all (1 - v/W)^d.
    """

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
        low, high = _mean(world.seen(self.use).lists.plan, size, draws)
        return (low, high) if self.left_out else (size - high, size - low)


def _mean(plan: Plan, size: int, draws: int) -> tuple[Fraction, Fraction]:
    """Bounds of the mean of what is left out, for fixed numbers."""
    weights = weights_drawn(plan)
    if weights is None:
        low, high = missed(size, draws)
        return size * low, size * high
    try:
        return missed_by_weight(weights, draws)
    except TooMany:
        raise Undecided(f"the mean over {len(weights):_} different weights takes too long") from None


def _omitted(view: View, size: Int, draws: Int) -> Between:
    """The mean of what is left out: exact where both are fixed, else between bounds that hold for all."""
    if (n := constant(size)) is not None and (d := constant(draws)) is not None:
        low, high = _mean(view.plan, n, d)
        return Between(fixed(low), fixed(high))
    if weights_drawn(view.plan) is not None:
        raise Undecided("what is drawn by weights has a rule for fixed numbers of draws")
    settle, sane = view.question.settle, view.sane()
    times = range(1, _TIMES + 1)
    at_least = next((c for c in reversed(times) if settle(sane, draws >= size * c)), 0)
    at_most = next((c for c in times if settle(sane, draws <= size * c)), None)
    # One draw at least gives one record.
    few = size - minimum(minimum(size, draws), 1)
    return Between(_least(size, draws, at_most), _most(size, at_least) if at_least else Quotient(few))


def _least(size: Int, draws: Int, at_most: int | None) -> Quotient:
    """N - d, and N (1 - 1/N)^(cN), rounded down: the share rises with N."""
    share = number(0)
    for n in _SIZES if at_most else ():
        share = choose(size >= n, _digits(missed(n, n * (at_most or 0))[0], up=False), share)
    return Quotient(maximum(size * share, (size - draws) * _DIGITS), _DIGITS)


def _most(size: Int, at_least: int) -> Quotient:
    """N (1 - 1/N)^(cN), rounded up: the share rises with N, and stays below e^-c."""
    share = number(_digits(1 / _E**at_least, up=True))
    for n in reversed(_SIZES):
        share = choose(size <= n, _digits(missed(n, n * at_least)[1], up=True), share)
    return Quotient(size * share, _DIGITS)


def _digits(share: Fraction, *, up: bool) -> int:
    """The first digits of a share, rounded."""
    scaled = share * _DIGITS
    return -(-scaled.numerator // scaled.denominator) if up else int(scaled)
