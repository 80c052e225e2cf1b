"""`python -m tests.bare_trace`: a large trace, and the least that any audit of it asks, for the benchmark.

`make FOLDER ROWS` writes a trace of two epochs on eight ranks, `shuffled` one in torch's order; `ask FOLDER`
counts how often each record was read, as one query by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.audit import about
from epochproof.audit.about import About
from epochproof.audit.orders import order
from epochproof.audit.schema import arrow_schema

RANKS, EPOCHS, BATCH, WORKERS = 8, 2, 32, 4
SPEC = """edition 1
dataset records {{ size in 1.. }}
loader train over records {{
  ranks in 1..64
  epochs = 2
  {shuffle}
  shard(ranks, tail = pad)
  batch(32)
  fetch(4)
}}
"""
ASK = """
SELECT count(*), sum(many) FROM
  (SELECT record, count(*) AS many FROM read_parquet('{folder}/*/*/*.parquet', hive_partitioning = false)
   GROUP BY record)
"""


def make(folder: Path, rows: int, *, shuffled: bool) -> None:
    """Writes the trace, and its spec beside it."""
    size, schema = rows // EPOCHS, arrow_schema("int64")
    shuffle = "shuffle(seed = 0)" if shuffled else ""
    folder.with_suffix(".epoch").write_text(SPEC.format(shuffle=shuffle))
    orders = [order(epoch, 0, size) if shuffled else np.arange(size) for epoch in range(EPOCHS)]
    for rank in range(RANKS):
        place = folder / f"rank={rank:05}" / "segment=00000"
        place.mkdir(parents=True)
        about.write(place, About(rank, RANKS, 0, 0, 0, WORKERS, size))
        with pq.ParquetWriter(place / "part-00000.parquet", schema) as writer:
            for epoch, each in enumerate(orders):
                writer.write_table(_lane(each, rank, epoch, schema))


def _lane(order: np.ndarray, rank: int, epoch: int, schema: pa.Schema) -> pa.Table:
    length = -(-len(order) // RANKS)
    at = np.arange(length)
    flat, step = at * RANKS + rank, at // BATCH
    columns = {
        "epoch": np.full(length, epoch),
        "rank": np.full(length, rank),
        "worker": step % WORKERS,
        "step": step,
        "slot": at % BATCH,
        "record": order[flat % len(order)],
        "padded": flat >= len(order),
    }
    arrays = [
        pa.array(columns[each.name]).cast(each.type) if each.name in columns else pa.nulls(length, each.type)
        for each in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def main(arguments: list[str]) -> int:
    """Makes a trace, or asks about one."""
    match arguments:
        case ["make", folder, rows, *more]:
            make(Path(folder), int(rows), shuffled=more == ["shuffled"])
        case ["ask", folder]:
            with duckdb.connect() as connection:
                print(*connection.execute(ASK.format(folder=folder)).fetchall())
        case _:
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
