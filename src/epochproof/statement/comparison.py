"""Two offers side by side: whether they read the same population, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from epochproof.language.columns import safe
from epochproof.prove.change import same_population
from epochproof.prove.difference import Counts
from epochproof.statement.offer import Offer
from epochproof.statement.predicate import Pass

Word = Literal["same", "different", "open"]


@dataclass(frozen=True)
class Dataset:
    """Whether both offers name one dataset: `shown` by a digest or a root, `open`, or `different`."""

    word: Literal["shown", "open", "different"]
    text: str


@dataclass(frozen=True)
class Comparison:
    """`population` says whether a pass of both reads the same records equally often, `how` from what.

    `apart` are the records that are not read equally often, where they are known: how often by A, how often
    by B.
    """

    a: Offer
    b: Offer
    dataset: Dataset
    population: Word
    how: str
    apart: Counts | None = None

    @property
    def not_claimed(self) -> tuple[str, ...]:
        """What neither offer claims."""
        return tuple(each for each in self.a.not_claimed if each in self.b.not_claimed)


def compared(a: Offer, b: Offer) -> Comparison:
    """What the offers have in common, and what not."""
    dataset = _dataset(a, b)
    if dataset.word == "different":
        return Comparison(a, b, dataset, "different", dataset.text)
    if a.schedule is not None and b.schedule is not None:
        verdict, apart = same_population(
            (a.schedule, a.population.loader), (b.schedule, b.population.loader), a.values, b.values
        )
        if verdict.word == "proved":
            return Comparison(a, b, dataset, "same", "proved: a pass of both reads each record equally often")
        if verdict.word == "refuted":
            return Comparison(a, b, dataset, "different", "shown by the schedules", apart)
    return _by_numbers(a, b, dataset)


def _dataset(a: Offer, b: Offer) -> Dataset:
    one, other = a.population, b.population
    if None not in (one.records, other.records) and one.records != other.records:
        return Dataset("different", f"A is about {one.records} records, B about {other.records}")
    if a.manifest and b.manifest and a.manifest != b.manifest:
        return Dataset(
            "open", "that the two manifests, which are other files, list the same records in one order"
        )
    if a.manifest and b.manifest and one.rows == other.rows:
        return Dataset("shown", "one manifest lists the records of both")
    if a.manifest and b.manifest and (apart := _apart(one.rows or {}, other.rows or {})):
        return Dataset("different", apart)
    if a.path == b.path and one.dataset == other.dataset:
        return Dataset("shown", f"both read `{one.dataset}` of one file")
    return Dataset(
        "open", f"that `{one.dataset}` of A and `{other.dataset}` of B are one dataset, in one revision"
    )


def _apart(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """That a row of one part is in no other; empty where nothing says so."""
    found = next((name for name, value in one.items() if other.get(name, value) != value), None)
    if found is None:
        return ""
    a, b = safe(one[found]), safe(other[found])
    return f"A reads the rows of the manifest whose `{safe(found)}` is `{a}`, and B those where it is `{b}`"


def _by_numbers(a: Offer, b: Offer, dataset: Dataset) -> Comparison:
    """What the counts alone tell, and the records that are named."""
    one, other = a.population.one_pass, b.population.one_pass
    if one is None or other is None:
        why = a.population.sentence if one is None else b.population.sentence
        return Comparison(a, b, dataset, "open", why)
    differing = [words for words, x, y in _numbers(one, other) if x != y]
    if differing:
        return Comparison(a, b, dataset, "different", f"by the counts of {', '.join(differing)}")
    if not int(one.omitted) and not int(one.repeated):
        return Comparison(a, b, dataset, "same", "by the counts: a pass of both reads each record once")
    if _named(one) and _named(one) == _named(other) and _at_most_twice(one):
        return Comparison(a, b, dataset, "same", "by the counts and the records that are named")
    return Comparison(a, b, dataset, "open", f"the counts are equal; {_roots(a, b)}")


def _numbers(one: Pass, other: Pass) -> Iterator[tuple[str, str, str]]:
    for name in ("occurrences", "distinct", "omitted", "repeated"):
        words = {"distinct": "distinct records", "omitted": "omitted records", "repeated": "repeated records"}
        yield words.get(name, name), getattr(one, name), getattr(other, name)


def _named(found: Pass) -> object:
    """The records that are omitted and those that are repeated, where both are named."""
    named = found.omitted_records, found.repeated_records
    return None if None in named or found.condition else named


def _at_most_twice(found: Pass) -> bool:
    return int(found.occurrences) - int(found.distinct) == int(found.repeated)


def _roots(a: Offer, b: Offer) -> str:
    """What commitments tell of the records, if they were made with one key."""
    one, other = a.committed, b.committed
    if one is None or other is None or one.key != other.key:
        return "which records are omitted or repeated is not shown"
    if one.set_root == other.set_root:
        return "the roots of the sets of records are equal, so what is read is, but not how often"
    return "the roots of the sets of records differ, and so may what they cover: datasets, epochs or records"
