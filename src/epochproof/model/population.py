"""Populations: what a loader reads from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from epochproof.diagnostics import Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.manifest.pin import Column, Pin
from epochproof.model import pin as pinning
from epochproof.model.domain import Domain, Parameter
from epochproof.model.values import Scope
from epochproof.term.fold import substitute
from epochproof.term.node import Int, constant, number

if TYPE_CHECKING:
    from epochproof.model.lineage import Origin

_SETTINGS = {"size": 0, "files": 0, "rows": 1, "length": 0}
"""Each setting of a dataset that is a number, and its least value."""


MOST_FILES = 128
"""So many files can be listed: formulas about them grow with the square."""


MOST_LENGTHS = 200
"""So many lengths of sources are listed at most: a formula names each of them."""


@dataclass(frozen=True)
class Population:
    """Records `0 <= record < size`; in files of `rows` records each, or of as many as are listed.

    With a manifest `pin`, the size is a parameter until the manifest is read.
    `lengths` are the frames of its records: one number for all, a list, or `None` where each has its own;
    a column of the manifest may hold them.
    """

    name: str
    size: Int
    span: Span
    rows: Int | tuple[int, ...] | None = None
    lengths: Int | tuple[int, ...] | None = None
    columns: tuple[Column, ...] = ()
    pin: Pin | None = None
    origin: Origin | None = None
    """What it is made of; `None` if its records are the sources themselves."""

    def with_values(self, values: Mapping[str, Int]) -> Population:
        """The population, and all that it is made of, with other terms in place of some parameters."""
        lengths, origin = self.lengths, self.origin
        if origin is not None:
            origin = replace(origin.with_values(values), of=origin.of.with_values(values))
        return replace(
            self,
            size=substitute(self.size, values),
            lengths=substitute(lengths, values) if isinstance(lengths, Int) else lengths,
            origin=origin,
        )

    @property
    def components(self) -> frozenset[str]:
        """The populations that it draws from, by name: none, unless it is a mix."""
        return frozenset()

    @property
    def id(self) -> str:
        """The column of its ids, empty if none is named."""
        return self._column("id")

    @property
    def groups(self) -> str:
        """The column of its groups, empty if none is named."""
        return self._column("groups")

    @property
    def to_be_measured(self) -> bool:
        """Whether its lengths stand in a column of its manifest, and are not known so far."""
        return self.lengths is None and self.measures != ""

    @property
    def measures(self) -> str:
        """The column of its lengths, empty if none is named."""
        return self._column(pinning.LENGTHS)

    def _column(self, role: str) -> str:
        return next((each.name for each in self.columns if each.role == role), "")


def read_dataset(block: tree.Dataset, scope: Scope) -> Population:
    """The population of a `dataset` block; its settings join the scope as `<name>.size` and so on."""
    found: dict[str, Int] = {}
    columns, pin = pinning.read_columns(block), pinning.read_pin(block)
    lengths: tuple[int, ...] | None = None
    rows: tuple[int, ...] | None = None
    for setting in (each for each in block.settings if not pinning.is_read(each)):
        if setting.name == "lengths":
            lengths = _listed(setting, scope)
        elif setting.name == "rows" and isinstance(setting.value, tree.List) and not setting.free:
            rows = tuple(scope.whole(each, least=0, name="rows") for each in setting.value.items)
        else:
            found[setting.name] = _number(block.name, setting, scope)
    length = found.pop("length", None)
    if length is not None and any(each.role == pinning.LENGTHS for each in columns):
        cure = "leave `length` out"
        raise fail("E216", f"the lengths of `{block.name}` are given twice", block.name_span, help=cure)
    if lengths is not None:
        others = [*found, *(["length"] if length is not None else [])]
        found["size"] = _listed_size(block, lengths, others, scope)
    elif pin is not None:
        found = {"size": _to_be_read(block, found, scope, pin)}
    sized = _population(block, found, scope) if rows is None else _listed_files(block, rows, found, scope)
    return replace(sized, lengths=length if lengths is None else lengths, columns=columns, pin=pin)


def _number(owner: str, setting: tree.Setting, scope: Scope) -> Int:
    """The value of a setting that is a number, or a free parameter."""
    if setting.name not in _SETTINGS:
        raise fail(
            "E201",
            f"a dataset has no setting `{setting.name}`",
            setting.name_span,
            help=suggest(setting.name, [*_SETTINGS, *pinning.SETTINGS, "lengths"])
            or "a dataset has a `size`, or `files` of so many `rows`",
        )
    return scope.setting(owner, setting, _SETTINGS[setting.name])


def _listed(setting: tree.Setting, scope: Scope) -> tuple[int, ...]:
    """The lengths of the sources, one by one."""
    if setting.free or not isinstance(setting.value, tree.List):
        cure = "write `lengths = [300, 20, 95]`, or `length = 300` if all have the same"
        raise fail("E214", "`lengths` lists one number for each record", setting.value.span, help=cure)
    if len(setting.value.items) > MOST_LENGTHS:
        what = f"{len(setting.value.items)} lengths are listed, and at most {MOST_LENGTHS} are read"
        cure = "leave them open, so that claims hold for all lengths, or give all one `length`"
        raise fail("E216", what, setting.value.span, help=cure)
    for each in setting.value.items:
        scope.at_least(each, 0, "lengths")
    return tuple(scope.fixed(each) for each in setting.value.items)


def _listed_size(block: tree.Dataset, lengths: tuple[int, ...], others: list[str], scope: Scope) -> Int:
    """How many lengths are listed, which is the size of the dataset."""
    if others:
        raise fail(
            "E216",
            f"`lengths` says how many records `{block.name}` has, and how long each is",
            block.name_span,
            help=f"leave `{others[0]}` out",
        )
    scope.names[f"{block.name}.size"] = number(len(lengths))
    return number(len(lengths))


def _listed_files(
    block: tree.Dataset, rows: tuple[int, ...], found: Mapping[str, Int], scope: Scope
) -> Population:
    """The population of files that are listed, whose number may be given, too."""
    if found.keys() - {"files"}:
        raise _twice(block)
    count = number(len(rows))
    if len(rows) > MOST_FILES:
        what = f"`{block.name}` lists {len(rows)} files"
        cure = f"list at most {MOST_FILES}, or give all files one number of `rows`"
        raise fail("E216", what, block.name_span, help=cure)
    if found.get("files", count) is not count:
        what = f"`{block.name}` has {len(rows)} listed files and another number of `files`"
        raise fail("E216", what, block.name_span, help="leave `files` out: they are counted")
    scope.names[f"{block.name}.files"] = count
    scope.names[f"{block.name}.size"] = number(sum(rows))
    return Population(block.name, number(sum(rows)), block.name_span, rows)


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
