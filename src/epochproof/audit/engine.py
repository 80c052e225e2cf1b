"""Where queries run: DuckDB in a bounded memory that spills to the disk, or a Spark cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import ibis
import ibis.expr.datatypes as dt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe

MEMORY = "1GB"
"""What DuckDB may take before it writes to the disk."""

_MOST_THREADS = 8


@ibis.udf.agg.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def bit_or(x: int) -> int:  # type: ignore[empty-body]  # the database has it
    """The bits that some row has."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def bit_count(x: int) -> int:  # type: ignore[empty-body]  # the database has it
    """How many bits are set."""


@dataclass(frozen=True)
class Engine:
    """An open connection, and a folder for what goes to and from it."""

    connection: Any
    folder: Path
    names: Iterator[int] = field(default_factory=count)
    _cached: list[Any] = field(default_factory=list)

    def file(self) -> Path:
        """A new file in the folder."""
        return self.folder / f"{next(self.names)}.parquet"

    def parquet(self, *paths: Path) -> Any:
        """The rows of Parquet files of one schema."""
        named = [str(each) for each in paths]
        if self.connection.name == "duckdb":
            return self.connection.read_parquet(named, hive_partitioning=False)
        name = f"files_{next(self.names)}"
        self.connection._session.read.parquet(*named).createOrReplaceTempView(name)  # noqa: SLF001 -- ibis takes one path
        return self.connection.table(name)

    def table(self, rows: pa.Table) -> Any:
        """A table with these rows."""
        file = self.file()
        pq.write_table(rows, file)
        return self.parquet(file)

    @property
    def looks_up(self) -> bool:
        """Whether rows are in this process, so that a query can look something up in its memory."""
        return bool(self.connection.name == "duckdb")

    def looked_up(self, items: np.ndarray[Any, np.dtype[np.int64]]) -> Callable[[Any], Any]:
        """A function for queries: which item stands at a position; nothing where there is no such one."""

        def item(at: pa.Array) -> pa.Array:
            found = at.to_numpy(zero_copy_only=False)
            inside = (found >= 0) & (found < len(items))
            return pa.array(items[np.where(inside, found, 0)], mask=~inside) if len(items) else at

        signature = ((dt.int64,), dt.int64)
        named = ibis.udf.scalar.pyarrow(item, name=f"item_{next(self.names)}", signature=signature)
        return cast("Callable[[Any], Any]", named)

    def rows(self, query: Any) -> list[dict[str, Any]]:
        """The answer to a query, a dictionary a row."""
        try:
            return list(query.to_pyarrow().to_pylist())
        except Exception as error:  # noqa: BLE001 -- each engine has its own
            raise _told(error) from None

    def kept(self, query: Any) -> Any:
        """The query's answer as a table, computed once."""
        try:
            if self.connection.name == "duckdb":
                return self.connection.create_table(f"kept_{next(self.names)}", query, temp=True)
            self._cached.append(query.cache())
        except Exception as error:  # noqa: BLE001 -- each engine has its own
            raise _told(error) from None
        return self._cached[-1]

    def view(self, query: Any) -> Any:
        """The query under a name of its own: nothing is computed, and queries of it are short."""
        self.connection._run_pre_execute_hooks(query)  # noqa: SLF001 -- functions in it have to be known
        return self.connection.create_view(f"view_{next(self.names)}", query)

    def close(self) -> None:
        """Lets everything go."""
        for each in self._cached:
            each.release()
        self.connection.disconnect()


def _told(error: Exception) -> Exception:
    """What the user can mend; any other error as it is."""
    kind, said = type(error).__name__, safe(" ".join(str(error).partition("\n")[0].split()))[:160]
    if kind == "OutOfMemoryException" or "No space left" in said:
        cure = "make room in the folder for temporary files: `TMPDIR` names another one"
        return fail("E825", f"the audit ran out of room: {said.lower()}", None, help=cure)
    if type(error).__module__.strip("_") == "duckdb" and kind not in _OURS:
        return fail("E829", f"a part of the trace is malformed: {said.lower()}", None, help=_CUT)
    return error


_OURS = (
    "BinderException",
    "CatalogException",
    "InternalException",
    "NotImplementedException",
    "ParserException",
)
"""What DuckDB raises where a query is wrong, and not a file."""

_CUT = "it may have been cut off; copy it anew"


@contextmanager
def opened(engine: str | None = None, memory: str = MEMORY) -> Iterator[Engine]:
    """DuckDB, or the Spark cluster `spark://HOST:PORT` or `spark://local[2]`; closed at the end.

    Raises:
        SpecError: The engine is unknown, or is not installed, or does not answer.
    """
    with TemporaryDirectory(prefix="epochproof-", ignore_cleanup_errors=True) as folder:
        if engine is None or engine == "duckdb":
            connection = ibis.duckdb.connect(
                ":memory:",
                memory_limit=memory,
                temp_directory=str(Path(folder, "spilled")),
                threads=min(_MOST_THREADS, os.cpu_count() or 1),
                preserve_insertion_order=False,
            )
            connection.raw_sql("SET enable_progress_bar = false")
        else:
            connection = _spark(engine)
        found = Engine(connection, Path(folder))
        try:
            yield found
        finally:
            found.close()


def _spark(engine: str) -> Any:
    if not engine.startswith("spark://"):
        cure = "write `duckdb`, or `spark://HOST:PORT`"
        raise fail("E825", f"there is no engine `{safe(engine)}`", None, help=cure)
    local = engine.removeprefix("spark://")
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 -- few audits need a cluster
    except ImportError:
        raise _unanswered(engine, "pyspark is not installed") from None
    try:
        here = local.startswith("local")
        builder = SparkSession.builder.master(local if here else engine).appName("epochproof audit")
        options: dict[str, Any] = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC"}
        if here:  # one process shuffles nothing far
            options["spark.sql.shuffle.partitions"] = "2"
        session = builder.config(map=options).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        return ibis.pyspark.connect(session)
    except Exception as error:  # noqa: BLE001 -- Spark raises what Java, sockets and its own code raise
        raise _unanswered(engine, str(error).partition("\n")[0][:120]) from None


def _unanswered(engine: str, why: str) -> SpecError:
    cure = "pip install pyspark, and Java; or leave `--engine` out"
    return fail("E825", f"`{safe(engine)}` does not answer: {safe(why)}", None, help=cure)
