"""Splits: which side of a split a record is on, and how many values of its key a side has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Literal

from epochproof.diagnostics import Span
from epochproof.manifest.pin import Chosen
from epochproof.manifest.pin import Side as Rows
from epochproof.model.lineage import ZERO, Copies, Origin, Record, Side, Windows
from epochproof.model.population import Population
from epochproof.term.fold import substitute
from epochproof.term.node import Int, add, both, choose, floor_divide, number, variable


@dataclass(frozen=True)
class Key:
    """What of a record is looked at: its indices down to a dataset, a column, its time or its frames."""

    name: str
    kind: Literal["record", "group", "time", "frames"]
    level: Population

    def of(self, record: Record) -> tuple[Int, ...]:
        """The value of a record's key; two records of one value are kept together."""
        if self.kind == "group":
            return (variable(f"{record.tag}.{self.level.name}.{self.name}"),)
        return record.indices[self.level.name]


@dataclass(frozen=True)
class Split:
    """The whole, cut into parts that have exact shares of the values of the key.

    Unless it is `shared`, each rank makes it on its own. Where it has a `salt`, all splits with that salt
    that cut the same values in the same shares are one assignment.
    """

    name: str
    whole: Population
    key: Key
    shares: tuple[tuple[str, Fraction], ...]
    span: Span
    gap: Int = ZERO
    salt: str = ""
    shared: bool = True

    @property
    def assignment(self) -> str:
        """What tells its assignment of values to parts from that of other splits."""
        if not self.salt:
            return self.name
        values = self.whole
        while isinstance(values.origin, Copies) and values is not self.key.level:
            values = values.origin.of
        shares = ", ".join(f"{name} {share}" for name, share in self.shares)
        return f'{self.key.name} of {values.name} by "{self.salt}" in {shares}'

    @property
    def names(self) -> tuple[str, ...]:
        """The parts, as they are written."""
        return tuple(name for name, _ in self.shares)

    def said(self, at: int) -> tuple[object, ...]:
        """All that says which records part `at` has."""
        return at, self.key.name, self.shares, self.assignment, self.shared, self.gap

    def quota(self, at: int, values: Int) -> Int:
        """How many of so many values part `at` has: its share rounded down; what is left, one by one."""
        floors = [floor_divide(values * n, d) for n, d in self._numerators()]
        left = values - add(*floors)
        return floors[at] + choose(left >= at + 1, 1, 0)

    def cut(self, at: int, length: Int) -> tuple[Int, Int]:
        """The frames of part `at` of a source: from the first to the second, exclusive."""
        ends = [Fraction(0), *accumulate(share for _, share in self.shares)]
        low, high = list(pairwise(ends))[at]
        start = floor_divide(length * low.numerator, low.denominator)
        end = floor_divide(length * high.numerator, high.denominator)
        return (start + self.gap if at else start), (length if at == len(self.shares) - 1 else end)

    def _numerators(self) -> list[tuple[int, int]]:
        divisor = lcm(*(share.denominator for _, share in self.shares))
        return [(int(share * divisor), divisor) for _, share in self.shares]


@dataclass(frozen=True, kw_only=True)
class Listed(Split):
    """A split that a column of the manifest makes: a part has the rows that one of `choices` names for it.

    Which ones these are is known once the manifest is read; nothing is assigned, and there are no shares.
    """

    choices: tuple[tuple[str, Chosen], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.choices)

    def said(self, at: int) -> tuple[object, ...]:
        chosen = self.choices[at][1]
        return chosen.column.name, chosen.value


@dataclass(frozen=True)
class Part(Origin):
    """Part `at` of a split."""

    split: Split
    at: int

    def made(self, record: Record, name: str, index: Int) -> Record:
        if self.split.key.kind == "time":
            start, end = self.split.cut(self.at, record.length)
            inside = both(start <= record.start, record.end <= end)
            return replace(record, exists=both(record.exists, inside))
        side = Side(self.split.assignment, self.at, self.split.key.of(record))
        return replace(record, sides=(*record.sides, side))

    def made_on_each_rank(self) -> Span | None:
        return None if self.split.shared else self.split.span

    def count(self, frames: Int) -> Int:
        return number(1)

    def indexed(self) -> bool:
        return False

    def with_values(self, values: Mapping[str, Int]) -> Part:
        return replace(self, split=replace(self.split, gap=substitute(self.split.gap, values)))

    def terms(self) -> tuple[Int, ...]:
        return (self.split.gap,)

    def said(self) -> tuple[object, ...]:
        return self.split.said(self.at)


def parts(split: Split) -> Sequence[tuple[str, Part]]:
    """Each part of the split and its full name."""
    return [(f"{split.name}.{name}", Part(split.whole, split, at)) for at, name in enumerate(split.names)]


def listed_rows(population: Population) -> tuple[Population, Rows] | None:
    """The dataset whose manifest lists the records themselves, and which of its rows they are.

    `None` where they are made of what is listed, or where nothing says which of them a part has.
    """
    origin, chosen = population.origin, list[Chosen]()
    while isinstance(origin, Part) and isinstance(origin.split, Listed):
        chosen.append(origin.split.choices[origin.at][1])
        population, origin = origin.of, origin.of.origin
    return None if origin is not None or population.pin is None else (population, tuple(chosen[::-1]))


def rows(population: Population, *, windows: bool = False) -> tuple[Population, Rows] | None:
    """The dataset with a manifest, and which of its rows the population has; or those that it has copies of.

    With `windows`, also those that it has windows of, if they are long enough. `None` where its records are
    others, or which ones it has is not listed.
    """
    chosen = list[Chosen]()
    while population.origin is not None:
        origin = population.origin
        if isinstance(origin, Part) and isinstance(origin.split, Listed):
            chosen.append(origin.split.choices[origin.at][1])
        elif not isinstance(origin, Copies) and not (windows and isinstance(origin, Windows)):
            return None
        population = origin.of
    return None if population.pin is None else (population, tuple(chosen[::-1]))
