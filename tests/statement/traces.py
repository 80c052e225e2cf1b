"""Traces as a recorder leaves them, written row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from epochproof.audit import about
from epochproof.audit.about import About
from epochproof.audit.schema import arrow_schema

Reads = Mapping[int, Sequence[Sequence[int | str]]]
"""For each rank, what it reads in each epoch."""


def write(folder: Path, reads: Reads, *, batch: int = 2) -> Path:
    """A trace of one segment a rank."""
    for rank, epochs in reads.items():
        place = folder / f"rank={rank:05}" / "segment=00000"
        place.mkdir(parents=True)
        about.write(place, About(rank=rank, ranks=len(reads), segment=0, epoch=0, step=0))
        rows = [
            {
                "epoch": epoch,
                "rank": rank,
                "worker": 0,
                "step": at // batch,
                "slot": at % batch,
                "record": record,
            }
            for epoch, records in enumerate(epochs)
            for at, record in enumerate(records)
        ]
        schema = arrow_schema("string" if isinstance(rows[0]["record"], str) else "int64")
        parquet.write_table(pa.Table.from_pylist(rows, schema=schema), place / "part-00000.parquet")
    return folder


def planned(spec: Path) -> dict[int, list[list[int]]]:
    """What each rank of a spec's only loader reads in each epoch, as the schedule says."""
    import epochproof  # noqa: PLC0415 -- the package itself loads when it is asked
    from epochproof.schedule.deliveries import Compiled  # noqa: PLC0415 -- as above
    from epochproof.schedule.plan import plan_of  # noqa: PLC0415 -- as above
    from epochproof.schedule.settle import settled  # noqa: PLC0415 -- as above

    (loader,) = settled(epochproof.load(spec)).loaders.values()
    lists = Compiled(plan_of(loader), loader.epochs, ()).run(())
    return {
        rank: [lists.lane(epoch, rank).records for epoch in range(lists.epochs)]
        for rank in range(lists.ranks)
    }
