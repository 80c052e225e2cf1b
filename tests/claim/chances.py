"""Every sequence of draws there is, equally likely, read through a loader that a test runs by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.worlds import World, Written, batch, shard


@dataclass(frozen=True)
class Drawn:
    """A loader `l` over `size` records that draws n, and what it makes of the draws."""

    size: int
    n: int
    ranks: int
    below: tuple[Written, ...]

    def text(self, *claims: str) -> str:
        """The spec, with these formulas as claims."""
        stages = (Written("draw", self.n, {"seed": "any"}), *self.below)
        return World(self.size, self.ranks, stages).text(*claims)

    def odds(self, rank: int | None = None) -> Counter[int]:
        """In how many of all sequences so many different records are read, by one rank or by all."""
        lanes = World(self.n, self.ranks, self.below).epoch(0)
        read = {p for at, lane in enumerate(lanes) if rank in (None, at) for p in lane.records}
        sequences = product(range(self.size), repeat=self.n)
        return Counter(len({drawn[p] for p in read}) for drawn in sequences)

    def mean(self, rank: int | None = None) -> Fraction:
        """The mean number of different records."""
        odds = self.odds(rank)
        return Fraction(sum(k * ways for k, ways in odds.items()), odds.total())


BELOW: list[tuple[Written, ...]] = [
    (),
    (batch(2, "drop"),),
    (shard(tail="drop"),),
    (shard(), batch(2, "drop")),
    (shard("blocked", "uneven"), batch(2, "keep")),
    (Written("shuffle", options={"seed": 4}), shard(tail="drop")),
    (batch(2), Written("stop", options={"steps": 1})),
]


def all_small() -> Iterator[Drawn]:
    """Up to four records and five draws, on up to three ranks."""
    for size, n, below in product(range(1, 5), range(6), BELOW):
        yield Drawn(size, n, 1 + (size + n) % 3, below)
