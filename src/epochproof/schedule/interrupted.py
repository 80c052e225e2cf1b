"""An interrupted run: what it read before it stopped, and what it reads when it goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from epochproof.schedule.plan import Plan
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Stage
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.stage.resume import Resume
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.term.node import Int, number


@dataclass(frozen=True)
class Interrupted:
    """The run without the interruption, its part before, and what is read after; `after` counts steps."""

    whole: Plan
    before: Plan
    resumed: Plan
    after: Int


def interrupted(plan: Plan) -> Interrupted | None:
    """The three runs of a plan with a `resume`; `None` without one."""
    resume = next((stage for stage in plan.stages if isinstance(stage, Resume)), None)
    if resume is None:
        return None
    stages = tuple(stage for stage in plan.stages if stage is not resume)
    whole = replace(plan, stages=stages)
    before = replace(plan, stages=(*stages, Stop(steps=resume.after)))
    ranks = plan.ranks if resume.ranks is None else resume.ranks
    return Interrupted(
        whole, before, replace(plan, ranks=ranks, stages=_going_on(whole, resume)), resume.after
    )


def _going_on(whole: Plan, resume: Resume) -> tuple[Stage, ...]:
    """The stages of the resumed run: the position skipped, batches and order as the run is resumed."""
    steps = whole.heres(whole.lane())[-1].steps
    read = resume.after
    if resume.position == "fetched":
        fetch = next((stage for stage in whole.stages if isinstance(stage, Fetch)), None)
        read = read + (fetch.workers * fetch.prefetch if fetch else number(0))
    count = number(0) if resume.position == "epoch_start" else steps.before(read)
    if resume.counter == "global":
        count = count * whole.ranks
    stages = [_changed(stage, resume) for stage in whole.stages]
    stages.insert(_where(stages, resume), Skip(count=count))
    return tuple(stages)


def _changed(stage: Stage, resume: Resume) -> Stage:
    if isinstance(stage, Batch) and resume.batch is not None:
        return stage.model_copy(update={"n": resume.batch})
    if isinstance(stage, Shuffle) and resume.order == "fresh":
        return stage.model_copy(update={"seed": resume.seed})
    return stage


def _where(stages: list[Stage], resume: Resume) -> int:
    """Above the deal where the count is global, else above the first batch."""
    for at, stage in enumerate(stages):
        if stage.axes() if resume.counter == "global" else stage.regroups:
            return at
    return len(stages)


def handed_over(old: Plan, new: Plan, after: Int) -> tuple[Plan, Plan]:
    """What `old` reads in `after` steps, and what `new` reads when each of its ranks skips as many positions.

    A `resume` of either says how it goes on itself and is left out.
    """
    first = tuple(stage for stage in old.stages if not isinstance(stage, Resume))
    then = [stage for stage in new.stages if not isinstance(stage, Resume)]
    steps = replace(old, stages=first).heres(old.lane())[-1].steps
    at = next((at for at, stage in enumerate(then) if stage.regroups), len(then))
    then.insert(at, Skip(count=steps.before(after)))
    return replace(old, stages=(*first, Stop(steps=after))), replace(new, stages=tuple(then))
