"""The random stream of each sample: which one it draws from, and how far that one is."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.schedule.plan import Plan
from epochproof.stage._stage import Here, Lane
from epochproof.stage.augment import Augment
from epochproof.stage.fetch import Fetch
from epochproof.term.node import Int, apply, ceil_divide, choose, equal, maximum, number

MAIN, WORKER_PROCESS, RECORD = number(0), number(1), number(2)
"""Whose state a stream is: the main process, a worker process, or the record itself."""


@dataclass(frozen=True)
class Draw:
    """What position `p` of a lane draws from: `key` tells streams and places apart, `worker` who draws."""

    key: tuple[Int, Int, Int]
    worker: Int


def augment_of(plan: Plan) -> Augment | None:
    """The plan's `augment`, if it has one."""
    return next((stage for stage in plan.stages if isinstance(stage, Augment)), None)


def draw(plan: Plan, augment: Augment, p: Int, lane: Lane) -> Draw:
    """What position `p` of the lane draws from."""
    processes, worker, drawn = _who(plan, p, lane)
    fetch = _fetch_of(plan)
    persistent = plan.persistent or (fetch is not None and fetch.persistent)
    seeded = number(0) if persistent else lane.epoch
    if persistent:
        drawn = drawn + lane.epoch * _a_pass(plan, worker, fetch, lane)
    if augment.stream == "record":
        return Draw((RECORD, plan.record(p, lane), number(0)), worker)
    process = number(0) if augment.process_seed == "same" else lane.rank
    if augment.process_seed == "independent":
        seed = apply("stream", seeded, process, worker)
    else:
        seed = apply("base", seeded, process) + worker
    # Without workers the main process draws; its state goes on from epoch to epoch.
    alone = equal(processes, 0)
    before = lane.epoch * _read_in_an_epoch(plan, lane)
    return Draw(
        (
            choose(alone, MAIN, WORKER_PROCESS),
            choose(alone, process, seed),
            choose(alone, before + p, drawn),
        ),
        worker,
    )


def _who(plan: Plan, p: Int, lane: Lane) -> tuple[Int, Int, Int]:
    """How many worker processes there are, which one reads `p`, and how much it has drawn before."""
    if plan.iterable:
        return plan.processes, lane.worker, p
    fetch = _fetch_of(plan)
    workers = fetch.workers if fetch else number(0)
    steps, turns = _built(plan, fetch, lane).steps, maximum(workers, 1)
    step = steps.of(p)
    return workers, step % turns, (step // turns) * steps.before(number(1)) + p - steps.before(step)


def _read_in_an_epoch(plan: Plan, lane: Lane) -> Int:
    """The samples that one process reads alone: an iterable dataset also those of a batch that is dropped."""
    heres = plan.heres(lane)
    batched = [here for stage, here in zip(plan.stages, heres, strict=False) if stage.regroups]
    return batched[0].n if plan.iterable and batched else heres[-1].n


def _fetch_of(plan: Plan) -> Fetch | None:
    return next((stage for stage in plan.stages if isinstance(stage, Fetch)), None)


def _built(plan: Plan, fetch: Fetch | None, lane: Lane) -> Here:
    """The lane as the workers of `fetch` build it: batches, whatever is made of them below."""
    return plan.heres(lane)[-1 if fetch is None else plan.stages.index(fetch)]


def _a_pass(plan: Plan, worker: Int, fetch: Fetch | None, lane: Lane) -> Int:
    """How many samples one worker draws in an epoch: the batches of `fetch`, less what the last one lacks."""
    if fetch is None:
        return _read_in_an_epoch(plan, lane)
    last = _built(plan, fetch, lane)
    turns = maximum(fetch.workers, 1)
    batches = last.steps.count(last.n)
    lacking = last.steps.before(batches) - last.n
    own = ceil_divide(batches - worker, turns) * last.steps.before(number(1))
    return own - choose(equal((batches - 1) % turns, worker), lacking, 0)
