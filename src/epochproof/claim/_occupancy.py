"""How many of N records are there after d draws with replacement: exact expectations and probabilities."""

from __future__ import annotations

from fractions import Fraction
from math import comb

MOST_BITS, MOST_STEPS = 2_000_000, 400_000
"""Numbers of so many bits are computed exactly, and so many sums of them make one probability."""

SCALE = 1 << 256
"""Rounded numbers have so many parts."""


class TooMany(Exception):  # noqa: N818 -- no error: a number that is not computed
    """The exact number would take too long."""


def missed(size: int, draws: int) -> tuple[Fraction, Fraction]:
    """Bounds of the probability that all draws miss one record: (1 - 1/N)^d, equal where that is exact.

    From `MOST_BITS` on they are rounded down and up, 256 bits apart.
    """
    if size == 0:
        return Fraction(1), Fraction(1)
    if draws * size.bit_length() <= MOST_BITS:
        exact = Fraction((size - 1) ** draws, size**draws)
        return exact, exact
    low, high = power(size - 1, size, draws, up=False), power(size - 1, size, draws, up=True)
    return Fraction(low, SCALE), Fraction(high, SCALE)


def power(over: int, by: int, draws: int, *, up: bool) -> int:
    """(over / by)^d in units of `SCALE`, every product rounded down, or every one up."""
    extra = SCALE - 1 if up else 0
    base = (over * SCALE + (by - 1 if up else 0)) // by
    found = SCALE
    for bit in f"{draws:b}":
        found = (found * found + extra) // SCALE
        if bit == "1":
            found = (found * base + extra) // SCALE
    return found


def all_drawn(size: int, draws: int) -> Fraction:
    """The probability that every record is drawn, by inclusion and exclusion.

    Raises:
        TooMany: it would take too long.
    """
    if draws < size:
        return Fraction(0)
    if size == 0:
        return Fraction(1)
    if size * draws * size.bit_length() > MOST_BITS * 20:
        raise TooMany
    ways = sum((-1) ** k * comb(size, k) * (size - k) ** draws for k in range(size))
    return Fraction(ways, size**draws)


def distinct_odds(size: int, draws: int) -> list[Fraction]:
    """For each k the probability that exactly k different records are drawn.

    Raises:
        TooMany: it would take too long.
    """
    most = min(size, draws)
    if draws * most > MOST_STEPS:
        raise TooMany
    if size == 0:
        return [Fraction(1)]
    ways = [1] + [0] * most
    for _ in range(draws):
        old = [*ways]
        ways = [k * old[k] + (size - k + 1) * old[k - 1] if k else 0 for k in range(most + 1)]
    return [Fraction(each, size**draws) for each in ways]
