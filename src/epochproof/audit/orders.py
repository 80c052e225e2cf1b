"""The permutations of known seeds as arrays: those of `stage._permutation`, swapped in blocks."""

from __future__ import annotations

from math import isqrt

import numpy as np
import numpy.typing as npt

from epochproof.stage._permutation import own_seed, randperm

_FEW = 2_000
"""So few positions are swapped one by one."""

Positions = npt.NDArray[np.int64]


def order(key: int, stream: int, n: int) -> Positions:
    """The record at each position under a key; stream 0 is the one that ranks share.

    Raises:
        ValueError: n is too long for torch's permutation to be known.
    """
    seed = own_seed(key, stream) if stream else key
    if n <= _FEW:
        return np.array(randperm(n, seed), dtype=np.int64)
    randperm_limit(n)
    draws = np.random.RandomState(seed % 2**32).randint(0, 2**32, n - 1, dtype=np.uint32)
    at = np.arange(n - 1, dtype=np.int64)
    return _swapped(np.arange(n, dtype=np.int64), at + draws % (n - at))


def randperm_limit(n: int) -> None:
    """Refuses a length at which torch draws in another way."""
    if n >= (2**32 - 1) // 20:
        raise ValueError(f"a permutation of {n} records is too long to draw")


def _swapped(order: Positions, other: Positions) -> Positions:
    """Swaps each position with its `other` one, which is never an earlier one, in turn.

    A block whose partners differ and lie behind the block is swapped at once.
    """
    last, marks, start = len(other), np.empty(len(order), dtype=np.int64), 0
    while start < last:
        end = min(last, start + max(16, isqrt((len(order) - start) // 32)))
        partners = other[start:end]
        turns = np.arange(start, end)
        marks[partners] = turns
        if partners.min() >= end and (marks[partners] == turns).all():
            order[start:end], order[partners] = order[partners], order[start:end].copy()
        else:
            _one_by_one(order, start, partners.tolist())
        start = end
    return order


def _one_by_one(order: Positions, start: int, partners: list[int]) -> None:
    for at, partner in enumerate(partners, start):
        order[at], order[partner] = order[partner], order[at]
