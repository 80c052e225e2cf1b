"""`python -m tests.bare_query`: what a claim about a manifest asks, as one query by hand, for the benchmark.

`make FILE ROWS` writes a manifest; `ask FILE` prints what `check` has to know about it, and `leak FILE` what
a claim about two parts of it asks, too.
"""

from __future__ import annotations

import sys

import duckdb

MAKE = """
COPY (
  SELECT md5(i::VARCHAR) AS clip_id, 'video ' || (i // 50) AS video, (i % 7 + 1) / 4 AS w,
    if(hash(i // 50) % 5 = 0, 'val', 'train') AS part
  FROM range({rows}) AS rows(i)
) TO '{file}' (FORMAT parquet)
"""
ASK = """
SELECT
  count(*), count(DISTINCT clip_id), count(clip_id), count(video), count(w),
  count(*) FILTER (WHERE clip_id = ''), count(*) FILTER (WHERE video = ''),
  min(w), max(w), count(*) FILTER (WHERE NOT isfinite(w))
FROM '{file}'
"""
LEAK = """
SELECT count(*) FROM (
  SELECT video FROM '{file}' GROUP BY video HAVING bool_or(part = 'train') AND bool_or(part = 'val')
)
"""


def main(arguments: list[str]) -> int:
    """Makes a manifest, or asks about one."""
    match arguments:
        case ["make", file, rows]:
            duckdb.connect().execute(MAKE.format(file=file, rows=int(rows)))
        case ["ask" | "leak" as what, file]:
            queries = [ASK] if what == "ask" else [ASK, LEAK]
            with duckdb.connect() as connection:
                print(*(connection.execute(each.format(file=file)).fetchone() for each in queries))
        case _:
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
