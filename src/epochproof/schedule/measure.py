"""Sizes that follow from lengths in a manifest: closed forms where these are few, else sums over the rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from epochproof.manifest.lengths import (
    LENGTH,
    different_lengths,
    is_summed,
    listed_lengths,
    sums_over_lengths,
)
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side
from epochproof.model import tally
from epochproof.model.lineage import line, source
from epochproof.model.population import MOST_LENGTHS, Population
from epochproof.model.split import Listed, Part
from epochproof.schedule.read import Schedule
from epochproof.schedule.sized import with_sizes
from epochproof.term.fold import substitute
from epochproof.term.node import Int, add, constant, number, variable


def measured(schedule: Schedule, names: Collection[str]) -> Schedule:
    """The schedule with these sizes of derived populations, as far as lengths in manifests give them.

    Raises:
        SpecError: A column is missing, or a part has no record.
    """
    manifests = {
        name: schedule.manifests[f"{name}.size"]
        for name, each in schedule.populations.items()
        if each.to_be_measured and f"{name}.size" in schedule.manifests
    }
    found = {name: listed_lengths(each, MOST_LENGTHS) for name, each in manifests.items()}
    lengths = {name: each for name, each in found.items() if each is not None}
    schedule = with_sizes(schedule, {}, {}, lengths)
    open_ = [name for name in schedule.populations if f"{name}.size" in schedule.scope.parameters]
    sizes, facts = dict[str, Int](), dict[str, Manifest]()
    for dataset, manifest in manifests.items():
        made = {name: schedule.populations[name] for name in open_ if f"{name}.size" in names}
        made = {name: each for name, each in made.items() if source(each).name == dataset}
        for name, size in _sizes(manifest, made).items():
            records, sizes[f"{name}.size"] = constant(size), size
            said = "" if records is not None else _said(dataset, name)
            facts[f"{name}.size"] = replace(manifest, records=records or 0, part=name, said=said)
    return with_sizes(schedule, sizes, facts)


def _said(dataset: str, name: str) -> str:
    return f"the lengths of `{dataset}`, of which `{name}` is made, are listed"


def _sizes(manifest: Manifest, made: Mapping[str, Population]) -> Mapping[str, Int]:
    """The sizes of what is made of the sources, those that numbers give by one query."""
    sizes = {name: size for name, each in made.items() if (size := tally.size(each)) is not None}
    counts = {
        name: (_rows(each), count)
        for name, each in made.items()
        if name not in sizes and (count := tally.of_a_source(each, variable(LENGTH))) is not None
    }
    summed = {name: asked for name, asked in counts.items() if is_summed(manifest, asked[1])}
    if summed:
        totals = sums_over_lengths(manifest, [*summed.values()])
        sizes |= zip(summed, map(number, totals), strict=True)
    for name, (side, count) in counts.items():
        if name not in summed and (lengths := different_lengths(manifest, side, MOST_LENGTHS)) is not None:
            each = [times * substitute(count, {LENGTH: number(length)}) for length, times in lengths.items()]
            sizes[name] = add(*each)
    return sizes


def _rows(population: Population) -> Side:
    """The rows of the sources that columns picked for it."""
    origins = [each.origin for each in line(population)]
    picked = [each for each in origins if isinstance(each, Part) and isinstance(each.split, Listed)]
    return tuple(each.split.choices[each.at][1] for each in picked[::-1] if isinstance(each.split, Listed))
