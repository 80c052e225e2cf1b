"""A trace is opened as a list of Parquet files, and one that is not whole says what is wrong with it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from pyarrow import parquet

from epochproof.audit import part
from epochproof.audit.journal import Batch, body
from epochproof.audit.schema import COLUMNS, arrow_schema
from epochproof.audit.trace import open_trace
from epochproof.audit.writer import Origin, Writer
from epochproof.diagnostics import SpecError
from tests.traces import rows, told

PARTS = ("part-00000", "part-00001", "part-00002")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "MOST", 256)


def make(
    folder: Path, *, ranks: int = 2, closed: bool = True, ids: type = int, resumed: bool = False
) -> Path:
    """A trace of three parts a rank, with seven batches of two records."""
    for rank in range(ranks):
        writer = Writer(folder, Origin(rank, ranks), resumed=resumed)
        writer.begin(0, 0)
        for step in range(7):
            writer.put(body(Batch(0, 0, step, [ids(rank), ids(step)])))
        if closed:
            writer.close()
        else:
            writer._held.release()  # as the end of the process does
    return folder


def segment(folder: Path) -> Path:
    return folder / "rank=00000" / "segment=00000"


def test_trace_is_a_list_of_files_in_order(tmp_path: Path) -> None:
    with open_trace(make(tmp_path)) as trace:
        names = [each.relative_to(tmp_path).as_posix() for each in trace.files]

        assert names == [f"rank=0000{rank}/segment=00000/{each}.parquet" for rank in (0, 1) for each in PARTS]
        assert (trace.rows, trace.ranks, trace.records) == (28, (0, 1), "int64")
        assert [each.recovered for each in trace.segments] == [False, False]


def test_journals_are_copied_elsewhere_and_the_folder_stays_as_it_is(tmp_path: Path) -> None:
    make(tmp_path, closed=False)
    before = sorted(tmp_path.rglob("*"))
    with open_trace(tmp_path) as trace:
        copies = trace.files
        assert trace.rows == 28 and all(each.is_file() for each in copies)
        assert [each.recovered for each in trace.segments] == [True, True]
        assert not any(each.is_relative_to(tmp_path) for each in copies)

    assert sorted(tmp_path.rglob("*")) == before
    assert not any(each.exists() for each in copies)


def test_duckdb_scans_the_files(tmp_path: Path) -> None:
    with open_trace(make(tmp_path)) as trace:
        files = [str(each) for each in trace.files]
        found = duckdb.execute(
            "select segment, rank, count(*), max(step) from read_parquet($1, hive_partitioning = true,"
            " hive_types = {rank: int, segment: int}) group by all order by all",
            [files],
        ).fetchall()

    assert found == [(0, 0, 14, 6), (0, 1, 14, 6)]


def test_columns_are_those_of_the_schema(tmp_path: Path) -> None:
    with open_trace(make(tmp_path)) as trace:
        schema = parquet.read_schema(trace.files[0])

    assert schema.names == [each.name for each in COLUMNS]
    assert schema.equals(arrow_schema("int64")) and schema.metadata[b"schema"] == b"epochproof/trace/1"


def test_ids_may_be_texts(tmp_path: Path) -> None:
    with open_trace(make(tmp_path, ids=str)) as trace:
        assert trace.records == "string"


def test_segments_of_a_run_that_went_on_come_in_order(tmp_path: Path) -> None:
    make(tmp_path, closed=False)
    make(tmp_path, resumed=True)

    with open_trace(tmp_path) as trace:
        assert [(each.about.rank, each.about.segment) for each in trace.segments] == [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
        ]
        assert trace.rows == 56


def test_ranks_may_change_between_segments(tmp_path: Path) -> None:
    make(tmp_path, ranks=3)
    make(tmp_path, ranks=2, resumed=True)

    with open_trace(tmp_path) as trace:
        assert [each.about.ranks for each in trace.segments] == [3, 2, 3, 2, 3]


def test_journal_beside_its_parquet_is_passed_over(tmp_path: Path) -> None:
    """A writer may be killed after the one is there and before the other is gone."""
    make(tmp_path / "open", closed=False)
    make(tmp_path / "closed")
    journal = segment(tmp_path / "open") / "part-00000.journal"
    shutil.copy(journal, segment(tmp_path / "closed"))
    (segment(tmp_path / "closed") / ".part-00001.parquet").write_bytes(b"half")

    assert len(rows(tmp_path / "closed")) == 28


def test_segment_whose_writer_was_killed_at_once_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "rank=00000" / "segment=00001").mkdir()

    assert len(rows(tmp_path)) == 28


def test_trace_that_is_being_written_is_read_so_far(tmp_path: Path) -> None:
    writer = Writer(tmp_path, Origin(0, 1), resumed=False)
    writer.begin(0, 0)
    for step in range(4):
        writer.put(body(Batch(0, 0, step, [step])))

        assert rows(tmp_path, "record") == [(each,) for each in range(step + 1)]
    writer.close()


def test_rank_may_be_missing_where_not_all_are_wanted(tmp_path: Path) -> None:
    shutil.rmtree(make(tmp_path) / "rank=00000")

    with open_trace(tmp_path, every_rank=False) as trace:
        assert trace.ranks == (1,)


def rewritten(path: Path, change: Callable[[Any], Any]) -> None:
    table = parquet.read_table(path, partitioning=None)
    parquet.write_table(change(table), path)


def about(folder: Path, **changes: Any) -> None:
    path = segment(folder) / "about.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def cut(path: Path, length: int) -> None:
    os.truncate(path, length)


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder)
    folder.mkdir()
    return folder


def replaced(folder: Path, text: str) -> None:
    emptied(folder).rmdir()
    folder.write_text(text)


FIRST = "rank=00000/segment=00000/part-00000.parquet"
ABOUT = "rank=00000/segment=00000/about.json"
FAULTS: dict[str, tuple[Callable[[Path], Any], str, str]] = {
    "not there": (shutil.rmtree, "E807", "`{at}` is not there"),
    "a file": (lambda at: replaced(at, ""), "E807", "`{at}` is no folder"),
    "empty": (emptied, "E807", "`{at}` holds no trace"),
    "other folders": (
        lambda at: [each.rename(each.with_name("run-" + each.name[-1])) for each in list(at.iterdir())],
        "E807",
        "`{at}` holds no trace",
    ),
    "missing rank": (lambda at: shutil.rmtree(at / "rank=00001"), "E808", "`{at}` lacks rank 1 of 2 ranks"),
    "missing part": (
        lambda at: (at / FIRST).unlink(),
        "E806",
        "`{at}/rank=00000/segment=00000` lacks part 0, and has later ones",
    ),
    "missing last part": (
        lambda at: (segment(at) / "part-00002.parquet").unlink(),
        "E806",
        "`{at}/rank=00000/segment=00000` has 2 parts and 12 rows, and had 3 and 14 when it was closed",
    ),
    "truncated part": (
        lambda at: cut(at / FIRST, 200),
        "E806",
        f"`{{at}}/{FIRST}` cannot be read: it is truncated, or no parquet",
    ),
    "empty part": (
        lambda at: cut(at / FIRST, 0),
        "E806",
        f"`{{at}}/{FIRST}` cannot be read: it is truncated, or no parquet",
    ),
    "another column": (
        lambda at: rewritten(
            at / FIRST, lambda table: table.rename_columns(["era", *table.column_names[1:]])
        ),
        "E806",
        f"`{{at}}/{FIRST}` has no column `epoch`",
    ),
    "another type": (
        lambda at: rewritten(
            at / FIRST, lambda table: table.set_column(3, "step", table["step"].cast("int32"))
        ),
        "E806",
        f"`{{at}}/{FIRST}` has `step` as int32, not int64",
    ),
    "a further column": (
        lambda at: rewritten(at / FIRST, lambda table: table.append_column("loss", table["step"])),
        "E806",
        f"`{{at}}/{FIRST}` has a further column `loss`",
    ),
    "rows that are gone": (
        lambda at: rewritten(at / FIRST, lambda table: table.slice(1).cast(arrow_schema("int64"))),
        "E806",
        "`{at}/rank=00000/segment=00000` has 3 parts and 13 rows, and had 3 and 14 when it was closed",
    ),
    "no about": (
        lambda at: (at / ABOUT).unlink(),
        "E805",
        f"`{{at}}/{ABOUT}` cannot be read: no such file or directory",
    ),
    "half an about": (
        lambda at: cut(at / ABOUT, 40),
        "E805",
        f"`{{at}}/{ABOUT}` cannot be read: it is no json",
    ),
    "about of another version": (
        lambda at: about(at, schema="epochproof/trace/2"),
        "E805",
        f"`{{at}}/{ABOUT}` has `epochproof/trace/2`, not `epochproof/trace/1`",
    ),
    "about of something else": (
        lambda at: (at / ABOUT).write_text("[1]"),
        "E805",
        f"`{{at}}/{ABOUT}` has no version, not `epochproof/trace/1`",
    ),
    "about that lacks something": (
        lambda at: about(at, ranks="two"),
        "E805",
        f"`{{at}}/{ABOUT}` is wrong: `ranks`: input should be a valid integer",
    ),
    "huge about": (
        lambda at: (at / ABOUT).write_text(" " * 2_000_000),
        "E805",
        f"`{{at}}/{ABOUT}` is too large to be about a trace",
    ),
    "segment that was moved": (
        lambda at: segment(at).rename(segment(at).with_name("segment=00001")),
        "E805",
        "`{at}/rank=00000/segment=00001/about.json` says that it is segment 0 of rank 0: it was moved",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_told(name: str, tmp_path: Path) -> None:
    change, code, message = FAULTS[name]
    change(make(tmp_path / "trace"))

    with pytest.raises(SpecError) as raised, open_trace(tmp_path / "trace"):
        pass

    assert told(raised.value) == (code, message.format(at=tmp_path / "trace"))


def test_journal_that_was_cut_before_later_parts_is_told(tmp_path: Path) -> None:
    make(tmp_path, closed=False)
    path = segment(tmp_path) / "part-00000.journal"
    cut(path, path.stat().st_size - 20)

    with pytest.raises(SpecError, match=r"E806 .*part-00000\.journal` ends at byte"):
        rows(tmp_path)


def test_ids_of_two_types_are_told(tmp_path: Path) -> None:
    make(tmp_path, ranks=1)
    make(tmp_path, ranks=1, ids=str, resumed=True)

    with pytest.raises(SpecError, match=r"E806 record ids have two types: .* as int64 and .* as string"):
        rows(tmp_path)
