"""Of what the records of a loader are made, in one world: each record's index at a dataset of its lineage."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.claim._quantity import Seen
from epochproof.claim._question import Undecided
from epochproof.model.lineage import Copies, Windows, datasets, line, source
from epochproof.model.population import Population
from epochproof.model.split import Listed, Part
from epochproof.schedule.sources import Sources
from epochproof.term.fold import variables
from epochproof.term.node import Int

Key = tuple[int, ...]
"""The index of a record at each dataset down to one of its lineage."""


def level_of(population: Population, name: str) -> Population:
    """The dataset of the lineage that is called so."""
    return next(each for each in datasets(population) if each.name == name)


def made_from(population: Population) -> set[str]:
    """The variables that decide which record is made of what."""
    found = set[str]()
    for each in line(population):
        own = () if each.origin is None else each.origin.terms()
        found |= variables(each.size, *own, *((each.lengths,) if isinstance(each.lengths, Int) else ()))
    return found


def keys(seen: Seen, population: Population, level: str) -> list[Key]:
    """For each record what it is made of at that level, in an assignment and with lengths that there may be.

    Raises:
        Undecided: which records a part has is not known without more.
    """
    known = ("keys", population.name, level)
    if known not in seen.lists.known:
        found = [*_keys(seen, population, level)]
        if len(found) != seen.lists.size:
            raise Undecided("of what a record is made has no rule here")
        seen.lists.known[known] = found
    listed: list[Key] = seen.lists.known[known]
    return listed


def _keys(seen: Seen, population: Population, level: str) -> Iterator[Key]:
    made, top = [*line(population)], source(population)
    if top.lengths is None and any(isinstance(each.origin, Windows) for each in made):
        deep = [each.name for each in datasets(population)].index(level) + 1
        yield from (each[:deep] for each in _of_free_lengths(seen, population))
        return
    # Where nothing is cut into windows, lengths make no difference.
    world = Sources(seen.lists.values, {top.name: (0,) * seen.lists.value(top.size)})
    for each in made[::-1]:
        if isinstance(each.origin, Part) and each.origin.split.key.kind != "time":
            split = each.origin.split
            if split.key.kind == "group" or isinstance(split, Listed):
                raise Undecided(f"which records `{each.name}` has stands in a manifest")
            world.assign(split, 0, {})
    for record in world.records(population):
        yield record.indices[level]


def _of_free_lengths(seen: Seen, population: Population) -> list[Key]:
    """Windows of sources whose lengths are open: one of each source, and of the first one all others."""
    (top, windows, *copies), value = datasets(population), seen.lists.value
    parted = any(isinstance(each.origin, Part) for each in line(population))
    if top.to_be_measured:
        raise Undecided(f"which source a record is made of stands in the manifest of `{top.name}`")
    if parted or not isinstance(windows.origin, Windows):
        raise Undecided("of what a record is made has no rule where lengths are open")
    count, sources = value(windows.size), value(top.size)
    found: list[Key] = [(max(0, at - max(0, count - sources)), at) for at in range(count)]
    for each in copies:
        if not isinstance(each.origin, Copies):
            raise Undecided("of what a record is made has no rule where lengths are open")
        found = [(*key, at) for key in found for at in range(value(each.origin.copies))]
    return found
