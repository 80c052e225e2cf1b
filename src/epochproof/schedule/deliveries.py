"""What a plan delivers in one world: the plan's own terms, run as lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from epochproof.schedule.plan import Plan
from epochproof.stage._permutation import permutation
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.node import Int, variable


def _permuted(key: int, stream: int, n: int, p: int) -> int:
    return permutation(key, stream, n)[0][p] if 0 <= p < n else 0


def _position(key: int, stream: int, n: int, q: int) -> int:
    return permutation(key, stream, n)[1][q] if 0 <= q < n else 0


TABLES: Mapping[str, Callable[..., int]] = {"permuted": _permuted, "position": _position}
"""Torch's own permutations, for the functions that the shuffle applies."""


@dataclass(frozen=True)
class Delivered:
    """What one rank reads in one epoch, position by position."""

    records: list[int]
    padded: list[bool]
    step: list[int]
    steps: int

    @property
    def padding(self) -> int:
        """How many positions padding introduced."""
        return sum(self.padded)


class Compiled:
    """A plan compiled once, to be run in many worlds; `names` are the parameters in order."""

    def __init__(self, plan: Plan, epochs: Int, names: tuple[str, ...]) -> None:
        self.names, self.plan = names, plan
        lane, p = plan.lane(), variable("p")
        inside = [*names, "rank", "epoch"]
        terms = (plan.record(p, lane), plan.padded(p, lane), plan.step(p, lane))
        self._rows = as_rows(terms, "p", plan.length(lane), inside, TABLES)
        self._steps = as_int(plan.steps(lane), inside, TABLES)
        self._length = as_int(plan.length(lane), inside, TABLES)
        self._shape = _together(names, plan.size, plan.ranks, epochs)

    def run(self, values: tuple[int, ...]) -> Lists:
        """The lists of the world with these parameters."""
        size, ranks, epochs = self._shape(*values)
        return Lists(self, values, size, ranks, epochs)

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank reads in one epoch of the world."""
        rows = self._rows(*values, rank, epoch)
        records, padded, step = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
        return Delivered(records, padded, step, self._steps(*values, rank, epoch))

    def length(self, values: tuple[int, ...], rank: int, epoch: int) -> int:
        """How many positions the rank reads in the epoch."""
        length: int = self._length(*values, rank, epoch)
        return length

    def weight(self, values: tuple[int, ...], *, all_epochs: bool) -> int:
        """Roughly how many positions the world delivers, without delivering them."""
        _, ranks, epochs = self._shape(*values)
        sample = min(ranks, 16)
        lengths = sum(self._length(*values, rank, 0) for rank in range(sample))
        weight: int = (ranks + lengths * ranks // sample) * (epochs if all_epochs else 1)
        return weight


def _together(names: tuple[str, ...], *terms: Int) -> Callable[..., tuple[int, ...]]:
    """One function for several terms."""
    compiled = [as_int(term, names) for term in terms]
    return lambda *values: tuple(each(*values) for each in compiled)


class Lists:
    """One world: `size` records, and for each epoch and rank what is delivered."""

    def __init__(
        self, compiled: Compiled, values: tuple[int, ...], size: int, ranks: int, epochs: int
    ) -> None:
        self.size, self.ranks, self.epochs = size, ranks, epochs
        self.lane: Callable[[int, int], Delivered] = cache(
            lambda epoch, rank: compiled.lane(values, rank, epoch)
        )
        self._compiled, self._values = compiled, values
        self._counts: dict[int, Counter[int]] = {}

    def length(self, epoch: int, rank: int) -> int:
        """How many positions the rank reads in the epoch, without delivering them."""
        return self._compiled.length(self._values, rank, epoch)

    def epoch(self, epoch: int) -> list[Delivered]:
        """What each rank reads in the epoch."""
        return [self.lane(epoch, rank) for rank in range(self.ranks)]

    def counts(self, epoch: int) -> Counter[int]:
        """How often each record is delivered in the epoch."""
        if epoch not in self._counts:
            self._counts[epoch] = Counter(record for lane in self.epoch(epoch) for record in lane.records)
        return self._counts[epoch]

    @cached_property
    def run_counts(self) -> Counter[int]:
        """How often each record is delivered in all epochs."""
        return sum((self.counts(epoch) for epoch in range(self.epochs)), Counter())
