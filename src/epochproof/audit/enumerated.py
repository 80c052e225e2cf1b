"""What is due at each place, enumerated: for schedules of which no expression says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.audit.engine import Engine
from epochproof.audit.lanes import Lanes
from epochproof.audit.scheduled import chunk
from epochproof.diagnostics import fail
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.term.as_int import as_int
from epochproof.term.node import number, variable

MOST = 5_000_000
"""So many occurrences are enumerated."""

_COLUMNS = ("e", "r", "s", "l", "lane", "place", "due", "pads", "by")
_PLACE = ("epoch", "rank", "step", "slot")


class Enumerated:
    """The same answers as `Scheduled`, from lists.

    Raises:
        SpecError: There are too many occurrences, or a seed is open.
    """

    open_order = False

    def __init__(self, engine: Engine, lanes: Lanes, why: str) -> None:
        self.lanes, self.why, world = lanes, why, lanes.world
        if world.open:
            cure = " ".join(f"--set {each}=…" for each in sorted(world.open))
            wrong = f"the order of `{world.loader.name}` cannot be read off a trace: {why}"
            raise fail("E827", wrong, world.loader.span, help=f"give the seed: `{cure}`")
        compiled = Compiled(world.plan, number(lanes.epochs), ())
        if compiled.weight((), all_epochs=True) > MOST:
            wrong = f"`{world.loader.name}` is too large to be enumerated, which it has to be: {why}"
            raise fail("E824", wrong, world.loader.span, help=f"at most {MOST:_} occurrences are")
        self._table = engine.parquet(self._written(engine, compiled))

    def _written(self, engine: Engine, compiled: Compiled) -> Any:
        world, file = self.lanes.world, engine.file()
        schema = pa.schema([(name, pa.bool_() if name == "pads" else pa.int64()) for name in _COLUMNS])
        with pq.ParquetWriter(file, schema) as writer:
            for epoch in range(self.lanes.epochs):
                for rank in range(world.ranks):
                    lane = compiled.lane((), rank, epoch)
                    writer.write_table(self._lane(lane, epoch, rank, schema))
        return file

    def _lane(self, lane: Delivered, epoch: int, rank: int, schema: pa.Schema) -> pa.Table:
        many, slots, seen = len(lane.records), list[int](), dict[int, int]()
        for step in lane.step:
            slots.append(seen.setdefault(step, 0))
            seen[step] += 1
        columns: list[Sequence[int | None]] = [[epoch] * many, [rank] * many, lane.step, slots]
        columns += [lane.worker, lane.place]
        columns += [lane.records, [bool(each) for each in lane.padded], self._by(lane)]
        return pa.table(dict(zip(_COLUMNS, columns, strict=True)), schema=schema)

    def _by(self, lane: Delivered) -> list[int | None]:
        plan, step = self.lanes.world.plan, variable("step")
        if plan.iterable:
            return list(lane.worker)
        terms = [term for each in plan.stages if (term := each.worker(step)) is not None]
        worker = as_int(terms[-1], ["step"]) if terms else None
        return [None if worker is None else int(worker(each)) for each in lane.step]

    def seen(self, rows: Any) -> Any:
        """The rows with what is due where they stand; see `Scheduled`."""
        due = self._table
        found = rows.left_join(
            due, [rows[one] == due[other] for one, other in zip(_PLACE, _COLUMNS[:4], strict=True)]
        )
        return found.select(
            **{name: rows[name] for name in rows.columns},
            fits=due.e.notnull(),
            lane=due.lane.coalesce(-1),
            place=due.place.coalesce(0),
            due=due.due,
            pads=due.pads.coalesce(ibis.literal(value=False)),
            by=due.by,
        )

    def places(self, chunks: Any) -> Any:
        """Every place of some chunks; see `Scheduled`."""
        due = self._table.rename(epoch="e", rank="r", step="s", slot="l")
        due = due.mutate(chunk=chunk(due.place))
        found = due.inner_join(chunks, ["epoch", "rank", "lane", "chunk"])
        return found.filter(found.place >= found.low, found.place < found.high)
