"""The draws with replacement of torch's samplers, without torch (measured in `tests/stage/test_draw.py`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log1p
from random import Random

from epochproof.stage._permutation import own_seed, twister
from epochproof.stage._weights import weights_of

_WIDE = 2**28
"""From this many records on, torch takes 64 random bits for a draw."""


def uniform(n: int, size: int, seed: int) -> list[int]:
    """`RandomSampler(range(size), replacement=True, num_samples=n)` of a generator seeded with `seed`."""
    draw, bits = twister(seed).getrandbits, 64 if size >= _WIDE else 32
    return [(draw(32) if bits == 32 else draw(32) << 32 | draw(32)) % size for _ in range(n)]


def weighted(n: int, weights: Sequence[float], seed: int) -> list[int]:
    """`WeightedRandomSampler(weights, n)` of a generator seeded with `seed`."""
    draw, last = twister(seed).getrandbits, len(weights) - 1
    if n == 1:
        # Torch takes another way for one draw: the greatest weight over an exponential number.
        waits = [-log1p(-_fraction(draw)) for _ in weights]
        return [max(range(last + 1), key=lambda at: weights[at] / waits[at] if waits[at] else 0.0)]
    # Summed one by one, as torch does: another order may round otherwise.
    sums = list(accumulate(map(float, weights)))
    shares = [share / sums[last] for share in sums]
    shares[last] = 1.0
    return [bisect_left(shares, _fraction(draw)) for _ in range(n)]


def _fraction(draw: Callable[[int], int]) -> float:
    """A number from 0 to 1 of 53 random bits."""
    return ((draw(32) << 32 | draw(32)) % 2**53) * 2.0**-53


def stand_in(column: int, size: int) -> list[int]:
    """Weights that a column nobody has seen could hold: all alike, all on one record, or by chance."""
    if column == 0 or size == 0:
        return [1] * size
    if column <= 2:
        return [int(record == (column - 1) * (size - 1)) for record in range(size)]
    chance = Random(column)  # noqa: S311 -- any choice is as good as another
    found = [chance.choice((0, 0, 1, 2, 5)) for _ in range(size)]
    return found if any(found) else [1, *found[1:]]


def column(weights: int, size: int) -> Sequence[float]:
    """The weights of so many records that the number of a column stands for."""
    known = weights_of(weights)
    return stand_in(weights, size) if known is None else known.floats


@dataclass(frozen=True)
class Drawn:
    """What is drawn; of each position how often its record came before; of each record its positions."""

    records: list[int]
    before: list[int]
    positions: dict[int, list[int]]


_APART = 2**40
MADE_UP = tuple(-kind * _APART for kind in range(1, 4))
"""Seeds that are none: under them and a few epochs later, uniform draws are not torch's but made up."""


def _made_up(kind: int, size: int, n: int) -> list[int]:
    """Always the first record; every record but the last in turn; every record in turn."""
    return [p % (1, max(1, size - 1), size)[kind - 1] for p in range(n)]


@lru_cache(maxsize=512)
def sequence(weights: int, key: int, stream: int, size: int, n: int) -> Drawn:
    """N draws under (key, stream) from `size` records; weights 0 are uniform, others 1 more than a column."""
    before = list[int]()
    if key < 0 and weights == 0:
        records = _made_up((_APART // 2 - key) // _APART, size, n)
    else:
        seed = own_seed(key, stream) if stream else key
        records = weighted(n, column(weights - 1, size), seed) if weights else uniform(n, size, seed)
    positions: dict[int, list[int]] = {}
    for p, record in enumerate(records):
        own = positions.setdefault(record, [])
        before.append(len(own))
        own.append(p)
    return Drawn(records, before, positions)


def picked(weights: int, key: int, stream: int, size: int, n: int, p: int) -> int:
    """The record that draw `p` of n gives."""
    return sequence(weights, key, stream, size, n).records[p] if size and 0 <= p < n else 0


def again(weights: int, key: int, stream: int, size: int, n: int, p: int) -> int:
    """How many draws before `p` gave the same record."""
    return sequence(weights, key, stream, size, n).before[p] if size and 0 <= p < n else 0


def nth(weights: int, key: int, stream: int, size: int, n: int, q: int, lap: int) -> int:
    """The draw that gives record `q` after `lap` others did; n where there is none."""
    own = sequence(weights, key, stream, size, n).positions.get(q, []) if size else []
    return own[lap] if 0 <= lap < len(own) else n
