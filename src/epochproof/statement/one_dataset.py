"""Whether two offers are about one dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from epochproof.language.columns import safe
from epochproof.statement.offer import Offer
from epochproof.statement.streams import listing


@dataclass(frozen=True)
class Dataset:
    """Whether both offers name one dataset.

    It is `shown` by a digest or by what two manifests list, `open`, or `different`.
    """

    word: Literal["shown", "open", "different"]
    text: str
    doubtful: bool = False
    """Whether two manifests are different files, so that more than a word is needed to take them for one."""


def one_dataset(a: Offer, b: Offer) -> Dataset:
    """What is known about the datasets of both."""
    one, other = a.population, b.population
    if None not in (one.records, other.records) and one.records != other.records:
        return Dataset("different", f"A is about {one.records} records, B about {other.records}")
    if a.manifest and b.manifest and a.manifest != b.manifest:
        return _two_manifests(a, b)
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


def _two_manifests(a: Offer, b: Offer) -> Dataset:
    """The records are compared where both manifests are at hand, in whatever form they are."""
    listings = [
        None
        if each.schedule is None
        else listing(each.schedule, each.schedule.loaders[each.population.loader].population)
        for each in (a, b)
    ]
    if None not in listings:
        from epochproof.manifest.ids import ids  # noqa: PLC0415 -- few offers have two manifests

        one, other = (ids(*each) for each in listings if each is not None)
        if one == other:
            return Dataset("shown", "the two manifests list the same records in one order")
    text = "that the two manifests, which are other files, list the same records in one order"
    return Dataset("open", text, doubtful=True)
