"""The findings of an audit: each kind of difference with its first place, told in records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from epochproof.audit.compare import PLACE, Comparison
from epochproof.audit.engine import Engine
from epochproof.audit.kinds import FIRST, SHOWN, Kinds
from epochproof.audit.learned import NOBODY, Learned
from epochproof.audit.rows import UNKNOWN
from epochproof.report._audit import At, Finding, Kind, Record


class Findings:
    """What differs between a trace and its schedule.

    Args:
        engine: Where queries run.
        comparison: The trace beside what was expected.
        rows: All rows of the trace.
        names: What the records are called, if they have names.
        learned: The order that the trace shows, where the spec leaves it open.
        summary: The first and last step of each worker of each rank in each epoch.
    """

    def __init__(
        self,
        engine: Engine,
        comparison: Comparison,
        rows: Any,
        names: Any | None,
        learned: Learned | None,
        summary: Sequence[Mapping[str, Any]],
    ) -> None:
        self._engine, self._comparison, self._rows, self._names = engine, comparison, rows, names
        self._learned, self._summary = learned, summary
        self.notes = list[str]()

    def all(self) -> tuple[Finding, ...]:
        """Every kind of difference."""
        found = [*self._places(), *self._doubled(), *self._flags(), *self._steps()]
        return tuple(found)

    def first(self) -> At | None:
        """The first place at which a record differs; that of any other difference where none does."""
        place = self._kinds.first_of_all() if self._kinds else None
        if place is not None:
            return self._at(place)
        others = [each.first for each in self.all()]
        return min(others, key=lambda at: (at.epoch, at.step or 0, at.rank, at.slot or 0), default=None)

    @cached_property
    def replayed(self) -> int:
        """How many rows stand at a place that an earlier segment has read already."""
        if not self._comparison.doubled:
            return 0
        rows = self._rows
        places = rows.group_by(PLACE).agg(n=rows.segment.nunique())
        return self._number((places.n - 1).sum())

    @cached_property
    def _kinds(self) -> Kinds | None:
        comparison = self._comparison
        if comparison.equal:
            return None
        size = comparison.lanes.world.size
        return Kinds(self._engine, comparison.unequal(), self._rows, size)

    def _places(self) -> Iterator[Finding]:
        kinds = self._kinds
        if kinds is not None:
            for kind, count in kinds.counts().items():
                records = self._records(kind, kinds.records(kind))
                yield Finding(cast("Kind", kind), count, self._at(kinds.first(kind)), records)
        twice = self._learned.twice() if self._learned else None
        if twice is not None:
            record = self._named(int(twice.row["record"]))
            read = f"record {record}, which stands at an earlier position of the same order"
            place = self._place(twice.row)
            yield Finding("repeated", twice.count, At(*place, "another record", read), (record,))

    def _records(self, kind: str, records: Sequence[int]) -> tuple[Record, ...]:
        """The records by their names, also those that the dataset has not."""
        if kind == "unknown" and self._names is not None:
            strange = self._rows.filter(self._rows.record == UNKNOWN).select("name").distinct()
            found = self._engine.rows(strange.order_by("name").limit(SHOWN))
            return tuple(str(each["name"]) for each in found)
        return tuple(self._named(each) for each in records if each > NOBODY)

    def _doubled(self) -> Iterator[Finding]:
        count = self._comparison.doubled
        if count:
            seen = self._comparison.seen.filter(self._comparison.seen.fits)
            places = seen.group_by(PLACE).agg(n=seen.count())
            row = self._engine.rows(places.filter(places.n > 1).order_by(*FIRST).limit(1))[0]
            yield Finding("twice", count, At(*self._place(row), "one record", f"{row['n']} rows"))

    def _flags(self) -> Iterator[Finding]:
        comparison, seen = self._comparison, self._comparison.seen
        right = seen.fits & (seen.record == seen.due)
        wrong = seen.fits & (seen.worker >= 0) & (seen.worker != seen.by) & (seen.segment == 0)
        for kind, name, which in (
            ("unmarked", "unmarked", right & seen.pads & ~seen.padded),
            ("marked", "marked", right & ~seen.pads & seen.padded),
            ("worker", "wrong_worker", wrong),
        ):
            count = comparison.total(name)
            if count:
                query = seen.filter(which).order_by(*FIRST).limit(1)
                row = self._engine.rows(query.select(*PLACE, "record", "worker", "by"))[0]
                yield Finding(cast("Kind", kind), count, self._flagged(kind, row))

    def _flagged(self, kind: str, row: Mapping[str, Any]) -> At:
        place, record = self._place(row), self._named(int(row["record"]))
        if kind == "worker":
            return At(*place, f"worker {row['by']}", f"worker {row['worker']}")
        said = f"record {record} as padding", f"record {record}, not marked as padding"
        return At(*place, *(said if kind == "unmarked" else (f"record {record}", said[0])))

    def _steps(self) -> Iterator[Finding]:
        """The ranks whose number of steps is not the one that the schedule gives them."""
        lanes, start = self._comparison.lanes, (self._comparison.lanes.portion or (0, 0))[0]
        found: dict[tuple[int, int], int] = {}
        for each in self._summary:
            key = int(each["epoch"]), int(each["rank"])
            found[key] = max(found.get(key, 0), int(each["last"]) + 1 - start)
        ranks = [(epoch, rank) for epoch in range(lanes.epochs) for rank in range(lanes.world.ranks)]
        wrong = [
            (key, due, found.get(key, 0)) for key in ranks if (due := lanes.steps(*key)) != found.get(key, 0)
        ]
        if wrong:
            (epoch, rank), due, read = wrong[0]
            others = {found.get((epoch, each), 0) for each in range(lanes.world.ranks)}
            apart = "; the ranks of this epoch differ" if len(others) > 1 else ""
            yield Finding("steps", len(wrong), At(epoch, rank, None, None, _steps(due), _steps(read) + apart))

    def _at(self, place: dict[str, Any]) -> At:
        lacking, extra = self._kinds.at(place) if self._kinds else ([], [])
        read = None if lacking else self._read(place)
        found = self._found(place, extra)
        if read is not None:
            found = [
                f"{self._told(read)}, and {each}{' again' * (each == self._told(read))}" for each in found
            ]
        due = [self._told(each) for each in ([read] if read is not None else lacking)]
        return At(*self._place(place), " and ".join(due) or "nothing", " and ".join(found) or "nothing")

    def _read(self, place: Mapping[str, Any]) -> int | None:
        """What is due at a place where that was read, too."""
        seen = self._comparison.seen
        here = seen.filter(seen.fits, seen.record == seen.due, *(seen[name] == place[name] for name in PLACE))
        rows = self._engine.rows(here.limit(1).select("record"))
        return int(rows[0]["record"]) if rows else None

    def _found(self, place: Mapping[str, Any], records: list[int]) -> list[str]:
        if self._names is None or all(each >= 0 for each in records):
            return [self._told(each) for each in records]
        rows = self._rows
        here = rows.filter(*(rows[name] == place[name] for name in PLACE))
        return [f"record {each['name']}" for each in self._engine.rows(here.select("name").limit(3))]

    def _told(self, record: int) -> str:
        if record <= NOBODY:
            return "a record that is read nowhere else"
        return f"record {self._named(record)}"

    def _named(self, record: int) -> Record:
        if self._names is None or record < 0:
            return record
        names = self._names
        rows = self._engine.rows(names.filter(names.item == record).select("name").limit(1))
        return str(rows[0]["name"]) if rows else record

    def _number(self, query: Any) -> int:
        return int(self._engine.rows(query.coalesce(0).name("n").as_table())[0]["n"])

    @staticmethod
    def _place(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
        epoch, rank, step, slot = (int(row[name]) for name in PLACE)
        return epoch, rank, step, slot


def _steps(count: int) -> str:
    return f"{count:_} step{'' if count == 1 else 's'}"
