"""Traces of small worlds: rows from a schedule's own lists, and folders as the recorder writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.audit import about
from epochproof.audit.about import About
from epochproof.audit.schema import Records, arrow_schema
from epochproof.audit.world import recorded
from epochproof.prove.session import load
from epochproof.schedule.deliveries import Compiled
from epochproof.schedule.plan import plan_of
from epochproof.term.node import number

Row = dict[str, Any]


def scheduled(spec: str, values: Mapping[str, int] | None = None, *, epochs: int = 1) -> list[Row]:
    """The rows of a run that does what the only loader of the spec says."""
    loader = next(iter(load(spec).loaders.values()))
    plan = recorded(plan_of(loader, {name: number(value) for name, value in (values or {}).items()}))
    lists = Compiled(plan, number(epochs), ()).run(())
    rows = list[Row]()
    for epoch in range(epochs):
        for rank in range(lists.ranks):
            lane, slots = lists.lane(epoch, rank), dict[int, int]()
            for at, step in enumerate(lane.step):
                slot = slots.setdefault(step, 0)
                slots[step] += 1
                worker = lane.worker[at] if plan.iterable else -1
                row = {"epoch": epoch, "rank": rank, "worker": worker, "step": step, "slot": slot}
                rows.append({**row, "record": lane.records[at], "padded": bool(lane.padded[at])})
    return rows


def write(folder: Path, rows: Sequence[Row], **said: Any) -> Path:
    """The folder, with the rows as a trace: a segment of each rank for each number in `segment`."""
    ranks = 1 + max((row["rank"] for row in rows), default=0)
    kind: Records = "string" if any(isinstance(row["record"], str) for row in rows) else "int64"
    schema = arrow_schema(kind)
    places = sorted({(max(0, row["rank"]), row.get("segment", 0)) for row in rows} | {(0, 0)})
    for rank, segment in places:
        some = [row for row in rows if (max(0, row["rank"]), row.get("segment", 0)) == (rank, segment)]
        place = folder / f"rank={rank:05}" / f"segment={segment:05}"
        place.mkdir(parents=True, exist_ok=True)
        columns = {name: [row.get(name) for row in some] for name in schema.names}
        pq.write_table(pa.table(columns, schema=schema), place / "part-00000.parquet")
        told = {"ranks": ranks, "epoch": 0, "step": 0, **said}
        about.write(place, About(rank=rank, segment=segment, **told))
    return folder
