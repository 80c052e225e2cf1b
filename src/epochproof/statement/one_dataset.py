"""Whether two offers are about one dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    if a.manifest and b.manifest:
        if a.manifest == b.manifest:
            return Dataset("shown", "one manifest lists the records of both")
        return _two_manifests(a, b)
    if a.path == b.path and one.dataset == other.dataset:
        return Dataset("shown", f"both read `{one.dataset}` of one file")
    return Dataset(
        "open", f"that `{one.dataset}` of A and `{other.dataset}` of B are one dataset, in one revision"
    )


def _two_manifests(a: Offer, b: Offer) -> Dataset:
    """The records are compared where both manifests are at hand, in whatever form they are."""
    listings = [
        None
        if each.schedule is None
        else listing(each.schedule, each.schedule.loaders[each.population.loader])
        for each in (a, b)
    ]
    if None not in listings:
        from epochproof.manifest.ids import ids  # noqa: PLC0415 -- few offers have two manifests

        one, other = (ids(each) for each in listings if each is not None)
        if one == other:
            return Dataset("shown", "the two manifests list the same records in one order")
    text = "that the two manifests, which are other files, list the same records in one order"
    return Dataset("open", text, doubtful=True)
