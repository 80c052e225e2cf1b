"""The lanes of a world: how many positions each delivers, and whose turn each step of a rank is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from epochproof.audit.world import World
from epochproof.diagnostics import fail
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import variable

MOST = 1_000_000
"""So many lanes are listed: epochs times ranks times workers."""

Turn = tuple[int, int]
"""A worker, and which of its own steps it is."""


@dataclass(frozen=True)
class Lane:
    """Positions `low` to `high`, exclusive, of a lane in an epoch; others are not audited."""

    epoch: int
    rank: int
    worker: int
    low: int
    high: int

    @property
    def due(self) -> int:
        """How many occurrences are scheduled."""
        return self.high - self.low


class Lanes:
    """All lanes of the epochs 0 to `epochs`, exclusive, as far as steps `portion`, both included, go.

    Raises:
        SpecError: There are too many.
    """

    def __init__(self, world: World, epochs: int, portion: tuple[int, int] | None = None) -> None:
        self.world, self.epochs, self.portion = world, epochs, portion
        if epochs * world.ranks * world.workers > MOST:
            lanes = f"{epochs:_} epochs of {world.ranks:_} ranks with {world.workers:_} workers"
            wrong = f"{lanes} are too many lanes"
            raise fail("E824", wrong, None, help=f"at most {MOST:_} can be audited")
        plan, lane = world.plan, world.plan.lane()
        inside = ["rank", "epoch", "worker"]
        self._length = as_int(plan.length(lane), inside)
        self._steps = as_int(plan.steps(lane), inside)
        self._alike = not {"rank", "epoch"} & variables(plan.steps(lane), plan.length(lane))
        grouped = plan.heres(lane)[-1].steps
        self._before = as_int(grouped.before(variable("step")), [*inside, "step"])
        self._steps_of = lru_cache(maxsize=None)(self._uncached)

    def _uncached(self, epoch: int, rank: int) -> tuple[int, ...]:
        return tuple(int(self._steps(rank, epoch, worker)) for worker in range(self.world.workers))

    def steps_of(self, epoch: int, rank: int) -> tuple[int, ...]:
        """How many steps each worker of a rank has in an epoch."""
        return self._steps_of(0, 0) if self._alike else self._steps_of(epoch, rank)

    @cached_property
    def every(self) -> tuple[Lane, ...]:
        """Every lane, by epoch, rank and worker."""
        return tuple(self._listed())

    @cached_property
    def most_steps(self) -> int:
        """The steps of the rank with the most, whatever the portion."""
        return max((sum(self.steps_of(*each)) for each in self._ranks()), default=0)

    @cached_property
    def longest(self) -> int:
        """The positions of the longest lane, whatever the portion."""
        lanes = (
            (rank, epoch, worker) for epoch, rank in self._ranks() for worker in range(self.world.workers)
        )
        return max((int(self._length(*each)) for each in lanes), default=0)

    @property
    def due(self) -> int:
        """How many occurrences are scheduled on all lanes."""
        return sum(each.due for each in self.every)

    @cached_property
    def even(self) -> bool:
        """Whether the workers of each rank have equally many steps, so that each has every so manieth."""
        return all(len(set(self.steps_of(*each))) == 1 for each in self._ranks())

    def steps(self, epoch: int, rank: int) -> int:
        """The steps of a rank in an epoch, as far as the portion goes."""
        steps = sum(self.steps_of(epoch, rank))
        if self.portion is None:
            return steps
        return max(0, min(steps, self.portion[1] + 1) - self.portion[0])

    def shapes(self) -> dict[tuple[int, ...], list[tuple[int, int]]]:
        """The epochs and ranks whose workers have the same numbers of steps."""
        found: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for each in self._ranks():
            found.setdefault(self.steps_of(*each), []).append(each)
        return found

    def _ranks(self) -> Iterator[tuple[int, int]]:
        ranks = 1 if self._alike else self.world.ranks
        epochs = min(1, self.epochs) if self._alike else self.epochs
        return ((epoch, rank) for epoch in range(epochs) for rank in range(ranks))

    def _listed(self) -> Iterator[Lane]:
        for epoch in range(self.epochs):
            for rank in range(self.world.ranks):
                steps = self.steps_of(epoch, rank)
                for worker in range(self.world.workers):
                    length = int(self._length(rank, epoch, worker))
                    low, high = 0, length
                    if self.portion is not None:
                        low, high = (
                            min(length, self._at(epoch, rank, worker, _done(steps, worker, step)))
                            for step in (self.portion[0], self.portion[1] + 1)
                        )
                    yield Lane(epoch, rank, worker, low, high)

    def _at(self, epoch: int, rank: int, worker: int, step: int) -> int:
        return int(self._before(rank, epoch, worker, step))


def _done(steps: Sequence[int], worker: int, step: int) -> int:
    """How many steps of its own a worker has before a step of its rank."""
    return bisect_left(range(steps[worker]), step, key=lambda own: turn_at(steps, worker, own))


def turn_at(steps: Sequence[int], worker: int, own: int) -> int:
    """Which step of the rank a worker's `own` step is: each worker that still has one, in turn."""
    return sum(min(each, own + (at < worker)) for at, each in enumerate(steps))


def turns(steps: Sequence[int]) -> list[Turn]:
    """Whose turn each step of a rank is."""
    return [
        (worker, own)
        for own in range(max(steps, default=0))
        for worker, each in enumerate(steps)
        if own < each
    ]
