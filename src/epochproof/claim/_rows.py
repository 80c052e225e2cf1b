"""Two populations that are rows of one manifest: what they share is decided there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epochproof.diagnostics import InternalError
from epochproof.language.columns import safe
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side
from epochproof.model.lineage import Windows, line, source
from epochproof.model.population import Population
from epochproof.model.split import Key, Listed, Part, rows
from epochproof.model.tally import of_a_source
from epochproof.term.fold import variables
from epochproof.term.node import Int, variable

if TYPE_CHECKING:
    from epochproof.manifest.leaks import Leaks


LENGTH = "length"
"""The variable that stands for the length of a row."""


@dataclass(frozen=True)
class Rows:
    """Two sides of the manifest of a dataset, which is `None` until it was read."""

    dataset: Population
    sides: tuple[Side, Side]
    key: Key
    manifest: Manifest | None
    exact: bool = True
    """Whether it is known which rows have a record; where windows are cut, short ones have none."""

    made: tuple[Int | None, Int | None] = (None, None)
    """How many records are made of a row of each side, by its length; `None` where the row is one."""

    def leaks(self, margin: int) -> Leaks:
        """What both sides share.

        Raises:
            SpecError: A column is missing or unfit, or no row is on a side.
        """
        from epochproof.manifest.leaks import (  # noqa: PLC0415 -- few claims compare rows
            overlaps,
            shared_keys,
            shared_records,
        )

        if self.manifest is None:
            raise InternalError("a claim about rows is judged once the manifest was read")
        if self.key.kind == "frames":
            return overlaps(self.manifest, self.sides, margin=margin)
        column = self.manifest.column("groups") if self.key.kind == "group" else None
        if column is None:
            return shared_records(self.manifest, self.sides, self.made)
        return shared_keys(self.manifest, self.sides, column, self.made)


def rows_of(left: Population, right: Population, key: Key, manifests: Mapping[str, Manifest]) -> Rows | None:
    """Both populations as rows, where a column picked some of them, and the key is one of the dataset."""
    one, other = (rows(each, windows=key.kind != "frames") for each in (left, right))
    if one is None or other is None or not (one[1] or other[1]) or key.level != one[0]:
        return None
    cut = [any(isinstance(each.origin, Windows) for each in line(side)) for side in (left, right)]
    made = [_made(each) if some else None for each, some in zip((left, right), cut, strict=True)]
    exact = all(known is not None or not some for known, some in zip(made, cut, strict=True))
    manifest = manifests.get(f"{one[0].name}.size")
    return Rows(one[0], (one[1], other[1]), key, manifest, exact=exact, made=(made[0], made[1]))


def _made(population: Population) -> Int | None:
    """How many of its records are made of one row, by the length of that row; `None` if that is not known."""
    if not source(population).measures:
        return None
    made = of_a_source(population, variable(LENGTH))
    return made if made is not None and variables(made) == {LENGTH} else None


def is_cut(dataset: Population) -> bool:
    """Whether a manifest says that its records were cut from sources, so that two of them may overlap."""
    return dataset.pin is not None and any(dataset.pin.column(each) for each in ("source", "start"))


def group_of_source(dataset: Population) -> Key | None:
    """The groups of a dataset where a group holds all that was cut from one source."""
    named = {} if dataset.pin is None else {each.role: each for each in dataset.pin.columns}
    whence, groups = named.get("source"), named.get("groups")
    if whence is None or groups is None or whence.name != groups.name:
        return None
    return Key(groups.name, "group", dataset)


def to_be_measured(left: Population, right: Population, key: Key) -> bool:
    """Whether it hangs on lengths in a manifest that were not read: time is cut, or frames are shared."""
    origins = [each.origin for side in (left, right) for each in line(side)]
    timed = any(isinstance(each, Part) and each.split.key.kind == "time" for each in origins)
    return source(left).to_be_measured and (timed or key.kind == "frames")


def undealt(left: Population, right: Population, key: Key) -> str:
    """Why no world can be made up that shows a leak of two populations; empty where one can."""
    top, origins = source(left), [each.origin for side in (left, right) for each in line(side)]
    splits = [each.split for each in origins if isinstance(each, Part)]
    if listed := next((each for each in splits if isinstance(each, Listed)), None):
        return f"a manifest lists the parts of `{listed.name}`, and no rule compares what is not listed there"
    if top.pin is not None and to_be_measured(left, right, key):
        return f"the lengths of `{top.name}` stand in `{safe(top.pin.path)}`, and no rule makes up others"
    if top.pin is not None and key.kind == "frames" and is_cut(top):
        return f"the intervals of `{top.name}` stand in `{safe(top.pin.path)}`, and no rule makes up others"
    return ""
