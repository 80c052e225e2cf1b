"""What a loader over a mix draws: the stages above its own, and where a mix that never ends is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from epochproof.diagnostics import fail
from epochproof.model.mixture import Mixture
from epochproof.model.population import Population
from epochproof.schedule.loader import Loader, Placed
from epochproof.schedule.plan import Plan
from epochproof.stage._files import Files
from epochproof.stage._mixing import Mixing, RandomMixing
from epochproof.stage._segment import Segment
from epochproof.stage._stage import SINGLE, Here, Lane, Stage
from epochproof.stage.resume import Resume
from epochproof.stage.stop import Stop
from epochproof.term.node import Int, add, number

_NONE = number(0)
_ANYWHERE = Here(_NONE, Lane(_NONE, number(1), _NONE, number(1), _NONE, _NONE), SINGLE)
"""The length of a mix inside a mix depends on no lane."""


def drawing(population: Population) -> list[Placed]:
    """The stages that draw from a mix, inner mixes first; none for any other population."""
    if not isinstance(population, Mixture):
        return []
    stages = [*_segments(population, _NONE), _mixing(population)]
    return [Placed(stage, "mix", population.span) for stage in stages]


def _segments(mixture: Mixture, low: Int) -> list[Stage]:
    """The mixes inside a mix whose first record is `low`, the last one first: it moves no earlier one."""
    sizes = [each.population.size for each in mixture.sources]
    starts, found = list(accumulate(sizes, initial=low)), list[Stage]()
    for source, start in reversed(list(zip(mixture.sources, starts, strict=False))):
        if isinstance(source.population, Mixture):
            inner = _mixing(source.population)
            found += _segments(source.population, start)
            found.append(Segment(inner=inner, low=start, size=add(*inner.sizes)))
    return found


def _mixing(mixture: Mixture) -> Mixing:
    nested = [
        _mixing(each.population) if isinstance(each.population, Mixture) else None for each in mixture.sources
    ]
    kind = RandomMixing if mixture.pick == "random" else Mixing
    return kind(
        pick=mixture.pick,
        stop=mixture.stop,
        names=tuple(each.name for each in mixture.sources),
        sizes=tuple(
            each.population.size if inner is None else inner.length(_ANYWHERE)
            for each, inner in zip(mixture.sources, nested, strict=True)
        ),
        weights=tuple(each.weight for each in mixture.sources),
        nested=tuple(nested),
        order=mixture.order,
        until=None,
    )


def until_stopped(loader: Loader) -> Loader:
    """The loader, whose mix, if it never ends, draws as much as all ranks read until they stop.

    Raises:
        SpecError: nothing stops it, or a stage above the stop needs the end of the stream.
    """
    population = loader.population
    if not isinstance(population, Mixture) or population.stop != "forever":
        return loader
    stages = [each.stage for each in loader.stages]
    at = next((at for at, stage in enumerate(stages) if isinstance(stage, Stop)), None)
    if at is None:
        raise fail(
            "E241",
            f"`{loader.name}` never ends: its mix says `stop = forever`",
            loader.span,
            help=f"write `stop(steps = 1_000)` in `{loader.name}`, or `stop = first_exhausted` in the mix",
        )
    for place, placed in enumerate(loader.stages):
        if (place < at and _needs_the_end(placed.stage)) or _changes_the_world(placed.stage):
            raise fail(
                "E241",
                f"`{placed.name}` cannot follow a mix that never ends",
                placed.span,
                help="write `stop = first_exhausted` or `stop = all_exhausted` in the mix",
            )
    until = _read(loader, stages[:at], stages[at])
    mixing = next(at for at, stage in enumerate(stages) if isinstance(stage, Mixing))
    endless = replace(loader.stages[mixing], stage=stages[mixing].changed(until=until))
    return replace(loader, stages=(*loader.stages[:mixing], endless, *loader.stages[mixing + 1 :]))


def _changes_the_world(stage: Stage) -> bool:
    """Whether it goes on with other ranks or batches, which read another part of the stream."""
    return isinstance(stage, Resume) and (stage.ranks is not None or stage.batch is not None)


def _needs_the_end(stage: Stage) -> bool:
    """Whether what it does with the first positions depends on how many there are."""
    deals_runs = bool(stage.axes()) and (
        isinstance(stage, Files) or getattr(stage, "layout", "") != "strided"
    )
    return deals_runs or (stage.moves and not stage.mixes)


def _read(loader: Loader, above: Sequence[Stage], stop: Stage) -> Int:
    """How much of the stream all lanes read until they stop: each dealt lane every so many positions."""
    plan = Plan(
        loader.population.size, loader.ranks, tuple(above), loader.lanes, loader.workers, loader.iterable
    )
    lane = plan.lane()
    heres = plan.heres(lane)
    read = heres[-1].steps.before(stop.numbers()["steps"])
    for stage, here in zip(above, heres, strict=False):
        read = read * stage.lanes_dealt_to(here) if stage.axes() else read
    return read
