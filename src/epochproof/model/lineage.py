"""Lineage: how the records of a population are made of those of another, and where one record comes from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from epochproof.diagnostics import Span
from epochproof.model.population import Population
from epochproof.term.fold import substitute
from epochproof.term.node import Bool, Int, both, choose, equal, floor_divide, maximum, number, within

ZERO, ONE = number(0), number(1)


@dataclass(frozen=True)
class Side:
    """A record is in part `at` of the assignment called `split`, which looks at nothing of it but `key`."""

    split: str
    at: int
    key: tuple[Int, ...]


@dataclass(frozen=True)
class Record:
    """One record: its indices below each dataset of its lineage, and its frames, `start <= frame < end`.

    `length` is how many frames its source has. It exists if `exists`, and if its splits put it on `sides`.
    """

    tag: str
    indices: Mapping[str, tuple[Int, ...]]
    exists: Bool
    start: Int
    end: Int
    length: Int
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True)
class Origin(ABC):
    """How a population is made of the population `of`."""

    of: Population

    @abstractmethod
    def made(self, record: Record, name: str, index: Int) -> Record:
        """What is made of a record of `of`: number `index` of dataset `name`."""

    @abstractmethod
    def count(self, frames: Int) -> Int:
        """How many records are made of one that has so many frames."""

    @abstractmethod
    def with_values(self, values: Mapping[str, Int]) -> Origin:
        """The same with other terms in place of some parameters."""

    def made_on_each_rank(self) -> Span | None:
        """Where it is written that each rank has records of its own; `None` where all have the same."""
        return None

    def indexed(self) -> bool:
        """Whether several records are made of one, so that each has an index."""
        return True

    def terms(self) -> tuple[Int, ...]:
        """The numbers that say how the records are made."""
        return ()

    def said(self) -> tuple[object, ...]:
        """All that says how the records are made, so that equal ones make equal records."""
        return type(self).__name__, *self.terms()


@dataclass(frozen=True)
class Windows(Origin):
    """Window i covers `window` frames from frame `i * stride` on; only whole windows exist."""

    window: Int
    stride: Int

    def made(self, record: Record, name: str, index: Int) -> Record:
        start = record.start + index * self.stride
        end = start + self.window
        inside = both(index >= 0, end <= record.end)
        return replace(_below(record, self.of, name, index, inside), start=start, end=end)

    def count(self, frames: Int) -> Int:
        return maximum(floor_divide(frames - self.window, self.stride) + 1, 0)

    def with_values(self, values: Mapping[str, Int]) -> Windows:
        return Windows(self.of, substitute(self.window, values), substitute(self.stride, values))

    def terms(self) -> tuple[Int, ...]:
        return self.window, self.stride


@dataclass(frozen=True)
class Copies(Origin):
    """Each record is there `copies` times, with the same frames."""

    copies: Int

    def made(self, record: Record, name: str, index: Int) -> Record:
        return _below(record, self.of, name, index, within(0, index, self.copies))

    def count(self, frames: Int) -> Int:
        return self.copies

    def with_values(self, values: Mapping[str, Int]) -> Copies:
        return Copies(self.of, substitute(self.copies, values))

    def terms(self) -> tuple[Int, ...]:
        return (self.copies,)


def _below(record: Record, of: Population, name: str, index: Int, exists: Bool) -> Record:
    above = record.indices[datasets(of)[-1].name]
    return replace(
        record, indices={**record.indices, name: (*above, index)}, exists=both(record.exists, exists)
    )


def line(population: Population) -> Iterator[Population]:
    """The population, what it is made of, and so on up to its source."""
    yield population
    while population.origin is not None:
        population = population.origin.of
        yield population


def made_otherwise(one: Population, other: Population) -> str:
    """The first population of two lineages, from the source down, that differs; empty if none does."""
    for old, new in zip([*line(one)][::-1], [*line(other)][::-1], strict=False):
        said = [each.origin.said() if each.origin else each.measures for each in (old, new)]
        if (old.name, said[0], old.lengths) != (new.name, said[1], new.lengths):
            return new.name
    return "" if len([*line(one)]) == len([*line(other)]) else other.name


def source(population: Population) -> Population:
    """The dataset that all of it is made of."""
    *_, found = line(population)
    return found


def datasets(population: Population) -> list[Population]:
    """The datasets of its lineage from the source down; a part of a split is none."""
    found = [each for each in line(population) if each.origin is None or each.origin.indexed()]
    return found[::-1]


def length_at(dataset: Population, index: Int, free: Int) -> Int:
    """How many frames a source has: the one length, the listed one, or `free` where each has its own."""
    if dataset.lengths is None:
        return free
    if isinstance(dataset.lengths, Int):
        return dataset.lengths
    found = ZERO
    for at, length in enumerate(dataset.lengths):
        found = choose(equal(index, at), length, found)
    return found


def record_of(population: Population, tag: str, indices: Sequence[Int], length: Int) -> Record:
    """The record of the population with these indices, one for each dataset of its lineage."""
    rest = list(indices)
    top = source(population)
    exists = both(within(0, rest[0], top.size), length >= 0)
    record = Record(tag, {top.name: (rest.pop(0),)}, exists, ZERO, length, length)
    for each in [*line(population)][-2::-1]:
        if each.origin is not None:
            index = rest.pop(0) if each.origin.indexed() else ZERO
            record = each.origin.made(record, each.name, index)
    return record


def same(one: Sequence[Int], other: Sequence[Int]) -> Bool:
    """Both are the same indices."""
    return both(*(equal(a, b) for a, b in zip(one, other, strict=True)))
