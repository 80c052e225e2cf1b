"""Populations: what a loader reads from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.term.node import Int

_SETTINGS = {"size": 0, "files": 0, "rows": 1}
"""Each setting of a dataset, and its least value."""


@dataclass(frozen=True)
class Population:
    """Records `0 <= record < size`; in files of `rows` records each, where it has any."""

    name: str
    size: Int
    span: Span
    rows: Int | None = None


def read_dataset(block: tree.Dataset, scope: Scope) -> Population:
    """The population of a `dataset` block; its settings join the scope as `<name>.size` and so on."""
    found: dict[str, Int] = {}
    for setting in block.settings:
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a dataset has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, _SETTINGS)
                or "a dataset has a `size`, or `files` of so many `rows`",
            )
        name, least = f"{block.name}.{setting.name}", _SETTINGS[setting.name]
        if setting.free:
            found[setting.name] = scope.free(name, setting.value, least=least, span=setting.span)
        else:
            found[setting.name] = scope.at_least(setting.value, least, setting.name)
        scope.names[name] = found[setting.name]
    return _population(block, found, scope)


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
