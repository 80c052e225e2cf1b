"""The world of a trace: the values of what a spec leaves free, given by the call or said by the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from epochproof.audit.trace import Trace
from epochproof.diagnostics import Diagnostic, SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.prove.session import refused
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.schedule.read import Schedule
from epochproof.stage._stage import Stage
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.resume import Resume
from epochproof.stage.stop import Stop
from epochproof.term.as_int import as_int
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Int, Op, constant, number, variable

GIVEN, SAID = "given", "said by the trace"


@dataclass(frozen=True)
class World:
    """A loader with a value for all that is not a seed; `sources` says of each value who gave it."""

    loader: Loader
    plan: Plan
    values: Mapping[str, int]
    sources: Mapping[str, str]
    open: frozenset[str]
    """The seeds without a value: any order is as scheduled."""

    size: int
    ranks: int
    workers: int
    epochs: int

    def number(self, term: Int) -> int:
        """The value of a term that depends on no lane."""
        return int(as_int(term, ())())


def loader_of(schedule: Schedule, named: str | None) -> Loader:
    """The loader of the spec that is meant.

    Raises:
        SpecError: There is none of that name, or several and no name.
    """
    loaders = schedule.loaders
    if named is None and len(loaders) == 1:
        return next(iter(loaders.values()))
    known = ", ".join(f"`{each}`" for each in loaders)
    if named is None:
        wrong = "the spec has no loader" if not loaders else f"the spec has several loaders: {known}"
        raise fail("E823", wrong, None, help="name the one that was recorded with `--of`" if loaders else "")
    if named not in loaders:
        cure = suggest(named, loaders) or f"loaders are {known}"
        raise fail("E823", f"the spec has no loader `{named}`", None, help=cure)
    return loaders[named]


def world_of(schedule: Schedule, loader: Loader, trace: Trace, given: Mapping[str, int]) -> World:
    """The world in which the trace was recorded.

    Raises:
        SpecError: A value is unknown, out of its domain, or missing.
    """
    wrong = [each for name, value in given.items() for each in refused(schedule, name, value)]
    said = {name: value for name, value in _said(loader, trace).items() if name not in given}
    wrong += [each for name, value in said.items() for each in refused(schedule, name, value)]
    if wrong:
        raise SpecError(tuple(wrong), schedule.source)
    values = {**said, **given}
    needed = _needed(loader)
    missing = [
        each
        for name, each in schedule.scope.parameters.items()
        if name in needed and name not in values and not each.seed
    ]
    if missing:
        cure = " ".join(f"--set {each.name}=…" for each in missing)
        found = tuple(
            Diagnostic("E504", f"nothing says what `{each.name}` was in this run", each.span, help=cure)
            for each in missing
        )
        raise SpecError(found, schedule.source)
    used = {name: values[name] for name in schedule.scope.parameters if name in needed and name in values}
    terms = {name: number(value) for name, value in used.items()}
    plan, fixed = recorded(plan_of(loader, terms)), loader.with_values(terms)
    if constant(plan.size) in (0, 1):  # there is but one order
        plan = substituted(plan, dict.fromkeys(plan.parameters(), number(0)))
    shape = [as_int(each, ())() for each in (plan.size, plan.ranks, plan.workers, fixed.epochs)]
    sources = {name: GIVEN if name in given else SAID for name in used}
    return World(fixed, plan, used, sources, frozenset(plan.parameters()), *map(int, shape))


def _said(loader: Loader, trace: Trace) -> dict[str, int]:
    """What the trace says about the loader's own parameters."""
    found: dict[str, int] = {}
    fetched = [
        value for each in loader.stages for name, value in each.stage.numbers().items() if name == "workers"
    ]
    for name, terms in (
        ("ranks", [loader.ranks]),
        ("workers", [loader.workers, *fetched]),
        ("dataset", [loader.population.size]),
    ):
        values = {getattr(each.about, name) for each in trace.segments}
        value = next(iter(values)) if len(values) == 1 else None
        for term in terms:
            if term.op is Op.VARIABLE and value is not None:
                found[str(term.value)] = value
    return found


def _needed(loader: Loader) -> set[str]:
    """The parameters on which it depends what the loader hands out, and who fetches it."""
    plan, step = plan_of(loader), variable("step")
    fetched = [term for stage in plan.stages if (term := stage.worker(step)) is not None]
    return (plan.parameters() | variables(loader.epochs, *fetched)) - {"step"}


def recorded(plan: Plan) -> Plan:
    """The plan of what the loader hands out, batch by batch: nothing interrupted, no optimizer steps."""
    stages = list[Stage]()
    for at, stage in enumerate(plan.stages):
        if isinstance(stage, Stop):
            inside = [each.n for each in plan.stages[:at] if isinstance(each, Accumulate)]
            steps = stage.steps
            for each in inside:
                steps = steps * each
            stages.append(stage.changed(steps=steps))
        elif not isinstance(stage, Accumulate | Resume):
            stages.append(stage)
    return replace(plan, stages=tuple(stages))


def _with(option: object, values: Mapping[str, Int]) -> object:
    return substitute(option, values) if isinstance(option, Int) else option


def substituted(plan: Plan, values: Mapping[str, Int]) -> Plan:
    """The plan with terms in place of some parameters."""
    stages = tuple(
        stage.changed(
            **{
                name: substitute(each, values)
                for name, each in stage.options().items()
                if isinstance(each, Int)
            }
        )
        for stage in plan.stages
    )
    return replace(plan, stages=stages)
