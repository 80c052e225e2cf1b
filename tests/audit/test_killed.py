"""A job that is killed at any moment leaves every batch that it finished."""

from __future__ import annotations

import errno
import os
import random
import signal
import struct
import time
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from torch.utils.data import DataLoader

from epochproof import record
from epochproof.audit import part, writer
from epochproof.audit.journal import frames
from tests.traces import steps

FINISHED = struct.Struct("<ii4q")


def train(folder: Path, told: int, *, resume: bool) -> None:
    """Trains for ever; what it finished is written to the pipe `told`."""
    part.MOST, writer.WAITING = 4096, 0  # parts are full, and made Parquet, all the time
    loader = DataLoader(range(400), batch_size=4, shuffle=True)
    batches = record(loader, folder, rank=0, ranks=1, resume=resume, source=lambda each: ["s"] * len(each))
    for epoch in range(10**6):
        for step, batch in enumerate(batches):
            os.write(told, FINISHED.pack(epoch, step, *batch.tolist()))


def killed(folder: Path, seconds: float, *, resume: bool = False) -> list[tuple[int, int, tuple[int, ...]]]:
    """What a training finished that was killed so long after its first batch."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.close(reading)
            train(folder, writing, resume=resume)
        finally:
            os._exit(1)
    os.close(writing)
    held = os.read(reading, FINISHED.size)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    while more := os.read(reading, 2**16):
        held += more
    os.close(reading)
    whole = held[: len(held) - len(held) % FINISHED.size]
    return [(epoch, step, tuple(records)) for epoch, step, *records in FINISHED.iter_unpack(whole)]


def check(folder: Path, draws: random.Random) -> None:
    finished = killed(folder, draws.uniform(0, 0.06))

    found = steps(folder)
    assert finished and found[: len(finished)] == finished
    assert len(found) <= len(finished) + 1  # the one that was handed out and not finished


@pytest.mark.parametrize("seed", range(8))
def test_every_finished_batch_is_in_the_trace(seed: int, tmp_path: Path) -> None:
    check(tmp_path, random.Random(seed))  # noqa: S311 -- moments are no secrets


def test_run_that_is_killed_again_and_again_leaves_all_its_segments(tmp_path: Path) -> None:
    finished = [killed(tmp_path, 0.01, resume=resume) for resume in (False, True, True)]

    found = steps_by_segment(tmp_path)
    assert len(found) == 3
    for done, there in zip(finished, found, strict=True):
        assert there[: len(done)] == done


def steps_by_segment(folder: Path) -> list[list[tuple[int, int, tuple[int, ...]]]]:
    """The batches of each segment, which a folder of its own shows alone."""
    found = []
    for at, segment in enumerate(sorted(folder.glob("rank=00000/segment=*"))):
        alone = folder.parent / f"alone-{at}" / "rank=00000" / segment.name
        alone.parent.mkdir(parents=True)
        alone.symlink_to(segment)
        found.append(steps(alone.parents[1]))
    return found


@pytest.mark.parametrize("moment", ["_take_room", "_mapped"])
def test_part_that_was_being_opened_is_a_journal_without_batches(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, moment, lambda *_: os._exit(0))
    process = os.fork()
    if not process:
        part.Part(tmp_path / "part-00000.journal", 4096)
        os._exit(1)
    _, status = os.waitpid(process, 0)

    assert os.waitstatus_to_exitcode(status) == 0
    assert list(frames(tmp_path / "part-00000.journal")) == []


@pytest.mark.parametrize("error", [errno.EOPNOTSUPP, None])
def test_room_that_is_taken_leaves_the_beginning(
    error: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: int) -> None:
        raise OSError(error, "no")

    if error is not None:
        monkeypatch.setattr(os, "posix_fallocate", refused)
    part.Part(tmp_path / "part-00000.journal", 4096)

    assert (tmp_path / "part-00000.journal").stat().st_size == 4096
    assert list(frames(tmp_path / "part-00000.journal")) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_every_finished_batch_is_in_the_trace_at_hundreds_of_moments(seed: int, tmp_path: Path) -> None:
    check(tmp_path, random.Random(seed))  # noqa: S311 -- moments are no secrets
