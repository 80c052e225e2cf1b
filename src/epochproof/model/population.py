"""Populations: what a loader reads from."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.term.node import Int

_SETTINGS = ("size",)


@dataclass(frozen=True)
class Population:
    """Records `0 <= record < size`."""

    name: str
    size: Int
    span: Span


def read_dataset(block: tree.Dataset, scope: Scope) -> Population:
    """The population of a `dataset` block; its size joins the scope as `<name>.size`."""
    size: Int | None = None
    for setting in block.settings:
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a dataset has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, _SETTINGS) or "a dataset has a `size` and nothing else",
            )
        name = f"{block.name}.size"
        if setting.free:
            size = scope.free(name, setting.value, least=0, span=setting.span)
        else:
            size = scope.at_least(setting.value, 0, "size")
        scope.names[name] = size
    if size is None:
        raise fail(
            "E208",
            f"dataset `{block.name}` has no size",
            block.name_span,
            help="write `size = 10`, or `size in 1..` for every size",
        )
    return Population(block.name, size, block.name_span)
