"""Sizes that manifests give: read where they are needed, and put in place of their parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from epochproof.diagnostics import Diagnostic, Label, SpecError, fail
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Pin
from epochproof.model.domain import Parameter
from epochproof.model.lineage import with_values
from epochproof.model.population import Population
from epochproof.schedule.read import Schedule
from epochproof.term.fold import substitute
from epochproof.term.node import Int, number


def open_sizes(schedule: Schedule) -> Mapping[str, Pin]:
    """The manifests that give a size and were not read yet, by the parameters that stand for the sizes."""
    pinned = {f"{each.pin.dataset}.size": each.pin for each in schedule.populations.values() if each.pin}
    return {name: pin for name, pin in pinned.items() if name in schedule.scope.parameters}


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
    for name in wanted:
        try:
            manifests[name] = _read(schedule, pins[name], schedule.scope.parameters[name])
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), schedule.source)
    return _with_sizes(schedule, manifests)


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
    changed = dict[int, Population]()
    for each in (
        *schedule.populations.values(),
        *(loader.population for loader in schedule.loaders.values()),
    ):
        # One object stays one object: claims about two loaders ask whether they read the same dataset.
        changed[id(each)] = with_values(each, values)
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
