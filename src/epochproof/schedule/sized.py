"""A schedule with terms in place of sizes, in everything that is made of what has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from epochproof.manifest.manifest import Manifest
from epochproof.model.population import Population
from epochproof.model.split import Part
from epochproof.schedule.read import Schedule
from epochproof.term.fold import substitute
from epochproof.term.node import Int


def with_sizes(
    schedule: Schedule,
    values: Mapping[str, Int],
    manifests: Mapping[str, Manifest],
    lengths: Mapping[str, tuple[int, ...]] | None = None,
) -> Schedule:
    """The schedule with terms in place of sizes, and with what was read.

    Args:
        schedule: Where the sizes are parameters.
        values: What stands for each of them.
        manifests: What settles them, by their names.
        lengths: How many frames each record has, by the dataset.
    """
    scope = schedule.scope
    # One object stays one object: claims about two loaders ask whether they read the same dataset.
    changed = dict[int, Population]()
    for each in (
        *schedule.populations.values(),
        *(loader.population for loader in schedule.loaders.values()),
    ):
        _change(each, values, lengths or {}, changed)
    return replace(
        schedule,
        scope=replace(
            scope,
            names={name: substitute(term, values) for name, term in scope.names.items()},
            parameters={name: each for name, each in scope.parameters.items() if name not in values},
        ),
        populations={name: changed[id(each)] for name, each in schedule.populations.items()},
        loaders={
            name: replace(each.with_values(values), population=changed[id(each.population)])
            for name, each in schedule.loaders.items()
        },
        manifests={**schedule.manifests, **manifests},
    )


def _change(
    population: Population,
    values: Mapping[str, Int],
    lengths: Mapping[str, tuple[int, ...]],
    changed: dict[int, Population],
) -> Population:
    """The population, and all that it is made of, with these sizes; each once, by the old one's identity."""
    if id(population) not in changed:
        origin = population.origin
        if origin is not None:
            of = _change(origin.of, values, lengths, changed)
            origin = replace(origin.with_values(values), of=of)
            if isinstance(origin, Part):
                key = replace(
                    origin.split.key, level=_change(origin.split.key.level, values, lengths, changed)
                )
                origin = replace(origin, split=replace(origin.split, whole=of, key=key))
        size, own = substitute(population.size, values), population.lengths
        own = substitute(own, values) if isinstance(own, Int) else lengths.get(population.name, own)
        changed[id(population)] = replace(population, size=size, lengths=own, origin=origin)
    return changed[id(population)]
