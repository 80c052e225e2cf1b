"""One world of sources: their frames, groups and assignments, and each population as a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from epochproof.model.lineage import Origin, Record, Windows, line, record_of, source
from epochproof.model.population import Population
from epochproof.model.split import Key, Part, Split
from epochproof.term.fold import substitute
from epochproof.term.node import Int, constant, number

Indices = tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """One record in a world: its indices below each dataset of its lineage, and its frames."""

    indices: Mapping[str, Indices]
    start: int
    end: int

    @property
    def all(self) -> Indices:
        """Its index at each dataset, from its source down."""
        return max(self.indices.values(), key=len)


@dataclass
class Sources:
    """A world: values of the parameters, and how many frames each source has where it has its own.

    `groups` are the values of columns, by dataset, column and record; `sides` say for each assignment, on
    one of two ranks, in which part a value of its key is. Ranks differ only in what they do not share.
    """

    values: Mapping[str, int]
    lengths: Mapping[str, tuple[int, ...]]
    groups: dict[tuple[str, str, Indices], int] = field(default_factory=dict)
    sides: dict[tuple[str, int], dict[Indices, int]] = field(default_factory=dict)

    def number(self, term: Int) -> int:
        """The value of a term over the parameters."""
        terms = {name: number(value) for name, value in self.values.items()}
        return cast("int", constant(substitute(term, terms)))

    def length(self, top: Population, index: int) -> int:
        """How many frames a source has."""
        if top.lengths is None:
            return self.lengths[top.name][index]
        return self.number(top.lengths) if isinstance(top.lengths, Int) else top.lengths[index]

    def records(self, population: Population, rank: int = 0) -> Iterator[Found]:
        """The records of the population on a rank, in order: the lineage's own terms, with numbers."""
        top = source(population)
        values = {name: number(value) for name, value in self.values.items()}
        path = [*line(population.with_values(values))][::-1]
        for index in self._used(path):
            first = record_of(path[0], "", [number(index)], number(self.length(top, index)))
            yield from map(_found, self._below(first, path[1:], rank))

    def _used(self, path: list[Population]) -> Iterable[int]:
        """The sources that may have a record: those without frames have no windows."""
        top, own = path[0], self.lengths.get(path[0].name, ())
        if top.lengths is None and any(isinstance(each.origin, Windows) for each in path):
            return (index for index, length in enumerate(own) if length)
        return range(self.number(top.size))

    def _below(self, record: Record, path: list[Population], rank: int) -> Iterator[Record]:
        """The records that are made of one, down a lineage."""
        if not path:
            yield record
            return
        name, origin = path[0].name, cast("Origin", path[0].origin)
        for index in range(cast("int", constant(origin.count(record.end - record.start)))):
            made = origin.made(replace(record, sides=()), name, number(index))
            if made.exists.value and (not isinstance(origin, Part) or self._chosen(made, origin, rank)):
                yield from self._below(made, path[1:], rank)

    def _chosen(self, record: Record, part: Part, rank: int) -> bool:
        if part.split.key.kind == "time":
            return True
        sides = self.sides[part.split.assignment, 0 if part.split.shared else rank]
        return sides[self.key(part.split.key, _found(record))] == part.at

    def key(self, key: Key, record: Found) -> Indices:
        """The value of a record's key."""
        indices = record.indices[key.level.name]
        return (self.groups[key.level.name, key.name, indices],) if key.kind == "group" else indices

    def keys(self, split: Split, rank: int) -> list[Indices]:
        """The values that a split assigns, in order."""
        return sorted({self.key(split.key, each) for each in self.records(split.whole, rank)})

    def assign(self, split: Split, rank: int, wanted: Mapping[Indices, int], turn: int = 0) -> bool:
        """Assigns the values of a split, some as `wanted`; `False` where the shares forbid that.

        The others are dealt in order, from number `turn` on.
        """
        keys, sides = self.keys(split, rank), dict(wanted)
        left = [cast("int", constant(split.quota(at, number(len(keys))))) for at in range(len(split.shares))]
        for at in wanted.values():
            left[at] -= 1
        if min(left) < 0 or not wanted.keys() <= set(keys):
            return False
        first = turn % max(len(keys), 1)
        for each in keys[first:] + keys[:first]:
            if each not in sides:
                sides[each] = next(at for at, room in enumerate(left) if room)
                left[sides[each]] -= 1
        self.sides[split.assignment, rank] = sides
        return True


def _found(record: Record) -> Found:
    indices = {
        name: tuple(cast("int", constant(each)) for each in own) for name, own in record.indices.items()
    }
    return Found(indices, cast("int", constant(record.start)), cast("int", constant(record.end)))
