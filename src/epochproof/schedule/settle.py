"""Sizes that manifests give: read where they are needed, and put in place of their parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from epochproof.diagnostics import Diagnostic, Label, SpecError, fail
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Pin, Side
from epochproof.model.domain import Parameter
from epochproof.model.population import Population
from epochproof.model.split import Part, rows
from epochproof.schedule.read import Schedule
from epochproof.term.fold import substitute
from epochproof.term.node import Int, number


def open_sizes(schedule: Schedule) -> Mapping[str, Pin]:
    """The manifests that give a size and were not read yet, by the parameters that stand for the sizes."""
    found = {each.pin.dataset: each.pin for each in schedule.populations.values() if each.pin}
    pinned = {f"{name}.size": pin for name, pin in found.items()}
    for name, (dataset, _) in _parts(schedule).items():
        pinned[name] = found[dataset]
    return {name: pin for name, pin in pinned.items() if name in schedule.scope.parameters}


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
    return _with_sizes(schedule, manifests)


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


def _with_sizes(schedule: Schedule, manifests: Mapping[str, Manifest]) -> Schedule:
    values: dict[str, Int] = {name: number(each.records) for name, each in manifests.items()}
    scope = schedule.scope
    # One object stays one object: claims about two loaders ask whether they read the same dataset.
    changed = dict[int, Population]()
    for each in (
        *schedule.populations.values(),
        *(loader.population for loader in schedule.loaders.values()),
    ):
        _change(each, values, changed)
    return replace(
        schedule,
        scope=replace(
            scope,
            names={name: substitute(term, values) for name, term in scope.names.items()},
            parameters={name: each for name, each in scope.parameters.items() if name not in values},
        ),
        populations={name: changed[id(each)] for name, each in schedule.populations.items()},
        loaders={
            name: replace(each.with_values(values), population=changed[id(each.population)])
            for name, each in schedule.loaders.items()
        },
        manifests={**schedule.manifests, **manifests},
    )


def _change(population: Population, values: Mapping[str, Int], changed: dict[int, Population]) -> Population:
    """The population, and all that it is made of, with these sizes; each once, by the old one's identity."""
    if id(population) not in changed:
        origin = population.origin
        if origin is not None:
            of = _change(origin.of, values, changed)
            origin = replace(origin.with_values(values), of=of)
            if isinstance(origin, Part):
                key = replace(origin.split.key, level=_change(origin.split.key.level, values, changed))
                origin = replace(origin, split=replace(origin.split, whole=of, key=key))
        size, lengths = substitute(population.size, values), population.lengths
        lengths = substitute(lengths, values) if isinstance(lengths, Int) else lengths
        changed[id(population)] = replace(population, size=size, lengths=lengths, origin=origin)
    return changed[id(population)]
