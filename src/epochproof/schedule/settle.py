"""Sizes that manifests give: read where they are needed, and put in place of their parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from epochproof.diagnostics import Diagnostic, Label, SpecError, fail
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Pin, Side
from epochproof.model.domain import Parameter
from epochproof.model.lineage import source
from epochproof.model.split import Part, rows
from epochproof.schedule.read import Schedule
from epochproof.schedule.sized import with_sizes
from epochproof.term.node import number


def open_sizes(schedule: Schedule) -> Mapping[str, Pin]:
    """The manifests that give a size and were not read yet, by the parameters that stand for the sizes."""
    found = {each.pin.dataset: each.pin for each in schedule.populations.values() if each.pin}
    pinned = {f"{name}.size": pin for name, pin in found.items()}
    for name, (dataset, _) in _parts(schedule).items():
        pinned[name] = found[dataset]
    for name, each in schedule.populations.items():
        if each.origin is not None and (top := source(each)).pin and top.to_be_measured:
            pinned[f"{name}.size"] = top.pin
    drawn = (each.name == "draw" for loader in schedule.loaders.values() for each in loader.stages)
    if found and any(drawn):
        from epochproof.schedule.weighed import open_weights  # noqa: PLC0415 -- few loaders draw by weights

        pinned |= open_weights(schedule)
    return {name: pin for name, pin in pinned.items() if name in schedule.scope.parameters}


def listed_weights(schedule: Schedule) -> frozenset[str]:
    """The parameters that stand for weights which a manifest lists, of whatever is made of its rows."""
    pins = {name: source(each).pin for name, each in schedule.populations.items()}
    columns = {name: pin and pin.column("weight") for name, pin in pins.items()}
    named = {f"{name}.{column.name}" for name, column in columns.items() if column}
    return frozenset(named & schedule.scope.parameters.keys())


def _parts(schedule: Schedule) -> Mapping[str, tuple[str, Side]]:
    """The dataset and the rows of each part that a column lists, by the parameter for the part's size."""
    found = {}
    for name, each in schedule.populations.items():
        if isinstance(each.origin, Part) and (known := rows(each)) is not None:
            found[f"{name}.size"] = known[0].name, known[1]
    return found


def settled(schedule: Schedule, names: Collection[str] | None = None) -> Schedule:
    """The schedule with sizes from manifests as numbers.

    Args:
        schedule: Where the sizes are parameters.
        names: The parameters to settle; those that some loader depends on if `None`.

    Raises:
        SpecError: A manifest has faults, or holds another number of records than the spec says.
    """
    pins = open_sizes(schedule)
    wanted = [name for name in pins if name in names] if names is not None else _needed(schedule, pins)
    if not wanted:
        return schedule
    manifests, wrong = dict[str, Manifest](), list[Diagnostic]()
    for dataset in dict.fromkeys(pins[name].dataset for name in wanted):
        try:
            manifests |= _of_dataset(schedule, f"{dataset}.size", pins, wanted)
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), schedule.source)
    sizes = {name: number(each.records) for name, each in manifests.items()}
    known = with_sizes(schedule, sizes, manifests)
    if any(each.to_be_measured for each in known.populations.values()):
        from epochproof.schedule.measure import measured  # noqa: PLC0415 -- few manifests list lengths

        known = measured(known, wanted)
    if any(pins[name].column("weight") for name in wanted):
        from epochproof.schedule.weighed import weighed  # noqa: PLC0415 -- few loaders draw by weights

        known = weighed(known, wanted)
    return known


def _of_dataset(
    schedule: Schedule, size: str, pins: Mapping[str, Pin], wanted: Collection[str]
) -> Mapping[str, Manifest]:
    """The manifest of a dataset, and its parts as far as they are wanted."""
    manifest = schedule.manifests.get(size) or _read(schedule, pins[size], schedule.scope.parameters[size])
    parts = {
        name: side for name, (of, side) in _parts(schedule).items() if f"{of}.size" == size and name in wanted
    }
    found = {size: manifest}
    if parts:
        from epochproof.manifest.parts import part_sizes  # noqa: PLC0415 -- most claims need no manifest

        for name, count in zip(parts, part_sizes(manifest, [*parts.values()]), strict=True):
            found[name] = replace(manifest, records=count, part=name.removesuffix(".size"))
    return found


def _needed(schedule: Schedule, pins: Mapping[str, Pin]) -> list[str]:
    """The parameters that some loader depends on."""
    loaders = schedule.loaders.values()
    return [name for name in pins if any(each.with_values({name: number(1)}) != each for each in loaders)]


def _read(schedule: Schedule, pin: Pin, size: Parameter) -> Manifest:
    from epochproof.manifest.read import read_manifest  # noqa: PLC0415 -- most claims need no manifest

    manifest = read_manifest(pin, Path(schedule.source.path).parent)
    if manifest.records not in size.domain:
        low, high = size.domain.low, size.domain.high
        said = f"{low:_}" if low == high else str(size.domain)
        raise fail(
            "E613",
            f"the size of dataset `{pin.dataset}` is `{said}` in the spec,"
            f" and its manifest has {manifest.records:_} records",
            size.span,
            secondary=(Label(pin.span, "its manifest"),),
            help="correct the size, or leave it out: the manifest gives it",
        )
    return manifest
