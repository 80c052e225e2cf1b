"""Populations: what a loader reads from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.manifest.pin import Column, Pin
from epochproof.model import pin as pinning
from epochproof.model.domain import Domain, Parameter
from epochproof.model.values import Scope
from epochproof.term.node import Int, constant

_SETTINGS = {"size": 0, "files": 0, "rows": 1}
"""Each setting of a dataset, and its least value."""


@dataclass(frozen=True)
class Population:
    """Records `0 <= record < size`; in files of `rows` records each, where it has any.

    With a manifest `pin`, the size is a parameter until the manifest is read.
    """

    name: str
    size: Int
    span: Span
    rows: Int | None = None
    columns: tuple[Column, ...] = ()
    pin: Pin | None = None


def read_dataset(block: tree.Dataset, scope: Scope) -> Population:
    """The population of a `dataset` block; its settings join the scope as `<name>.size` and so on."""
    found: dict[str, Int] = {}
    columns, pin = pinning.read_columns(block), pinning.read_pin(block)
    for setting in (each for each in block.settings if each.name not in pinning.SETTINGS):
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a dataset has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, [*_SETTINGS, *pinning.SETTINGS])
                or "a dataset has a `size`, or `files` of so many `rows`",
            )
        name, least = f"{block.name}.{setting.name}", _SETTINGS[setting.name]
        if setting.free:
            found[setting.name] = scope.free(name, setting.value, least=least, span=setting.span)
        else:
            found[setting.name] = scope.at_least(setting.value, least, setting.name)
        scope.names[name] = found[setting.name]
    if pin is not None:
        found = {"size": _to_be_read(block, found, scope, pin)}
    return replace(_population(block, found, scope), columns=columns, pin=pin)


def _to_be_read(block: tree.Dataset, found: Mapping[str, Int], scope: Scope, pin: Pin) -> Int:
    """The size of a dataset with a manifest: a parameter, within what the spec says about it."""
    if found.keys() - {"size"}:
        raise fail(
            "E216",
            f"the size of dataset `{block.name}` is given twice",
            block.name_span,
            help="its manifest gives the size: leave `files` and `rows` out",
        )
    name, size = f"{block.name}.size", found.get("size")
    if name not in scope.parameters:
        written = next((each for each in block.settings if each.name == "size"), None)
        fixed = None if size is None else constant(size)
        if written is not None and fixed is None:
            cure = "write a number or `size in 1..`, or leave it out"
            raise fail("E216", "the manifest gives the size", written.value.span, help=cure)
        domain = Domain(1, None) if fixed is None else Domain(fixed, fixed)
        span = pin.span if written is None else written.span
        scope.parameters[name] = Parameter(name, domain, span)
    scope.names[name] = scope.parameters[name].term
    return scope.parameters[name].term


def _population(block: tree.Dataset, found: Mapping[str, Int], scope: Scope) -> Population:
    if found.keys() == {"size"}:
        return Population(block.name, found["size"], block.name_span)
    if found.keys() == {"files", "rows"}:
        size = found["files"] * found["rows"]
        scope.names[f"{block.name}.size"] = size
        return Population(block.name, size, block.name_span, found["rows"])
    if "size" in found:
        raise fail(
            "E216",
            f"the size of dataset `{block.name}` is given twice",
            block.name_span,
            help="write its `size`, or its `files` and `rows`",
        )
    raise fail(
        "E208",
        f"dataset `{block.name}` has no size",
        block.name_span,
        help="write `size = 10`, `size in 1..` for every size, or `files` and `rows`",
    )
