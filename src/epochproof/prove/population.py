"""What a loader reads in one epoch with all its parameters fixed: counted by the rules, or by running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from epochproof.claim import _counts, _parts
from epochproof.claim._question import Question, Undecided, View
from epochproof.diagnostics import fail
from epochproof.model.domain import Parameter
from epochproof.prove.solver import Solver
from epochproof.schedule.deliveries import TABLES, Compiled
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.schedule.read import Schedule
from epochproof.stage._mixing import Mixing
from epochproof.stage._portion import Portion
from epochproof.term.as_int import as_int
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Int, both, constant, number, variable, within

MOST_POSITIONS = 5_000_000
"""So many positions are run where no rule counts them."""

MOST_RANKS = 1_000_000
"""So many lanes are asked for their steps one by one."""


@dataclass(frozen=True)
class Run:
    """Records `first`, `first + stride`, … up to `last`, which is one of them."""

    first: int
    last: int
    stride: int


@dataclass(frozen=True)
class Records:
    """A set of records; without `runs`, which ones depends on what `note` says."""

    count: int
    runs: tuple[Run, ...] | None
    note: str = ""


@dataclass(frozen=True)
class Population:
    """What one loader reads in one epoch, or in steps `portion` of it, both ends included.

    `how` is `closed form` or `counted`; steps are those of the rank with the fewest and the most.
    """

    loader: str
    parameters: Mapping[str, int]
    occurrences: int
    distinct: int
    padding: int
    omitted: Records
    repeated: Records
    steps_min: int
    steps_max: int
    how: str
    portion: tuple[int, int] | None


def missing(loader: Loader, schedule: Schedule, values: Mapping[str, int]) -> list[Parameter]:
    """The free parameters of the loader without a value, in order of declaration; seeds may stay open."""
    names = variables(*_terms(plan_of(loader)))
    return [
        each
        for name, each in schedule.scope.parameters.items()
        if name in names and name not in values and not each.seed
    ]


def _terms(plan: Plan) -> list[Int]:
    lane = plan.lane()
    inside = [plan.length(lane), plan.steps(lane), plan.record(number(0), lane)]
    return [plan.size, plan.ranks, plan.workers, *inside]


def population(
    loader: Loader, values: Mapping[str, int], steps: tuple[int, int] | None, solver: Solver
) -> Population:
    """The population of the loader with these parameters.

    Raises:
        SpecError: no rule counts it, and it is too large to be run.
    """
    plan = plan_of(loader, {name: number(value) for name, value in values.items()})
    if steps is not None:
        portion = Portion(start=number(steps[0]), end=number(steps[1]))
        plan = replace(plan, stages=(*plan.stages, portion))
    shown = {name: value for name, value in values.items() if name in _shown(loader)}
    least, most = _steps(plan, loader, solver)
    try:
        counted, how = _by_rules(plan, solver), "closed form"
    except Undecided as undecided:
        counted, how = _by_running(plan, loader, str(undecided)), "counted"
    occurrences, distinct, padding, omitted, repeated = counted
    return Population(
        loader.name, shown, occurrences, distinct, padding, omitted, repeated, least, most, how, steps
    )


def _shown(loader: Loader) -> set[str]:
    return variables(*_terms(plan_of(loader)))


_Counted = tuple[int, int, int, Records, Records]


def _by_rules(plan: Plan, solver: Solver) -> _Counted:
    question = Question(solver.valid)
    view = View(plan, number(1), run=False, rank=False, question=question, this_epoch=number(0))
    size = _known(plan.size)
    occurrences, padding = _known(_counts.occurrences(view)), _known(_counts.padding(view))
    different = _parts.distinct(view)
    if plan.draws() and constant(different) is None:
        raise Undecided("how many different records are read depends on the draws")
    distinct = _known(different)
    repeated = _known(_parts.repeated(view))
    if plan.mixing is not None and plan.order_free():
        return occurrences, distinct, padding, *_by_source(view, plan.mixing)
    covered = _counts.covered_interval(replace(view, plan=plan.base()))
    if not plan.order_free():
        note = "which ones depends on the order" if 0 < distinct < size or 0 < repeated < size else ""
        omitted_records = _some(size - distinct, size, note)
        return occurrences, distinct, padding, omitted_records, _some(repeated, size, note)
    if covered is None or covered.high is None:
        raise Undecided("the records that are read are no interval")
    low, high = _known(covered.low), _known(covered.high)
    omitted = Records(size - distinct, (*_interval(0, low), *_interval(high, size)))
    return occurrences, distinct, padding, omitted, Records(repeated, _interval(0, repeated))


def _by_source(view: View, mixing: Mixing) -> tuple[Records, Records]:
    """What is omitted and what is repeated of a mix: the last and the first records of each dataset."""
    omitted, repeated = list[Run](), list[Run]()
    for name, _ in mixing.leaves():
        low, size = map(_known, view.plan.part(name))
        read, again = (_known(of(replace(view, part=name))) for of in (_parts.distinct, _parts.repeated))
        omitted += _interval(low + read, low + size)
        repeated += _interval(low, low + again)
    counts = (sum(run.last + 1 - run.first for run in runs) for runs in (omitted, repeated))
    return Records(next(counts), tuple(omitted)), Records(next(counts), tuple(repeated))


def _some(count: int, size: int, note: str) -> Records:
    """A set of which only the number is known, unless it is empty or everything."""
    if count in (0, size):
        return Records(count, _interval(0, count))
    return Records(count, None, note)


def _interval(low: int, high: int) -> tuple[Run, ...]:
    return (Run(low, high - 1, 1),) if low < high else ()


def _known(term: Int) -> int:
    found = constant(substitute(term, {"epoch": number(0)}))
    if found is None:
        raise Undecided("the ranks read different numbers of records, and their sum has no rule")
    return found


def _steps(plan: Plan, loader: Loader, solver: Solver) -> tuple[int, int]:
    """The fewest and the most steps that a rank runs in the first epoch, over all its workers."""
    steps = plan.steps(plan.lane())
    steps = substitute(steps, dict.fromkeys(variables(steps) - {"rank", "worker"}, number(0)))
    ranks, workers = _known(plan.ranks), _known(plan.workers)
    if (same := constant(steps)) is not None:
        return workers * same, workers * same
    each, some = as_int(steps, ["rank", "worker"], TABLES), range(ranks)
    differ = "worker" in variables(steps)
    alike = 1 if differ else workers
    if ranks * workers // alike > MOST_RANKS:
        if differ or not _falling(steps, ranks, solver):
            raise fail(
                "E507", f"`{loader.name}` has too many ranks for their steps to be listed", loader.span
            )
        some = range(0, ranks, ranks - 1)
    found = [alike * sum(each(rank, worker) for worker in range(workers // alike)) for rank in some]
    return min(found), max(found)


def _falling(steps: Int, ranks: int, solver: Solver) -> bool:
    """Whether no rank runs more steps than the first, or fewer than the last."""
    first, last = (substitute(steps, {"rank": number(rank)}) for rank in (0, ranks - 1))
    return solver.valid(within(0, variable("rank"), ranks), both(last <= steps, steps <= first))


def _by_running(plan: Plan, loader: Loader, why: str) -> _Counted:
    names = tuple(sorted(variables(*_terms(plan)) - {"rank", "worker", "epoch"}))
    compiled = Compiled(plan, number(1), names)
    values = (0,) * len(names)
    if compiled.weight(values, all_epochs=False) + _known(plan.size) > MOST_POSITIONS:
        raise fail("E507", f"`{loader.name}` is too large to be counted one by one: {why}", loader.span)
    lists = compiled.run(values)
    counts = lists.counts(0)
    padding = sum(lane.padding for lane in lists.epoch(0))
    open_ = dict.fromkeys(f"{name.rpartition('.')[2]} 0" for name in names)
    note = f"under {' and '.join(open_)}, in the first epoch" if names else ""
    omitted = _records((record for record in range(lists.size) if record not in counts), note)
    repeated = _records((record for record in range(lists.size) if counts[record] > 1), note)
    return counts.total(), len(counts), padding, omitted, repeated


def _records(members: Iterable[int], note: str) -> Records:
    """The members as few progressions, taken greedily from the smallest on."""
    runs: list[Run] = []
    count = 0
    for record in members:
        count += 1
        last = runs[-1] if runs else None
        if last is not None and last.first == last.last:
            runs[-1] = Run(last.first, record, record - last.first)
        elif last is not None and record == last.last + last.stride:
            runs[-1] = replace(last, last=record)
        else:
            runs.append(Run(record, record, 1))
    return Records(count, tuple(runs), note)
