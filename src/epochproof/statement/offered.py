"""The offer that a spec is: counted here and now, with its schedule at hand."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.language import tree
from epochproof.prove.population import population
from epochproof.prove.session import Session, opened, refused
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import read_schedule
from epochproof.schedule.settle import settled
from epochproof.statement.counts import populations
from epochproof.statement.derived import NOT_CLAIMED
from epochproof.statement.offer import Offer, Timed, Window, chosen, no_numbers
from epochproof.statement.semantic import semantic_digest


def of_spec(spec: tree.Spec, wanted: str, values: Mapping[str, int], window: Window) -> Offer:
    """What a loader of a spec reads, for these values of its free parameters.

    Raises:
        SpecError: The spec is wrong, there is no such loader, or a rate is asked for and cannot be counted.
    """
    schedule = read_schedule(spec)
    session = opened(schedule, all_loaders=True)
    session = Session(settled(session.schedule), session.claims, session.solver)
    loader = chosen(schedule.loaders, wanted, spec.source.path)
    given = {name: each for name, each in values.items() if not refused(session.schedule, name, each)}
    found = next(each for each in populations(session, given, ids=True) if each.loader == loader)
    path = spec.source.path
    if window.seconds is not None and found.one_pass is None:
        raise no_numbers(path, found)
    return Offer(
        path,
        found,
        None if found.manifest is None else found.manifest.sha256,
        NOT_CLAIMED,
        assumptions=tuple(each.text for each in session.schedule.assumptions),
        timed=_timed(session.schedule.loaders[loader], given, window, session),
        schedule=session.schedule,
        values=given,
        open=_open(session.schedule.loaders[loader], given),
        meaning=semantic_digest(spec),
    )


def _open(loader: Loader, values: Mapping[str, int]) -> tuple[str, ...] | None:
    """The parameters without a value; `None` where records are drawn, or ranks have orders of their own."""
    plan = plan_of(loader)
    if plan.draws() or any(stage.per_rank() for stage in plan.stages):
        return None
    return tuple(sorted(plan.parameters() - values.keys()))


def _timed(loader: Loader, values: Mapping[str, int], window: Window, session: Session) -> Timed | None:
    if window.seconds is None:
        return None
    read = population(loader, values, window.steps, session.solver)
    return Timed(read.occurrences, read.distinct, window.seconds, window.steps)
