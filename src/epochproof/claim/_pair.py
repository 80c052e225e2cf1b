"""Two records that may not meet: what is true of any record of one population and any record of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from epochproof.claim._rows import group_of_source, is_cut
from epochproof.model import tally
from epochproof.model.lineage import (
    ONE,
    Copies,
    Record,
    datasets,
    length_at,
    line,
    record_of,
    same,
    source,
)
from epochproof.model.population import Population
from epochproof.model.split import Key, Listed, Part, Split
from epochproof.term.node import (
    Bool,
    Int,
    both,
    choose,
    either,
    equal,
    implies,
    negate,
    variable,
)


@dataclass(frozen=True)
class Pair:
    """A record of `left` and one of `right`, which may be the same; `margin` is in frames."""

    left: Population
    right: Population
    key: Key
    margin: Int

    @cached_property
    def records(self) -> tuple[Record, Record]:
        """The two records: their indices are variables, as are open lengths of their sources."""
        return self._record("a", self.left), self._record("b", self.right)

    def _record(self, tag: str, population: Population) -> Record:
        indices = [variable(f"{tag}.{each.name}") for each in datasets(population)]
        top = source(population)
        length = length_at(top, indices[0], variable(f"{tag}.{top.name}.length"))
        return record_of(population, tag, indices, length)

    @cached_property
    def splits(self) -> dict[str, Split]:
        """The splits that assign values, by the names of their assignments; wholes before their parts."""
        found: dict[str, Split] = {}
        for population in (self.left, self.right):
            for each in [*line(population)][::-1]:
                if isinstance(each.origin, Part) and _assigns(each.origin.split):
                    found.setdefault(each.origin.split.assignment, each.origin.split)
        return found

    @property
    def one_source(self) -> Bool:
        """Both records come from one source."""
        (a,), (b,) = (each.indices[source(self.left).name] for each in self.records)
        return equal(a, b)

    def exists(self) -> Bool:
        """Both records exist, for some lengths, groups and assignments."""
        one, other = self.records
        alike = implies(self.one_source, equal(one.length, other.length))
        return both(one.exists, other.exists, alike, *self._groups(), *self._sides())

    def meets(self) -> Bool:
        """The records share their key: a value, or frames that overlap or are nearer than the margin."""
        one, other = self.records
        if self.key.kind != "frames":
            return same(self.key.of(one), self.key.of(other))
        if is_cut(source(self.left)):
            return self._in_one_source()
        near = both(one.start + 1 <= other.end + self.margin, other.start + 1 <= one.end + self.margin)
        return both(self.one_source, *(each.start + 1 <= each.end for each in self.records), near)

    def _in_one_source(self) -> Bool:
        """What two records share that were cut from one source of the manifest, as far as a rule tells."""
        key = group_of_source(source(self.left))
        return both() if key is None else same(*(key.of(record) for record in self.records))

    def _groups(self) -> Iterator[Bool]:
        """A column has one value for each record of its dataset, and values count from 0."""
        one, other = self.records
        for each in datasets(self.left):
            if each.groups:
                key = Key(each.groups, "group", each)
                yield from (key.of(record)[0] >= 0 for record in self.records if each.name in record.indices)
                if each in datasets(self.right):
                    rows = same(one.indices[each.name], other.indices[each.name])
                    yield implies(rows, same(key.of(one), key.of(other)))

    def _sides(self) -> Iterator[Bool]:
        """No value is in two parts of one assignment; ranks have their own if it is not shared."""
        one, other = self.records
        pairs = [*combinations(one.sides, 2), *combinations(other.sides, 2)]
        pairs += [(a, b) for a in one.sides for b in other.sides if self._agreed(a.split)]
        for a, b in pairs:
            if a.split == b.split and a.at != b.at:
                yield negate(same(a.key, b.key))

    def _agreed(self, name: str) -> bool:
        """Whether all ranks have one assignment: also where a manifest lists it."""
        return name not in self.splits or self.splits[name].shared

    def quotas(self) -> Bool:
        """Each part that a record is in has enough values, of all that the split assigns."""
        found = [each for name, split in self.splits.items() for each in self._quotas(name, split)]
        return both(*found, *self._nested())

    def _quotas(self, name: str, split: Split) -> Iterator[Bool]:
        total = self.values_of(name)
        sides = [[side for side in record.sides if side.split == name] for record in self.records]
        for group in [sides[0] + sides[1]] if split.shared else sides:
            for at in sorted({side.at for side in group}):
                yield _different(side.key for side in group if side.at == at) <= split.quota(at, total)
        yield total >= _different(side.key for group in sides for side in group)
        yield from self._bounds(split, total)

    def values_of(self, name: str) -> Int:
        """How many values the assignment assigns: settled by the spec, or a variable."""
        split = self.splits[name]
        key = split.key
        known = tally.values(split.whole, key.level) if key.kind == "record" else None
        return known if known is not None else variable(f"values.{split.name}")

    def _bounds(self, split: Split, total: Int) -> Iterator[Bool]:
        """What the lineage says about the number of values."""
        inner, key, top = split.whole.origin, split.key, source(split.whole)
        dealt = isinstance(inner, Part) and _assigns(inner.split) and inner.split.shared
        if isinstance(inner, Part) and dealt and inner.split.key == key:
            yield equal(total, inner.split.quota(inner.at, self.values_of(inner.split.assignment)))
        if key.kind == "group":
            yield from self._groups_at_most(split, total)
            return
        least = self._in_sources(split)
        if least is not None and top.lengths is None:
            yield total >= least
            yield either(top.size >= choose(self.one_source, 2, 3), equal(total, least))
        if key.level is top:
            yield total <= top.size

    def _groups_at_most(self, split: Split, total: Int) -> Iterator[Bool]:
        """There are no more groups than records, and one less where two of them share theirs."""
        level, rows = split.key.level, tally.values(split.whole, split.key.level)
        if rows is not None:
            yield total <= rows
        one, other = self.records
        if level.name in one.indices and level.name in other.indices:
            apart = negate(same(one.indices[level.name], other.indices[level.name]))
            shared = both(apart, same(split.key.of(one), split.key.of(other)))
            yield total <= level.size - choose(shared, 1, 0)

    def _in_sources(self, split: Split) -> Int | None:
        """How many values the sources of both records have, unless a split took them apart before."""
        if any(isinstance(each.origin, Part) for each in line(split.whole)):
            return None
        one, other = (tally.below(split.whole, split.key.level, record.length) for record in self.records)
        return one + choose(self.one_source, 0, other)

    def _nested(self) -> Iterator[Bool]:
        """Of two splits of one whole: a source has a value of one key where it has one of the other."""
        for (one, upper), (other, lower) in combinations(self.splits.items(), 2):
            if upper.key.kind == lower.key.kind == "record" and _stripped(upper) is _stripped(lower):
                first, second = self._in_sources(upper), self._in_sources(lower)
                if first is not None and second is not None:
                    left, right = self.values_of(one) - first, self.values_of(other) - second
                    deeper = upper.key.level in line(lower.key.level)
                    yield left <= right if deeper else right <= left
                    yield implies(equal(right, 0), equal(left, 0))
                    yield implies(equal(left, 0), equal(right, 0))


def _assigns(split: Split) -> bool:
    """Whether values go to parts that have shares."""
    return split.key.kind != "time" and not isinstance(split, Listed)


def _different(keys: Iterable[tuple[Int, ...]]) -> Int:
    """How many values these are at least, of which two may be equal."""
    found = tuple(dict.fromkeys(keys))
    return choose(same(*found), 1, 2) if len(found) == 2 else ONE


def _stripped(split: Split) -> Population:
    """What is split, without the last copies."""
    whole = split.whole
    while isinstance(whole.origin, Copies):
        whole = whole.origin.of
    return whole
