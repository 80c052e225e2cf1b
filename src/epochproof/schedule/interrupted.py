"""An interrupted run: what it read before each stop, and what it reads when it goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from epochproof.schedule.plan import Plan
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Stage
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.stage.resume import Resume
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.term.node import Bool, Int, both, differ, maximum, minimum, number


@dataclass(frozen=True)
class Interrupted:
    """A run that is stopped several times in a row, `after` so many steps since it last started.

    `runs` are what it would read from each start on if nothing stopped it then: first the whole, and last
    what is left after the last stop. `another` says that each fresh order has a key of its own.
    """

    runs: tuple[Plan, ...]
    after: tuple[Int, ...]
    another: Bool

    @property
    def whole(self) -> Plan:
        """The run that nothing interrupts."""
        return self.runs[0]

    @property
    def parts(self) -> tuple[Plan, ...]:
        """What is read between one start and the next stop, and what is read to the end."""
        stopped = zip(self.runs[:-1], self.after, strict=True)
        return (*(_stopped(run, after) for run, after in stopped), self.runs[-1])


def interrupted(plan: Plan) -> Interrupted | None:
    """The runs of a plan with a `resume`; `None` without one."""
    resume = next((stage for stage in plan.stages if isinstance(stage, Resume)), None)
    if resume is None:
        return None
    runs = [_uninterrupted(plan)]
    ranks = plan.ranks if resume.ranks is None else resume.ranks
    for each in resume.each():
        runs.append(replace(plan, ranks=ranks, stages=_going_on(runs[-1], runs[-1].stages, each)))
    return Interrupted(tuple(runs), (resume.after, *resume.afters), _another(runs[0], resume))


def _stopped(run: Plan, after: Int) -> Plan:
    return replace(run, stages=(*run.stages, Stop(steps=after)))


def _another(whole: Plan, resume: Resume) -> Bool:
    """The keys of the first order and of all fresh ones differ from each other."""
    if resume.order == "same":
        return both()
    keys = [[stage.seed, resume.seed, *resume.seeds] for stage in whole.stages if isinstance(stage, Shuffle)]
    return both(*(differ(*pair) for each in keys for pair in combinations(each, 2)))


def most_steps(plan: Plan) -> Int:
    """The steps of the rank with the most: the first one is dealt to first, and no rank gets more."""
    return plan.steps(plan.lane(rank=number(0)))


def _going_on(whole: Plan, then: tuple[Stage, ...], resume: Resume) -> tuple[Stage, ...]:
    """The stages `then`, without what `whole` had read: its position is left out, as `resume` says."""
    steps = whole.heres(whole.lane())[-1].steps
    read = resume.after
    fetch = next((stage for stage in whole.stages if isinstance(stage, Fetch)), None)
    if resume.position == "fetched" and fetch is not None:
        read = minimum(most_steps(whole), read + fetch.workers * fetch.prefetch)
    count = number(0) if resume.position == "epoch_start" else steps.before(read)
    if resume.counter == "global":
        count = count * whole.ranks
    stages = [_changed(stage, resume) for stage in then]
    at = _where(stages, resume)
    if resume.position != "epoch_start":
        stages[at:] = [
            _less(stage, then[place + 1 :], resume) for place, stage in enumerate(stages) if place >= at
        ]
    stages.insert(at, Skip(count=count))
    return tuple(stages)


def _less(stage: Stage, below: tuple[Stage, ...], resume: Resume) -> Stage:
    """A `stop` below the position that is left out ends the resumed run so many steps earlier.

    The stages `below` it are those of the run that was stopped.
    """
    if not isinstance(stage, Stop):
        return stage
    done = resume.after
    for each in below:
        done = done * each.n if isinstance(each, Batch | Accumulate) else done
    return stage.changed(steps=maximum(0, stage.steps - done))


def _changed(stage: Stage, resume: Resume) -> Stage:
    if isinstance(stage, Batch) and resume.batch is not None:
        return stage.changed(n=resume.batch)
    if isinstance(stage, Shuffle) and resume.order == "fresh":
        return stage.changed(seed=resume.seed)
    return stage


def _where(stages: list[Stage], resume: Resume) -> int:
    """Above the deal where the count is global, else above the first batch."""
    for at, stage in enumerate(stages):
        if stage.axes() if resume.counter == "global" else stage.regroups:
            return at
    return len(stages)


def handed_over(old: Plan, new: Plan, after: Int) -> tuple[Plan, Plan]:
    """What `old` reads in `after` steps, and what `new` reads when it goes on from there.

    It goes on as its own `resume` says; without one, each rank skips what each rank of `old` had read.
    """
    first, then = _uninterrupted(old), _uninterrupted(new).stages
    own = next((stage for stage in new.stages if isinstance(stage, Resume)), Resume())
    resume = own.changed(after=after, ranks=None, batch=None)
    return _stopped(first, after), replace(new, stages=_going_on(first, then, resume))


def _uninterrupted(plan: Plan) -> Plan:
    return replace(plan, stages=tuple(stage for stage in plan.stages if not isinstance(stage, Resume)))
