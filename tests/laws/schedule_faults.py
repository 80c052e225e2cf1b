"""Parts of a schedule with one fault each: how a run goes on, who draws what, which worker's turn it is.

Each stands in the place of the function of the same signature that `schedules.py` names beside it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

from epochproof.claim._interrupted import runs
from epochproof.claim._question import View
from epochproof.schedule import deliveries, interrupted
from epochproof.schedule.deliveries import Delivered
from epochproof.schedule.draws import _built, _fetch_of
from epochproof.schedule.plan import Plan
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Lane, Stage
from epochproof.stage.fetch import Fetch
from epochproof.stage.resume import Resume
from epochproof.stage.stop import Stop
from epochproof.term.fold import substitute
from epochproof.term.node import Bool, Int, both, ceil_divide, maximum, number

_GOING_ON, _IN_TURN = interrupted._going_on, deliveries._in_turn

Rows = list[list[tuple[Any, ...]]]


def above_the_deal(stages: list[Stage], resume: Resume) -> int:
    """What each rank had read is skipped before the records are dealt."""
    return next((at for at, stage in enumerate(stages) if stage.axes()), len(stages))


def below_the_deal(stages: list[Stage], resume: Resume) -> int:
    """What all ranks had read is skipped on each rank."""
    return next((at for at, stage in enumerate(stages) if stage.regroups), len(stages))


def in_new_batches(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """Steps are counted in batches of the new size."""
    changed = tuple(interrupted._changed(stage, resume) for stage in whole.stages)
    return _GOING_ON(replace(whole, stages=changed), then, resume)


def as_consumed(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """Prefetched batches are read again."""
    return _GOING_ON(whole, then, resume.changed(position="consumed"))


def of_one_rank(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """The global count is that of one rank."""
    return _GOING_ON(replace(whole, ranks=number(1)), then, resume)


def in_the_old_order(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """A fresh order is the old one."""
    return _GOING_ON(whole, then, resume.changed(order="same"))


def in_place_of_the_first(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """What was read before the stop before is read again."""
    return _GOING_ON(whole, tuple(stage for stage in then if not isinstance(stage, Skip)), resume)


def in_the_first_world(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """The second stop is counted in the ranks and batches before the first one."""
    stages = _GOING_ON(whole, then, resume)
    first = next(stage for stage in stages if isinstance(stage, Skip))
    counted = Skip(count=substitute(first.count, {"l.after": resume.after}))
    return tuple(counted if isinstance(stage, Skip) and stage is not first else stage for stage in stages)


def within_the_whole(view: View) -> Bool:
    """A later stop may come after the end, if only the whole epoch has so many steps."""
    found = runs(view)
    most = found.whole.steps(found.whole.lane(number(0)))
    return both(*(after <= most for after in found.after), found.another)


class AStepLate(Stop):
    """The run is stopped one step later."""

    def __init__(self, steps: Int) -> None:
        super().__init__(steps=steps + 1)


def full_batches(plan: Plan, worker: Int, fetch: Fetch, lane: Lane) -> Int:
    """The short last batch counts as a full one for a worker that persists."""
    here, turns = _built(plan, fetch, lane), maximum(fetch.workers, 1)
    return ceil_divide(here.steps.count(here.n) - worker, turns) * here.steps.before(number(1))


def anew(plan: Plan, worker: Int, fetch: Fetch, lane: Lane) -> Int:
    """A worker that persists starts its stream again."""
    return number(0)


def by_records(plan: Plan, p: Int, lane: Lane) -> tuple[Int, Int, Int]:
    """Workers take turns after each record, not after each batch."""
    fetch = _fetch_of(plan)
    workers = fetch.workers if fetch else number(0)
    turns = maximum(workers, 1)
    return workers, p % turns, p // turns


def of_the_rank(plan: Plan, p: Int, lane: Lane) -> tuple[Int, Int, Int]:
    """A worker is said to have drawn what all workers have."""
    fetch = _fetch_of(plan)
    workers = fetch.workers if fetch else number(0)
    return workers, _built(plan, fetch, lane).steps.of(p) % maximum(workers, 1), p


def until_one_ends(rows: Rows, steps: int) -> Delivered:
    """Batch t is worker t % W's, so that the epoch ends with the first worker that ends."""
    batches = [[row[2] for row in lane] for lane in rows]
    rounds = list(zip_longest(*(sorted(set(own)) for own in batches)))
    whole = next((at for at, turn in enumerate(rounds) if None in turn), len(rounds))
    last = (
        next((at for at, step in enumerate(rounds[whole]) if step is None), 0) if whole < len(rounds) else 0
    )
    left = [[row for row in lane if row[2] < whole + (worker < last)] for worker, lane in enumerate(rows)]
    return _IN_TURN(left, sum(len({row[2] for row in lane}) for lane in left))


def one_after_the_other(rows: Rows, steps: int) -> Delivered:
    """A worker's turn lasts as long as it has batches."""
    before = [sum(len({row[2] for row in lane}) for lane in rows[:worker]) for worker in range(len(rows))]
    late = [[(*row[:2], row[2] + before[worker]) for row in lane] for worker, lane in enumerate(rows)]
    return _IN_TURN(late, steps)


def with_gaps(rows: Rows, steps: int) -> Delivered:
    """A worker that has ended still takes its turns."""
    read = _IN_TURN(rows, steps)
    own = [rows[worker][place][2] for worker, place in zip(read.worker, read.place, strict=True)]
    turns = [step * len(rows) + worker for step, worker in zip(own, read.worker, strict=True)]
    return replace(read, step=turns)
