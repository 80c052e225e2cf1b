"""What a plan delivers in one world: the plan's own terms, run as lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from epochproof.schedule.plan import Plan
from epochproof.stage import _anyhow
from epochproof.stage._permutation import later, permutation
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.node import Bool, Int, variable


def _permuted(key: int, stream: int, n: int, p: int) -> int:
    return permutation(key, stream, n)[0][p] if 0 <= p < n else 0


def _position(key: int, stream: int, n: int, q: int) -> int:
    return permutation(key, stream, n)[1][q] if 0 <= q < n else 0


def _late(module: str, function: str) -> Callable[..., int]:
    """A function of a stage that most schedules have not: its module is loaded when it is called."""

    def called(*arguments: int) -> int:
        found: int = getattr(import_module(f"epochproof.stage.{module}"), function)(*arguments)
        return found

    return called


TABLES: Mapping[str, Callable[..., int]] = {
    "permuted": _permuted,
    "position": _position,
    "whose": _anyhow.whose,
    "turn": _anyhow.turn,
    "share": _anyhow.share,
    "which": _anyhow.which,
    "round": later,
    "picked": _late("_drawn", "picked"),
    "again": _late("_drawn", "again"),
    "nth": _late("_drawn", "nth"),
    "picks_before": _late("_chance", "picks_before"),
    "pick_of": _late("_chance", "pick_of"),
    "source_of": _late("_chance", "source_of"),
}
"""Torch's own permutations and draws, some ways to deal and to pick, for functions that stages apply."""


@dataclass(frozen=True)
class Delivered:
    """What one rank reads in one epoch, position by position.

    `worker` is the lane of an iterable loader, and `place` the position in it.
    """

    records: list[int]
    padded: list[bool]
    step: list[int]
    steps: int
    worker: list[int]
    place: list[int]

    @property
    def padding(self) -> int:
        """How many positions padding introduced."""
        return sum(self.padded)


class Compiled:
    """A plan compiled once, to be run in many worlds; `names` are the parameters in order."""

    def __init__(self, plan: Plan, epochs: Int, names: tuple[str, ...]) -> None:
        self.names, self.plan = names, plan
        lane, p = plan.lane(), variable("p")
        inside = [*names, "rank", "epoch", "worker"]
        terms = (plan.record(p, lane), plan.padded(p, lane), plan.step(p, lane))
        self._rows = as_rows(terms, "p", plan.length(lane), inside, TABLES)
        self._steps = as_int(plan.steps(lane), inside, TABLES)
        self._length = as_int(plan.length(lane), inside, TABLES)
        self._variants: dict[Plan, Compiled] = {}
        self._own_rows: dict[Any, Callable[..., list[tuple[Any, ...]]]] = {}
        self._own_values: dict[Int | Bool, Callable[..., int]] = {}
        self._epochs = epochs
        self._shape = _together(names, plan.size, plan.ranks, plan.workers, epochs)

    def run(self, values: tuple[int, ...]) -> Lists:
        """The lists of the world with these parameters."""
        size, ranks, _, epochs = self._shape(*values)
        return Lists(self, values, size, ranks, epochs)

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank reads in one epoch of the world."""
        workers = range(self._shape(*values)[2])
        rows = [self._rows(*values, rank, epoch, worker) for worker in workers]
        steps = sum(self._steps(*values, rank, epoch, worker) for worker in workers)
        if len(rows) == 1:
            records, padded, step = map(list, zip(*rows[0], strict=True)) if rows[0] else ([], [], [])
            return Delivered(records, padded, step, steps, [0] * len(records), list(range(len(records))))
        return _in_turn(rows, steps)

    def rows(
        self, terms: tuple[Int, ...], functions: Mapping[str, Callable[..., int]]
    ) -> Callable[..., list[tuple[Any, ...]]]:
        """The terms at each position of a lane, as a function of the parameters, rank, epoch and worker."""
        key = (terms, id(functions))
        if key not in self._own_rows:
            inside = [*self.names, "rank", "epoch", "worker"]
            length = self.plan.length(self.plan.lane())
            self._own_rows[key] = as_rows(terms, "p", length, inside, {**TABLES, **functions})
        return self._own_rows[key]

    def value(self, term: Int | Bool, values: tuple[int, ...]) -> int:
        """The value of a term over the parameters."""
        if term not in self._own_values:
            self._own_values[term] = as_int(term, self.names)
        value: int = self._own_values[term](*values)
        return value

    def variant(self, plan: Plan) -> Compiled:
        """Another plan over the same parameters."""
        if plan not in self._variants:
            self._variants[plan] = Compiled(plan, self._epochs, self.names)
        return self._variants[plan]

    def length(self, values: tuple[int, ...], rank: int, epoch: int) -> int:
        """How many positions the rank reads in the epoch."""
        workers = range(self._shape(*values)[2])
        return sum(self._length(*values, rank, epoch, worker) for worker in workers)

    def weight(self, values: tuple[int, ...], *, all_epochs: bool) -> int:
        """Roughly how many positions the world delivers, without delivering them."""
        _, ranks, workers, epochs = self._shape(*values)
        lanes = [(rank, worker) for rank in range(min(ranks, 8)) for worker in range(min(workers, 8))]
        lengths = sum(self._length(*values, rank, 0, worker) for rank, worker in lanes)
        all_lanes = ranks * workers
        weight: int = (all_lanes + lengths * all_lanes // len(lanes)) * (epochs if all_epochs else 1)
        return weight


def _in_turn(rows: list[list[tuple[Any, ...]]], steps: int) -> Delivered:
    """The lanes of a rank as the loader yields them: one step of each worker that still has one, in turn."""
    turns = sorted(
        (step, worker, place, record, padded)
        for worker, lane in enumerate(rows)
        for place, (record, padded, step) in enumerate(lane)
    )
    number = {turn: at for at, turn in enumerate(dict.fromkeys(each[:2] for each in turns))}
    return Delivered(
        records=[each[3] for each in turns],
        padded=[each[4] for each in turns],
        step=[number[each[:2]] for each in turns],
        steps=steps,
        worker=[each[1] for each in turns],
        place=[each[2] for each in turns],
    )


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
        # What a quantity counted of all records, kept for the next record that it is asked about.
        self.known: dict[object, Any] = {}

    def length(self, epoch: int, rank: int) -> int:
        """How many positions the rank reads in the epoch, without delivering them."""
        return self._compiled.length(self._values, rank, epoch)

    @property
    def plan(self) -> Plan:
        """The plan whose lists these are."""
        return self._compiled.plan

    def variant(self, plan: Plan) -> Lists:
        """The lists of another plan in the same world."""
        return self._compiled.variant(plan).run(self._values)

    def rows(
        self, terms: tuple[Int, ...], rank: int, epoch: int, functions: Mapping[str, Callable[..., int]]
    ) -> list[tuple[Any, ...]]:
        """The terms at each position of the rank's lanes, worker by worker."""
        each = self._compiled.rows(terms, functions)
        workers = self.value(self.plan.workers)
        return [row for worker in range(workers) for row in each(*self._values, rank, epoch, worker)]

    @property
    def values(self) -> Mapping[str, int]:
        """The parameters of the world."""
        return dict(zip(self._compiled.names, self._values, strict=True))

    def value(self, term: Int | Bool) -> int:
        """The value of a term over the parameters of the world."""
        return self._compiled.value(term, self._values)

    def holds(self, condition: Bool) -> bool:
        """Whether a condition over the parameters holds in the world."""
        return bool(as_int(condition, self._compiled.names, TABLES)(*self._values))

    def epoch(self, epoch: int) -> list[Delivered]:
        """What each rank reads in the epoch."""
        return [self.lane(epoch, rank) for rank in range(self.ranks)]

    def counts(self, epoch: int) -> Counter[int]:
        """How often each record is delivered in the epoch."""
        if epoch not in self._counts:
            self._counts[epoch] = Counter(record for lane in self.epoch(epoch) for record in lane.records)
        return self._counts[epoch]

    def unpadded(self, epoch: int) -> Counter[int]:
        """How often each record is delivered in the epoch, padding left out."""
        return Counter(
            record
            for lane in self.epoch(epoch)
            for record, padded in zip(lane.records, lane.padded, strict=True)
            if not padded
        )

    @cached_property
    def run_counts(self) -> Counter[int]:
        """How often each record is delivered in all epochs."""
        return sum((self.counts(epoch) for epoch in range(self.epochs)), Counter())
