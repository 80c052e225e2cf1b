"""What was read, counted: occurrences, distinct records, padding, and how much each worker read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ibis

from epochproof.audit.engine import Engine, bit_count, bit_or
from epochproof.audit.scheduled import bit, chunk
from epochproof.report._audit import Balance, Read

_NOTHING = Read(0, 0, 0, 0, 0)


class Population:
    """Counts the rows of a trace; `size` records are in the dataset."""

    def __init__(self, engine: Engine, rows: Any, size: int) -> None:
        self._engine, self._rows, self._size = engine, rows, size
        known = rows.record.between(0, max(0, size - 1))
        keyed = rows.mutate(
            known=known,
            chunk=chunk(ibis.ifelse(known, rows.record, 0)),
            bit=ibis.ifelse(known, bit(ibis.ifelse(known, rows.record, 0)), 0),
        )
        counts = keyed.group_by(["epoch", "chunk"]).agg(
            rows=keyed.count(),
            unknown=(~keyed.known).sum(),
            bits=bit_or(keyed.bit),
            pads=keyed.padded.cast("int64").sum(),
            unsaid=keyed.padded.isnull().sum(),
        )
        self._counts = engine.kept(counts)

    def epochs(self) -> Mapping[int, Read]:
        """What each epoch read."""
        table = self._counts.mutate(different=bit_count(self._counts.bits))
        sums = table.group_by("epoch").agg(different=table.different.sum(), **_sums(table))
        found = {int(row["epoch"]): row for row in self._engine.rows(sums.order_by("epoch"))}
        return {epoch: self._read(row, epoch) for epoch, row in found.items()}

    def run(self) -> Read:
        """What all epochs read together."""
        table = self._counts
        once = table.group_by("chunk").agg(bits=bit_or(table.bits), **_sums(table))
        once = once.mutate(different=bit_count(once.bits))
        found = self._engine.rows(once.agg(different=once.different.sum(), **_sums(once)))
        return self._read(found[0], None) if found and found[0]["rows"] else _NOTHING

    def _read(self, row: Mapping[str, Any], epoch: int | None) -> Read:
        unknown = self._unknown(epoch) if row["unknown"] else 0
        rows, known = int(row["rows"]), int(row["different"])
        padding = None if row["unsaid"] else int(row["pads"] or 0)
        repeated = 0 if rows == known + unknown else self._repeated(epoch)
        return Read(rows, known + unknown, padding, self._size - known, repeated)

    def _unknown(self, epoch: int | None) -> int:
        """Distinct records that are none of the dataset."""
        rows = self._of(epoch)
        rows = rows.filter(~rows.record.between(0, max(0, self._size - 1)))
        return self._number((rows.name if "name" in rows.columns else rows.record).nunique())

    def _repeated(self, epoch: int | None) -> int | None:
        """Records that were read more than once in an epoch; not asked of a run."""
        if epoch is None:
            return None
        rows = self._of(epoch)
        key = "name" if "name" in rows.columns else "record"
        many = rows.group_by(key).agg(many=rows.count())
        return self._number(many.filter(many.many > 1).count())

    def _of(self, epoch: int | None) -> Any:
        return self._rows if epoch is None else self._rows.filter(self._rows.epoch == epoch)

    def _number(self, query: Any) -> int:
        return int(self._engine.rows(query.name("n").as_table())[0]["n"] or 0)


def _sums(table: Any) -> dict[str, Any]:
    return {name: table[name].sum().cast("int64") for name in ("rows", "unknown", "pads", "unsaid")}


def balance(lanes: list[dict[str, Any]]) -> Balance | None:
    """How evenly the workers read; `None` where no worker is known, or only one.

    Args:
        lanes: `rows` by `rank` and `worker`.
    """
    read: dict[tuple[int, int], int] = {}
    for each in lanes:
        place = int(each["rank"]), int(each["worker"])
        read[place] = read.get(place, 0) + int(each["rows"])
    if len(read) <= 1 or any(worker < 0 for _, worker in read):
        return None
    least, most = (found(sorted(read), key=read.__getitem__) for found in (min, max))
    by_rank = all(worker == 0 for _, worker in read)
    return Balance(len(read), read[least], read[most], least, most, by_rank)
