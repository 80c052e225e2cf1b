"""How what was read differs from what was due: by which coordinate, how often, and where first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ibis

from epochproof.audit.compare import PLACE
from epochproof.audit.engine import Engine
from epochproof.audit.rows import UNKNOWN

_LEVELS = (
    (*PLACE, "record"),
    ("epoch", "rank", "step", "record"),
    ("epoch", "rank", "record"),
    ("epoch", "record"),
)
"""Ever fewer coordinates."""

_DISPLACED = ("order", "step", "rank")
"""What differs where records are equal at one level, and not at the one before."""

FIRST = ("epoch", "step", "rank", "slot")
"""In this order one place comes before another: as time went by."""

SHOWN = 8


class Kinds:
    """The kinds of difference among the places that are unequal; `rows` are all of the trace."""

    def __init__(self, engine: Engine, unequal: Any, rows: Any, size: int) -> None:
        self._engine, self._rows, self._size = engine, rows, size
        self._unequal = engine.kept(_with_levels(unequal))
        self._extra = engine.kept(self._surplus())

    def counts(self) -> dict[str, int]:
        """How many occurrences of each kind there are; a kind without any is left out."""
        found = dict(self._displaced())
        table = self._unequal
        lacking = table.filter(table.x3 > 0).select("epoch", "record", "x3").distinct()
        found["missing"] = self._number(lacking.x3.sum())
        for kind in ("repeated", "unexpected", "unknown"):
            some = self._extra.filter(self._extra.kind == kind)
            found[kind] = self._number(some.extra.sum())
        return {kind: count for kind, count in found.items() if count}

    def first(self, kind: str) -> dict[str, Any]:
        """The first place of a kind: its coordinates, and its `record`."""
        return self._engine.rows(self._of(kind).order_by(*FIRST).limit(1).select(*PLACE, "record"))[0]

    def records(self, kind: str) -> list[int]:
        """The first records of a kind, each once."""
        some = self._of(kind).group_by("record").agg(**{name: ibis._[name].min() for name in FIRST})
        query = some.order_by(*FIRST).limit(SHOWN).select("record")
        return [int(each["record"]) for each in self._engine.rows(query)]

    def first_of_all(self) -> dict[str, Any] | None:
        """The coordinates of the first place at which something differs."""
        query = self._unequal.order_by(*FIRST).limit(1).select(*PLACE)
        return next(iter(self._engine.rows(query)), None)

    def at(self, place: dict[str, Any]) -> tuple[list[int], list[int]]:
        """The records that are due at a place and not read there, and those that were read and not due."""
        table = self._unequal
        here = self._engine.rows(table.filter(*(table[name] == place[name] for name in PLACE)))
        lacking = [int(each["record"]) for each in here if each["due"] > each["found"]]
        return lacking, sorted(int(each["record"]) for each in here if each["due"] < each["found"])

    def _of(self, kind: str) -> Any:
        table = self._unequal
        if kind == "missing":
            return table.filter(table.x0 > 0, table.x1 > 0, table.x2 > 0, table.x3 > 0)
        excess = [table.x0 < 0, table.x1 < 0, table.x2 < 0]
        if kind in _DISPLACED:
            level = _DISPLACED.index(kind)
            return table.filter(*excess[: level + 1], table[f"y{level + 1}"] > 0)
        kinds = self._extra.filter(self._extra.kind == kind)
        return table.filter(*excess, table.x3 < 0).semi_join(kinds, ["epoch", "record"])

    def _displaced(self) -> Iterator[tuple[str, int]]:
        table, before = self._unequal, None
        for level, keys in enumerate(_LEVELS):
            sums = table.group_by(keys).agg(f=table.found.sum(), d=table.due.sum())
            matched = self._number(ibis.least(sums.f, sums.d).sum())
            if before is not None:
                yield _DISPLACED[level - 1], matched - before
            before = matched

    def _surplus(self) -> Any:
        """The records that were read too often in an epoch, how much so, and the kind of that."""
        table = self._unequal
        some = table.filter(table.x3 < 0).select("epoch", "record", "x3").distinct()
        rows = self._rows.semi_join(some, ["epoch", "record"]).group_by(["epoch", "record"])
        counts = rows.agg(all=ibis._.count())
        both = some.inner_join(counts, ["epoch", "record"])
        known = both.record.between(0, self._size - 1) & (both.record != UNKNOWN)
        kind = ibis.cases((~known, "unknown"), (both["all"] + both.x3 > 0, "repeated"), else_="unexpected")
        return both.select("epoch", "record", extra=-both.x3, kind=kind)

    def _number(self, query: Any) -> int:
        return int(self._engine.rows(query.coalesce(0).name("n").as_table())[0]["n"])


def _with_levels(unequal: Any) -> Any:
    """With `x0` to `x3`, by how much more is due than was found, with ever fewer coordinates.

    `y1` to `y3` are the greatest such number among the groups of the level before.
    """
    table = unequal.mutate(x0=unequal.due - unequal.found)
    for level, keys in enumerate(_LEVELS[1:], 1):
        over = ibis.window(group_by=list(keys))
        table = table.mutate(
            **{
                f"y{level}": table[f"x{level - 1}"].max().over(over),
                f"x{level}": table.x0.sum().over(over).cast("int64"),
            }
        )
    return table
