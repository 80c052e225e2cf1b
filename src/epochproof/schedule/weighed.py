"""Weights of draws that a manifest lists, in place of the parameters that stand for any weights."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from epochproof.manifest.pin import Pin
from epochproof.manifest.weights import listed_weights
from epochproof.model.split import rows
from epochproof.schedule.read import Schedule
from epochproof.schedule.sized import with_sizes
from epochproof.stage._weights import number_of
from epochproof.stage.augment import Augment
from epochproof.stage.copy import Copy
from epochproof.stage.draw import Draw
from epochproof.stage.fetch import Fetch
from epochproof.stage.weigh import Weigh
from epochproof.term.fold import variables
from epochproof.term.node import number

MOST_WEIGHTS = 200_000
"""So many weights are kept at most: a draw compares with all of them."""

_STILL = (Augment, Copy, Fetch, Weigh)
"""What leaves each record where it is."""


def open_weights(schedule: Schedule) -> Mapping[str, Pin]:
    """The manifests that list the weights of draws, by the parameters that stand for them."""
    found = {}
    for name, each in schedule.populations.items():
        known = rows(each)
        pin = known[0].pin if (known and each.origin is None) or (known and known[1]) else None
        column = pin and pin.column("weight")
        called = f"{name}.{column.name}" if column else ""
        if pin and called in schedule.scope.parameters and _drawn_first(schedule, called):
            found[called] = pin
    return found


def _drawn_first(schedule: Schedule, name: str) -> bool:
    """Whether all draws by these weights are from the population itself."""
    return all(
        all(isinstance(above, _STILL) for above in stages[:at])
        for stages in _stages(schedule)
        for at, each in enumerate(stages)
        if isinstance(each, Draw) and name in variables(each.weights)
    )


def _stages(schedule: Schedule) -> Iterator[list[object]]:
    for loader in schedule.loaders.values():
        yield [placed.stage for placed in loader.stages]


def weighed(schedule: Schedule, names: Collection[str]) -> Schedule:
    """The schedule with these weights, where their manifests were read and are not too long.

    Raises:
        SpecError: A part has no record, or all weigh nothing.
    """
    found, facts = {}, {}
    for name, pin in open_weights(schedule).items():
        manifest = schedule.manifests.get(f"{pin.dataset}.size")
        if name not in names or manifest is None or manifest.records > MOST_WEIGHTS:
            continue
        population = schedule.populations[name.rpartition(".")[0]]
        known = rows(population)
        found[name] = number(number_of(listed_weights(manifest, known[1] if known else ())))
        said = f"the weights of `{population.name}` are those of column `{name.rpartition('.')[2]}`"
        facts[name] = replace(manifest, said=said)
    return with_sizes(schedule, found, facts)
