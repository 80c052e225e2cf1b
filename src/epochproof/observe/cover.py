"""Few instances that show every pair of cases that any instance shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")

Pair = tuple[tuple[int, str], ...]


def pairs(cases: Sequence[str]) -> Iterator[Pair]:
    """Each case of a stage together with each case of another one; a lone stage's case alone."""
    placed = list(enumerate(cases))
    yield from combinations(placed, min(2, len(placed)))


def pairwise(instances: Sequence[tuple[T, Sequence[str]]]) -> list[T]:
    """Some of the instances, chosen greedily so that they show every pair that all of them show.

    Args:
        instances: Each with the case of each stage; the earlier of two that show as much is taken.
    """
    shows = [(each, set(pairs(cases))) for each, cases in instances]
    missing = set[Pair]().union(*(shown for _, shown in shows))
    chosen: list[T] = []
    while missing:
        best, shown = max(shows, key=lambda each: len(each[1] & missing))
        chosen.append(best)
        missing -= shown
    return chosen
