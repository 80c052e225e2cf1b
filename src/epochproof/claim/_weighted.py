"""How many records are there after d draws by weights: exact expectations and probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, lcm
from typing import Any

from epochproof.claim._occupancy import MOST_BITS, SCALE, TooMany, power

MOST_WEIGHTS, MOST_SUMS, MOST_RECORDS = 5_000, 20_000, 2_000
"""So many weights may differ, so many different sums may sets of them have, of so many records."""

Counts = Mapping[Fraction, int]
"""How many records have each weight; one at least is above 0."""


def missed_by_weight(counts: Counts, draws: int) -> tuple[Fraction, Fraction]:
    """Bounds of the mean number of records that all draws miss: of each weight v, (1 - v/W)^d.

    Equal where that is exact; from `MOST_BITS` on they are rounded down and up, 256 bits apart.

    Raises:
        TooMany: it would take too long.
    """
    if len(counts) > MOST_WEIGHTS:
        raise TooMany
    whole, total = _whole(counts)
    if draws * total.bit_length() * len(whole) <= MOST_BITS:
        missed = sum(times * (total - each) ** draws for each, times in whole)
        return Fraction(missed, total**draws), Fraction(missed, total**draws)
    low, high = (
        sum(times * power(total - each, total, draws, up=up) for each, times in whole) for up in (False, True)
    )
    return Fraction(low, SCALE), Fraction(high, SCALE)


def _whole(counts: Counts) -> tuple[list[tuple[int, int]], int]:
    """Whole weights in the same proportions, each with how many records have it, and what all weigh."""
    factor = lcm(*(each.denominator for each in counts))
    whole = [(int(each * factor), times) for each, times in counts.items()]
    return whole, sum(each * times for each, times in whole)


def _few(counts: Counts) -> tuple[list[tuple[int, int]], int]:
    """The same of records whose sets can be counted."""
    if sum(counts.values()) > MOST_RECORDS:
        raise TooMany
    return _whole(counts)


def all_drawn_by_weight(counts: Counts, draws: int) -> Fraction:
    """The probability that every record is drawn, by inclusion and exclusion.

    Raises:
        TooMany: it would take too long.
    """
    if draws < sum(counts.values()) or 0 in counts:
        return Fraction(0)
    whole, total = _few(counts)
    sums: Counter[Any] = Counter({0: 1})
    for each, times in whole:
        signed = [((-1) ** some * comb(times, some), some * each) for some in range(times + 1)]
        sums = _joined(((at + more, ways * sign) for at, ways in sums.items() for sign, more in signed))
    _refuse_long(len(sums), draws, total)
    return Fraction(sum(ways * (total - at) ** draws for at, ways in sums.items()), total**draws)


def distinct_odds_by_weight(counts: Counts, draws: int) -> list[Fraction]:
    """For each k up to the number of records the probability that exactly k different ones are drawn.

    Raises:
        TooMany: it would take too long.
    """
    whole, total = _few(counts)
    sums: Counter[Any] = Counter({(0, 0): 1})
    for each, times in whole:
        chosen = [(comb(times, some), some, some * each) for some in range(times + 1)]
        sums = _joined(
            ((size + some, at + more), ways * factor)
            for (size, at), ways in sums.items()
            for factor, some, more in chosen
        )
    _refuse_long(len(sums), draws, total)
    size = sum(counts.values())
    # Of all sets of j records: the probability that no draw gives one of them, summed.
    missed = [0] * (size + 1)
    for (some, at), ways in sums.items():
        missed[some] += ways * (total - at) ** draws
    exactly = [
        sum((-1) ** (some - m) * comb(some, m) * missed[some] for some in range(m, size + 1))
        for m in range(size + 1)
    ]
    return [Fraction(each, total**draws) for each in reversed(exactly)]


def _joined(pairs: Iterator[tuple[Any, int]]) -> Counter[Any]:
    """The pairs, those with one first half summed."""
    found = Counter[Any]()
    for at, ways in pairs:
        found[at] += ways
        if len(found) > MOST_SUMS:
            raise TooMany
    return found


def _refuse_long(sums: int, draws: int, total: int) -> None:
    if sums * draws * total.bit_length() > MOST_BITS * 20:
        raise TooMany
