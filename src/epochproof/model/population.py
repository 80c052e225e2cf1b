"""Populations: what a loader reads from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.diagnostics import Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.term.node import Int, constant, number

_SETTINGS = {"size": 0, "files": 0, "rows": 1}
"""Each setting of a dataset, and its least value."""


MOST_LISTED = 128
"""So many files can be listed: formulas about them grow with the square."""


@dataclass(frozen=True)
class Population:
    """Records `0 <= record < size`; in files of `rows` records each, or of so many as are `listed`."""

    name: str
    size: Int
    span: Span
    rows: Int | None = None
    listed: tuple[int, ...] | None = None


def read_dataset(block: tree.Dataset, scope: Scope) -> Population:
    """The population of a `dataset` block; its settings join the scope as `<name>.size` and so on."""
    found: dict[str, Int] = {}
    listed: tuple[int, ...] | None = None
    for setting in block.settings:
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a dataset has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, _SETTINGS)
                or "a dataset has a `size`, or `files` of so many `rows`",
            )
        if setting.name == "rows" and isinstance(setting.value, tree.List) and not setting.free:
            listed = tuple(scope.whole(each, least=0, name="rows") for each in setting.value.items)
            continue
        name, least = f"{block.name}.{setting.name}", _SETTINGS[setting.name]
        if setting.free:
            found[setting.name] = scope.free(name, setting.value, least=least, span=setting.span)
        else:
            found[setting.name] = scope.at_least(setting.value, least, setting.name)
        scope.names[name] = found[setting.name]
    return _population(block, found, scope) if listed is None else _listed(block, found, listed, scope)


def _listed(
    block: tree.Dataset, found: Mapping[str, Int], listed: tuple[int, ...], scope: Scope
) -> Population:
    """The population of files that are listed, whose number may be given, too."""
    if found.keys() - {"files"}:
        raise _twice(block)
    if len(listed) > MOST_LISTED:
        raise fail(
            "E216",
            f"`{block.name}` lists {len(listed)} files",
            block.name_span,
            help=f"list at most {MOST_LISTED}, or give all files one number of `rows`",
        )
    if constant(found.get("files", number(len(listed)))) != len(listed):
        raise fail(
            "E216",
            f"`{block.name}` has {len(listed)} listed files and another number of `files`",
            block.name_span,
            help="leave `files` out: they are counted",
        )
    scope.names[f"{block.name}.files"] = number(len(listed))
    scope.names[f"{block.name}.size"] = number(sum(listed))
    return Population(block.name, number(sum(listed)), block.name_span, listed=listed)


def _population(block: tree.Dataset, found: Mapping[str, Int], scope: Scope) -> Population:
    if found.keys() == {"size"}:
        return Population(block.name, found["size"], block.name_span)
    if found.keys() == {"files", "rows"}:
        size = found["files"] * found["rows"]
        scope.names[f"{block.name}.size"] = size
        return Population(block.name, size, block.name_span, found["rows"])
    if "size" in found:
        raise _twice(block)
    raise fail(
        "E208",
        f"dataset `{block.name}` has no size",
        block.name_span,
        help="write `size = 10`, `size in 1..` for every size, or `files` and `rows`",
    )


def _twice(block: tree.Dataset) -> SpecError:
    return fail(
        "E216",
        f"the size of dataset `{block.name}` is given twice",
        block.name_span,
        help="write its `size`, or its `files` and `rows`",
    )
