"""A small world as a picture: who reads which record at which step, and how often each is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.schedule.read import Schedule
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import Int, constant, variable

MOST_POSITIONS = 1_000
"""So many positions, records and lanes together are drawn; more are no picture."""

MOST_TOLD = 50_000
"""So many are told of in words."""


@dataclass(frozen=True)
class Cell:
    """One occurrence of a record; `times` is how often the whole epoch reads that record."""

    record: int
    padded: bool
    times: int


@dataclass(frozen=True)
class Row:
    """What one worker of one rank reads, step by step: `None` where the rank has no such step.

    Steps that another worker of the rank builds are empty. `worker` is `None` where the rank reads alone.
    """

    rank: int
    worker: int | None
    steps: tuple[tuple[Cell, ...] | None, ...]


@dataclass(frozen=True)
class Picture:
    """One epoch of a loader over `size` records."""

    size: int
    rows: tuple[Row, ...]
    counts: Mapping[int, int]
    epoch: int
    values: Mapping[str, int]
    """The parameters that make a difference."""

    streams: int
    """How many lanes read everything that reaches them."""

    @property
    def steps(self) -> int:
        """The steps of the longest rank."""
        return max((len(row.steps) for row in self.rows), default=0)

    @property
    def occurrences(self) -> int:
        """How many positions are read."""
        return sum(self.counts.values())

    @property
    def omitted(self) -> tuple[int, ...]:
        """The records that nobody reads."""
        return tuple(each for each in range(self.size) if not self.counts.get(each))

    @property
    def repeated(self) -> tuple[int, ...]:
        """The records that are read more than once."""
        return tuple(sorted(record for record, times in self.counts.items() if times > 1))


def seeds(schedule: Schedule) -> Mapping[str, int]:
    """The seeds that a picture is drawn under where nobody gives others."""
    return {name: each.domain.low for name, each in schedule.scope.parameters.items() if each.seed}


def picture(loader: Loader, values: Mapping[str, int], *, epoch: int = 0) -> Picture | None:
    """The picture of a whole loader with these parameters; `None` where it would be too large."""
    return pictured(plan_of(loader), loader, values, epoch, MOST_POSITIONS)


def pictures(loader: Loader, values: Mapping[str, int], *, epoch: int = 0) -> tuple[Picture | None, ...]:
    """What the first k stages of a loader deliver, for each k from 0 to all; `None` where even words fail."""
    plan = plan_of(loader)
    prefixes = [replace(plan, stages=plan.stages[:k]) for k in range(len(plan.stages) + 1)]
    return tuple(pictured(each, loader, values, epoch, MOST_TOLD) for each in prefixes)


def pictured(plan: Plan, loader: Loader, values: Mapping[str, int], epoch: int, most: int) -> Picture | None:
    """The picture of a plan over the parameters of a loader; what makes no difference may lack a value."""
    names = plan.parameters() | variables(loader.epochs) | (builders(plan) & set(values))
    used = {name: values.get(name, 1) for name in sorted(names)}
    compiled = Compiled(plan, loader.epochs, tuple(used))
    given = tuple(used.values())
    lists = compiled.run(given)
    if lists.size + lists.ranks > most:
        return None
    if compiled.weight(given, all_epochs=False) + lists.size > most:
        return None
    counts = lists.counts(epoch)
    lanes = [lists.lane(epoch, rank) for rank in range(lists.ranks)]
    longest = max((lane.steps for lane in lanes), default=0)
    builder = _builder(plan, used)
    rows = [
        row
        for rank, lane in enumerate(lanes)
        for row in _rows(rank, lane, _crew(plan, lists, lane, builder), counts, longest, builder)
    ]
    return Picture(lists.size, tuple(rows), counts, epoch, used, lists.value(plan.copies()))


def builders(plan: Plan) -> set[str]:
    """The parameters on which it depends which worker process of a map-style loader builds a step."""
    return variables(*_named(plan)) - {"p"}


def _named(plan: Plan) -> list[Int]:
    """Which worker builds step `p`, as the stages say it."""
    named = [stage.worker(variable("p")) for stage in plan.stages]
    return [each for each in named if each is not None and constant(each) is None]


_Builder = Callable[[int], int]


def _builder(plan: Plan, values: Mapping[str, int]) -> _Builder | None:
    """Which worker process of a map-style loader builds a step; `None` where the stages name none."""
    named = _named(plan)
    if not named or not builders(plan) <= set(values):
        return None
    compiled = as_int(named[-1], ["p", *values])
    return lambda step: int(compiled(step, *values.values()))


def _crew(plan: Plan, lists: Lists, lane: Delivered, builder: _Builder | None) -> tuple[int | None, ...]:
    """The workers of a rank that are drawn in rows of their own."""
    if (lanes := lists.value(plan.workers)) > 1:
        return tuple(range(lanes))
    built = sorted({builder(step) for step in range(lane.steps)}) if builder else []
    return tuple(built) if len(built) > 1 else (None,)


def _rows(
    rank: int,
    lane: Delivered,
    crew: tuple[int | None, ...],
    counts: Counter[int],
    longest: int,
    builder: _Builder | None,
) -> list[Row]:
    """One row for each worker of the rank."""
    found = {worker: [list[Cell]() for _ in range(lane.steps)] for worker in crew}
    for record, padded, step, worker in zip(lane.records, lane.padded, lane.step, lane.worker, strict=True):
        if step < lane.steps:
            who = None if crew == (None,) else builder(step) if builder else worker
            found[who][step].append(Cell(record, padded, counts[record]))
    none = (None,) * (longest - lane.steps)
    return [Row(rank, worker, (*map(tuple, steps), *none)) for worker, steps in found.items()]
