"""A rank has one writer, a run a segment, and what cannot be written is an error before it is needed."""

from __future__ import annotations

import errno
import gc
import json
import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from epochproof.audit import part
from epochproof.audit.journal import Batch, body
from epochproof.audit.writer import Origin, Writer
from epochproof.diagnostics import SpecError
from tests.traces import rows, steps, told

ONE = Origin(0, 1)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two frames or so."""
    monkeypatch.setattr(part, "MOST", 256)


def batch(step: int, rows: int = 2) -> bytes:
    return body(Batch(0, 0, step, [step] * rows))


def opened(folder: Path, *, resumed: bool = False) -> Writer:
    writer = Writer(folder, ONE, resumed=resumed)
    writer.begin(0, 0)
    return writer


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in (folder / "rank=00000" / "segment=00000").iterdir())


def test_full_parts_become_parquet_at_rest_and_the_last_one_at_the_end(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    for step in range(7):
        writer.put(batch(step))
    journals = names(tmp_path)
    writer.rest()
    rested = names(tmp_path)
    writer.close()

    assert journals == ["about.json", "part-00000.journal", "part-00001.journal", "part-00002.journal"]
    assert rested == ["about.json", "part-00000.parquet", "part-00001.parquet", "part-00002.journal"]
    assert names(tmp_path) == ["about.json", *(f"part-0000{at}.parquet" for at in range(3))]
    assert rows(tmp_path, "record") == [(step,) for step in range(7) for _ in range(2)]


def test_journals_are_as_good_as_parquet(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    for step in range(7):
        writer.put(batch(step))
    before = rows(tmp_path)
    writer.close()

    assert before == rows(tmp_path)


def test_batch_that_is_larger_than_a_part_is_written(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    for step, count in enumerate((1, 500, 1)):
        writer.put(batch(step, count))
    writer.close()

    assert [len(records) for _, _, records in steps(tmp_path)] == [1, 500, 1]


def test_parts_grow_up_to_a_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    assert [part.room(each) >> 20 for each in (0, 1, 2, 3, 4, 5, 10**6)] == [1, 2, 4, 8, 16, 16, 16]
    assert part.room(10**6, bytes(10**8)) > 10**8


def test_about_says_where_the_run_began_and_how_much_there_is(tmp_path: Path) -> None:
    writer = Writer(tmp_path, Origin(3, 8, 4, 1_000, {"torch": "2.13.0"}), resumed=True)
    writer.begin(5, 70)
    at = tmp_path / "rank=00003" / "segment=00000" / "about.json"
    began = json.loads(at.read_text())
    writer.put(batch(70))
    writer.close()

    assert began == {
        "schema": "epochproof/trace/1",
        "rank": 3,
        "ranks": 8,
        "segment": 0,
        "epoch": 5,
        "step": 70,
        "workers": 4,
        "dataset": 1_000,
        "versions": {"torch": "2.13.0"},
        "totals": None,
    }
    assert json.loads(at.read_text()) == began | {"totals": {"parts": 1, "rows": 2}}


def test_file_system_without_mapping_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_mapping(*_: object) -> None:
        raise OSError(errno.ENODEV, "no such device")

    monkeypatch.setattr(mmap, "mmap", no_mapping)
    writer = opened(tmp_path)
    for step in range(5):
        writer.put(batch(step))
    before = rows(tmp_path, "record")
    writer.close()

    assert before == rows(tmp_path, "record") == [(step,) for step in range(5) for _ in range(2)]


def test_second_writer_of_a_rank_is_refused(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    with pytest.raises(SpecError) as raised:
        Writer(tmp_path, ONE, resumed=True)

    assert told(raised.value) == ("E802", f"`{tmp_path}/rank=00000` is being written to in this process")
    Writer(tmp_path, Origin(1, 2), resumed=False).close()
    writer.close()
    Writer(tmp_path, ONE, resumed=True).close()


def test_second_writer_in_another_process_is_refused(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    script = (
        "from pathlib import Path; from epochproof.audit.writer import Origin, Writer\n"
        f"Writer(Path({str(tmp_path)!r}), Origin(0, 1), resumed=True)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert f"E802 `{tmp_path}/rank=00000` is being written to in another process" in done.stderr
    writer.close()


def test_copy_of_a_writer_in_a_child_does_nothing(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    writer.put(batch(0))
    child = os.fork()
    if not child:
        code = 1
        try:
            writer.close()
            gc.collect()
            writer.own()
        except SpecError as error:
            code = 0 if "by the process that this one was forked from" in str(error) else 2
        finally:
            os._exit(code)

    assert os.waitpid(child, 0)[1] == 0
    writer.put(batch(1))
    writer.close()
    assert rows(tmp_path, "step") == [(0,), (0,), (1,), (1,)]


def test_new_run_in_an_old_folder_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    with pytest.raises(SpecError) as raised:
        Writer(tmp_path, ONE, resumed=False)

    assert told(raised.value) == ("E804", f"`{tmp_path}` holds a trace of rank 0")
    opened(tmp_path, resumed=True).close()
    assert (tmp_path / "rank=00000" / "segment=00001").is_dir()


def test_closed_writer_takes_nothing(tmp_path: Path) -> None:
    writer = opened(tmp_path)
    writer.close()
    with pytest.raises(SpecError) as raised:
        writer.put(batch(0))

    assert told(raised.value) == ("E802", f"`{tmp_path}/rank=00000` is closed")


def test_full_disk_is_an_error_and_what_was_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    writer = opened(tmp_path)
    writer.put(batch(0))
    monkeypatch.setattr(os, "posix_fallocate", no_room)
    writer.put(batch(1))
    writer.put(batch(2))
    with pytest.raises(SpecError) as raised:
        writer.put(batch(3))

    at = tmp_path / "rank=00000" / "segment=00000" / "part-00001.journal"
    assert told(raised.value) == ("E803", f"`{at}` cannot be written: the disk is full")
    assert len(rows(tmp_path)) == 6
    writer.close()
    assert len(rows(tmp_path)) == 6


def test_real_full_disk_is_an_error(tmp_path: Path) -> None:
    """A limit on the length of files stands for a disk that is full."""
    script = (
        "import resource, signal; from pathlib import Path\n"
        "from epochproof.audit.writer import Origin, Writer\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"writer = Writer(Path({str(tmp_path)!r}), Origin(0, 1), resumed=False)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, 2**16))\n"
        "writer.begin(0, 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert "E803" in done.stderr and "part-00000.journal` cannot be written: file too large" in done.stderr


def test_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "trace").write_text("")
    with pytest.raises(SpecError) as raised:
        Writer(tmp_path / "trace", ONE, resumed=False)

    assert told(raised.value) == ("E803", f"`{tmp_path}/trace/rank=00000` cannot be written: not a directory")


def test_parquet_that_cannot_be_written_leaves_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    writer = opened(tmp_path)
    writer.put(batch(0))
    monkeypatch.setattr(os, "fsync", refuses)
    monkeypatch.setattr(Path, "replace", refuses)
    with pytest.raises(SpecError) as raised:
        writer.close()
    monkeypatch.undo()

    assert told(raised.value)[0] == "E803"
    assert rows(tmp_path, "step") == [(0,), (0,)]
    Writer(tmp_path, ONE, resumed=True).close()
