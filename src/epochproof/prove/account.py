"""All that a page shows of a spec: its verdicts, a small world of each loader, counterexamples as tales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.claim._claim import Claim
from epochproof.diagnostics import Span, SpecError
from epochproof.model.domain import Parameter
from epochproof.prove.population import Population, missing, population
from epochproof.prove.session import Checked, Session, opened, refused
from epochproof.prove.verdict import Judged
from epochproof.schedule.loader import Loader
from epochproof.schedule.picture import Picture, builders, picture, seeds
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.schedule.tale import Chapter, tale

_SMALL = {"size": 20, "ranks": 3, "workers": 2, "batch": 3, "seed": 0, "epochs": 1}
"""Values that show something, where nobody gave any."""


@dataclass(frozen=True)
class Scene:
    """One loader in one world: what it reads, counted and drawn.

    `chosen` says whether some value was neither fixed nor given. Without a `picture` the world is too large
    to be drawn, and without a `population` to be counted.
    """

    loader: Loader
    values: Mapping[str, int]
    chosen: bool
    population: Population | None
    picture: Picture | None


@dataclass(frozen=True)
class Story:
    """What a loader does in the world of a counterexample, from stage to stage; `second` in the other run."""

    loader: Loader
    chapters: tuple[Chapter, ...]
    second: bool


@dataclass(frozen=True)
class Account:
    """The verdicts of a spec, a scene of each loader, and the stories of each claim that is false.

    `statements` are the places of the claims, each from its kind to the end of its formula.
    """

    checked: Checked
    statements: tuple[Span, ...]
    scenes: tuple[Scene, ...]
    stories: tuple[tuple[Story, ...], ...]


def account(schedule: Schedule, values: Mapping[str, int]) -> Account:
    """The account of a spec.

    Args:
        schedule: The spec.
        values: Values of free parameters for the scenes; those that are missing are chosen small.

    Raises:
        SpecError: A claim is wrong, or a value is unknown or out of its domain. Its `source` is set.
    """
    session = opened(schedule, all_loaders=True)
    wrong = [each for name, value in values.items() for each in refused(session.schedule, name, value)]
    if wrong:
        raise SpecError(tuple(wrong), schedule.source)
    checked = session.checked()
    scenes = tuple(_scene(loader, session, values) for loader in session.schedule.loaders.values())
    stories = tuple(
        _stories(claim, judged) for claim, judged in zip(session.claims, checked.claims, strict=True)
    )
    statements = tuple(each.written.span for each in session.claims)
    return Account(checked, statements, scenes, stories)


def _scene(loader: Loader, session: Session, given: Mapping[str, int]) -> Scene:
    known = session.schedule.scope.parameters
    names = {each.name for each in missing(loader, session.schedule, {})}
    chosen = {each.name: _small(each) for each in known.values() if not each.seed}
    used = {**chosen, **given}
    drawn = {**seeds(session.schedule), **used}
    plan = plan_of(loader)
    shown = (names | plan.parameters() | builders(plan)) & set(drawn)
    return Scene(
        loader,
        {name: value for name, value in drawn.items() if name in shown},
        chosen=bool(shown - set(given)),
        population=_population(loader, used, session),
        picture=picture(loader, drawn),
    )


def _small(parameter: Parameter) -> int:
    """A small value of the domain that shows something."""
    value, domain = _SMALL.get(parameter.name.rpartition(".")[2], 2), parameter.domain
    if value in domain:
        return value
    return domain.high if domain.high is not None and value > domain.high else domain.low


def _population(loader: Loader, values: Mapping[str, int], session: Session) -> Population | None:
    try:
        return population(loader, values, None, session.solver)
    except SpecError:
        return None


def _stories(claim: Claim, judged: Judged) -> tuple[Story, ...]:
    """What the loaders of a claim do in the world of its counterexample, in both runs where it has two.

    None where the draws were made up, where nothing is delivered, or where the world is too large.
    """
    counterexample = judged.verdict.counterexample
    if counterexample is None or counterexample.made_up or counterexample.of_records:
        return ()
    pinned = {each.name: each.domain.low for each in (*claim.parameters, *claim.pinned)}
    first = {**pinned, **counterexample.parameters}
    second = {**first, **{name: first[f"{name}'"] for name in claim.changed if f"{name}'" in first}}
    runs = [first, second] if second != first else [first]
    epoch = counterexample.epoch or 0
    found = [
        Story(claim.loaders[name], _told(claim.loaders[name], values, epoch), values is second)
        for name in dict.fromkeys(use.loader for use in claim.uses)
        for values in runs
    ]
    return tuple(each for each in found if each.chapters)


def _told(loader: Loader, values: Mapping[str, int], epoch: int) -> tuple[Chapter, ...]:
    """The tale, as long as the counterexample gives a value to everything that it depends on."""
    return tale(loader, values, epoch=epoch) if plan_of(loader).parameters() <= set(values) else ()
