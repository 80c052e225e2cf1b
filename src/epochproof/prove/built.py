"""A world with a leak, built from what a prover found: its sources, groups and assignments, and its lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, islice, product

from epochproof.claim._pair import Pair
from epochproof.model import tally
from epochproof.model.lineage import Windows, datasets, line, source
from epochproof.model.population import Population
from epochproof.model.split import Part, Split
from epochproof.schedule.sources import Found, Indices, Sources
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Int, constant, number

MOST = 200_000
"""So many records of a world are listed; a world with more is not replayed."""

MOST_SOURCES = 1_000_000
"""So many sources may a world have of which most have no frames, and no records."""

_LONGER, _TURNS = 12, 4
"""So many strides are sources made longer, and so many deals are tried, where a part is split again."""

_LONGEST = 1 << 40
"""No source is longer."""


def value(term: Int, values: Mapping[str, int]) -> int:
    """The value of a term; what has none is 0."""
    names = variables(term)
    return constant(substitute(term, {name: number(values.get(name, 0)) for name in names})) or 0


def candidates(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int]
) -> Iterator[tuple[Sources, bool]]:
    """Worlds in which the two records of the solution are as it says, and whether each is as small as it.

    How many values a part has that is split again is known only once the whole was dealt: then other deals
    and longer sources are tried, too.
    """
    nested = any(isinstance(split.whole.origin, Part) for split in pair.splits.values())
    tried = product(range(_LONGER), (False, True), range(_TURNS)) if nested else [(0, False, 0)]
    for more, crowded, turn in tried:
        world = _built(pair, values, solution, _Grown(more, crowded=crowded), turn)
        if world is not None:
            yield world, not (more or crowded)


@dataclass(frozen=True)
class _Grown:
    """The sources of the two records are so many strides longer, and others as long where it is `crowded`."""

    more: int
    crowded: bool


def _built(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int], grown: _Grown, turn: int
) -> Sources | None:
    world = Sources(values, _lengths(pair, values, solution, grown))
    ends = [_ends(record.indices, solution) for record in pair.records]
    levels = {each.name: each for whole in (pair.left, pair.right) for each in datasets(whole) if each.groups}
    for level in levels.values():
        _group(pair, world, level, solution, ends)
    for name, split in pair.splits.items():
        for rank, wanted in enumerate(_wanted(pair, name, solution)):
            if not world.assign(split, rank, wanted, turn):
                return None
    sizes = _true_sizes(pair, world)
    return (
        replace(world, values={**values, **sizes})
        if grown != _Grown(0, crowded=False) or sizes.items() <= values.items()
        else None
    )


def _wanted(pair: Pair, name: str, solution: Mapping[str, int]) -> list[dict[Indices, int]]:
    """In which parts the values of the two records are, on one rank, or on each where ranks differ."""
    found: list[dict[Indices, int]] = [{}] if pair.splits[name].shared else [{}, {}]
    for at, record in enumerate(pair.records):
        for side in record.sides:
            if side.split == name:
                found[at % len(found)][tuple(value(each, solution) for each in side.key)] = side.at
    return found


def _ends(indices: Mapping[str, tuple[Int, ...]], solution: Mapping[str, int]) -> dict[str, Indices]:
    return {name: tuple(value(each, solution) for each in own) for name, own in indices.items()}


def _lengths(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int], grown: _Grown
) -> dict[str, tuple[int, ...]]:
    """The frames of each source: those of the two records, and of others as much as the shares need."""
    top = source(pair.left)
    if top.lengths is not None:
        return {}
    total = value(top.size, values)
    found = {
        value(record.indices[top.name][0], solution): value(record.length, solution)
        for record in pair.records
    }
    free = [at for at in range(total) if at not in found]
    step = max((value(each, values) for made in line(pair.left) for each in _strides(made)), default=1)
    fill = dict(zip(free, _fillers(pair, values, solution, list(found.values())), strict=False))
    found = {at: length + grown.more * step for at, length in found.items()} | fill
    other = max(found.values()) if grown.crowded else 0
    return {top.name: tuple(found.get(at, other) for at in range(total))}


def _strides(population: Population) -> list[Int]:
    return [population.origin.stride] if isinstance(population.origin, Windows) else []


def _fillers(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int], used: list[int]
) -> list[int]:
    """Lengths of further sources, so that each split has as many values as the solution says."""
    flat = {**solution, **values}
    wanted: list[tuple[Split, int]] = []
    for name, split in pair.splits.items():
        made = [each.origin for each in line(split.whole)]
        if any(isinstance(each, Windows) for each in made) and not any(
            isinstance(each, Part) for each in made
        ):
            have = sum(_below(split, length, flat) for length in used)
            if split.key.kind == "group":
                have += _groups(pair, split, flat)
            wanted.append((split, value(pair.values_of(name), flat) - have))
    sources = max((rest for split, rest in wanted if split.key.level.origin is None), default=0)
    deep = [(split, rest) for split, rest in wanted if split.key.level.origin is not None and rest > 0]
    if not deep:
        least = [_shortest(split, 1, flat) for split, _ in wanted]
        return [max(least, default=0)] * sources
    split, rest = deep[0]
    short = _shortest(split, 1, flat)
    each = _below(split, short, flat)
    more = max(sources - 1, 0)
    return [_shortest(split, rest - more * each, flat), *[short] * more]


def _groups(pair: Pair, split: Split, values: Mapping[str, int]) -> int:
    """How many groups the two records have, less how many they are: others may have their own."""
    rows = {
        tuple(value(each, values) for each in record.indices[split.key.level.name]): value(
            split.key.of(record)[0], values
        )
        for record in pair.records
        if _below(split, value(record.length, values), values)
    }
    return len(set(rows.values())) - len(rows)


def _below(split: Split, length: int, values: Mapping[str, int]) -> int:
    return value(tally.below(split.whole, split.key.level, number(length)), values)


def _shortest(split: Split, least: int, values: Mapping[str, int]) -> int:
    """The fewest frames of a source that has so many values of the split's key."""
    high = 1
    while _below(split, high, values) < least and high < _LONGEST:
        high *= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        if _below(split, middle, values) < least:
            low = middle + 1
        else:
            high = middle
    return low


def _group(
    pair: Pair, world: Sources, level: Population, solution: Mapping[str, int], ends: list[dict[str, Indices]]
) -> None:
    """Puts records into groups: two as the solution says, the others so that there are enough."""
    own: dict[Indices, int] = {}
    for tag, each in zip("ab", ends, strict=True):
        if level.name in each:
            own[each[level.name]] = solution.get(f"{tag}.{level.name}.{level.groups}", 0)
    wanted = max(
        (
            value(pair.values_of(name), solution)
            for name, split in pair.splits.items()
            if split.key.kind == "group" and split.key.level is level
        ),
        default=0,
    )
    taken = set(own.values())
    new = (group for group in count() if group not in taken)
    groups = set(taken)
    for record in world.records(level):
        indices = record.indices[level.name]
        if indices not in own:
            group = next(new) if len(groups) < wanted else max(groups, default=0)
            groups.add(group)
            own[indices] = group
    world.groups.update({(level.name, level.groups, indices): group for indices, group in own.items()})


def _true_sizes(pair: Pair, world: Sources) -> dict[str, int]:
    """The sizes that are parameters, as the lists have them."""
    found = {}
    for population in (pair.left, pair.right):
        for each in line(population):
            name = f"{each.name}.size"
            if each.origin is not None and name in variables(each.size) & world.values.keys():
                found[name] = sum(1 for _ in islice(world.records(each), MOST))
    return found


def meeting(pair: Pair, world: Sources) -> tuple[Found, Found] | None:
    """The first two records of a world that meet, looked up on its lists."""
    left, right = (list(world.records(each, rank)) for rank, each in enumerate((pair.left, pair.right)))
    if pair.key.kind != "frames":
        first: dict[Indices, Found] = {}
        for each in right:
            first.setdefault(world.key(pair.key, each), each)
        return next(((one, first[key]) for one in left if (key := world.key(pair.key, one)) in first), None)
    margin, name = world.number(pair.margin), source(pair.left).name
    by_source: dict[Indices, list[Found]] = {}
    for each in right:
        by_source.setdefault(each.indices[name], []).append(each)
    for one in left:
        for other in by_source.get(one.indices[name], ()):
            near = one.start < other.end + margin and other.start < one.end + margin
            if near and one.start < one.end and other.start < other.end:
                return one, other
    return None
