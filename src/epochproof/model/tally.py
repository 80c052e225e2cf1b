"""How many records a derived population has, in closed form where its lineage gives one."""

from __future__ import annotations

from epochproof.model.lineage import ONE, ZERO, Copies, Windows, datasets, line, source
from epochproof.model.population import Population
from epochproof.model.split import Listed, Part, Split
from epochproof.term.node import Bool, Int, add, both, ceil_divide, choose, floor_divide, maximum, number


def frames(population: Population) -> Int | None:
    """How many frames each of its records has, where that is one number."""
    for each in line(population):
        if isinstance(each.origin, Windows):
            return each.origin.window
    lengths = source(population).lengths
    if isinstance(lengths, tuple):
        return number(lengths[0]) if len(set(lengths)) == 1 else None
    return lengths


def size(population: Population) -> Int | None:
    """How many records it has; `None` where that is not settled by numbers of the spec."""
    origin = population.origin
    if origin is None:
        return population.size
    if isinstance(origin, Part):
        return _part(origin)
    of, own = origin.of.size, frames(origin.of)
    if isinstance(origin, Copies) or own is not None:
        return of * origin.count(ZERO if own is None else own)
    return _listed(population, population)


def _listed(population: Population, level: Population) -> Int | None:
    """How many records of `level` have one in the population, source by source, where lengths are listed."""
    lengths = source(population).lengths
    apart = any(isinstance(each.origin, Part) for each in line(population))
    if apart or not isinstance(lengths, tuple):
        return None
    return add(*(below(population, level, number(each)) for each in lengths))


def each(population: Population, level: Population) -> Int | None:
    """How many records of it are made of each record of `level`, where that is one number.

    Of a part of a split, only records of `level` in that part are meant.
    """
    found = ONE
    for below in line(population):
        if below is level:
            return found
        origin = below.origin
        if isinstance(origin, Part):
            if not _whole(origin.split, level):
                return None
        elif origin is not None:
            own = frames(origin.of)
            if isinstance(origin, Windows) and own is None:
                return None
            found = found * origin.count(ZERO if own is None else own)
    return None


def values(population: Population, level: Population) -> Int | None:
    """How many records of `level` have a record in the population, where that is known."""
    if population is level:
        return population.size
    origin = population.origin
    if isinstance(origin, Copies):
        return values(origin.of, level)
    if isinstance(origin, Windows):
        own, above = frames(origin.of), values(origin.of, level)
        if own is None or above is None:
            return _listed(population, level)
        return choose(origin.count(own) >= 1, above, 0)
    if isinstance(origin, Part) and _whole(origin.split, level):
        return population.size if isinstance(origin.split, Listed) else _in_part(origin, level)
    return None


def _in_part(origin: Part, level: Population) -> Int | None:
    """The records of `level` in a part: those below the values of the key that the part has."""
    key = origin.split.key.level
    given, below = values(origin.of, key), each(level, key)
    if given is None or below is None or each(origin.of, key) is None:
        return None
    return origin.split.quota(origin.at, given) * below


def _whole(split: Split, level: Population) -> bool:
    """Whether the split keeps together all that is made of one record of `level`."""
    return split.key.kind == "record" and split.key.level in line(level)


def _part(origin: Part) -> Int | None:
    split = origin.split
    if split.key.kind == "time":
        return _in_time(origin)
    if split.key.kind == "group":
        return None
    given, below = values(split.whole, split.key.level), each(split.whole, split.key.level)
    return None if given is None or below is None else split.quota(origin.at, given) * below


def _in_time(origin: Part) -> Int | None:
    """Windows of whole sources that lie between the cuts of a part."""
    top = source(origin.of)
    if isinstance(top.lengths, tuple):
        found = [made for each in top.lengths if (made := _cut(origin, number(each))) is not None]
        return add(*found) if len(found) == len(top.lengths) else None
    made = None if top.lengths is None else _cut(origin, top.lengths)
    return None if made is None else top.size * made


def _cut(origin: Part, length: Int) -> Int | None:
    """Those of one source of this length."""
    copies, windows = ONE, origin.of
    while isinstance(windows.origin, Copies):
        copies, windows = copies * windows.origin.copies, windows.origin.of
    if not isinstance(windows.origin, Windows) or windows.origin.of.origin is not None:
        return None
    return copies * _between(origin, windows.origin, length)


def of_a_source(population: Population, length: Int) -> Int | None:
    """How many records of it are made of one source of this length, if a column picked that source.

    `None` where that depends on the source: on which side of a split it is dealt.
    """
    picked = [each for each in line(population) if not _is_listed(each)]
    dealt = [each for each in picked if isinstance(each.origin, Part)]
    if not dealt:
        return below(population, population, length)
    part = dealt[0].origin
    alone = picked[0] is dealt[0] and len(dealt) == 1
    return _cut(part, length) if alone and isinstance(part, Part) and part.split.key.kind == "time" else None


def _is_listed(population: Population) -> bool:
    origin = population.origin
    return isinstance(origin, Part) and isinstance(origin.split, Listed)


def _between(part: Part, windows: Windows, length: Int) -> Int:
    low, high = part.split.cut(part.at, length)
    first = ceil_divide(low, windows.stride)
    last = floor_divide(high - windows.window, windows.stride)
    return maximum(last - first + 1, 0)


def below(whole: Population, level: Population, length: Int) -> Int:
    """How many records of `level` a source of this length has that have a record of `whole`."""
    found, some, frames, reached = ONE, list[Bool](), length, level.origin is None
    for each in datasets(whole)[1:]:
        if each.origin is not None:
            count = each.origin.count(frames)
            frames = each.origin.window if isinstance(each.origin, Windows) else frames
            some.append(count >= 1)
            found = found if reached else found * count
        reached = reached or each is level
    return choose(both(*some), found, 0)
