"""`check --watch`: checks again what changed, and ends with the last exit code."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from epochproof.cli import _watch
from epochproof.cli.main import main

Step = Callable[[Path], object]


def looked(monkeypatch: pytest.MonkeyPatch, folder: Path, *steps: Step) -> None:
    """Does one step after each look, and interrupts after the last."""

    def looks() -> Iterator[int]:
        yield 0
        for at, step in enumerate(steps, 1):
            step(folder)
            yield at
        raise KeyboardInterrupt

    monkeypatch.setattr(_watch, "_paused", looks)


def rename(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The paths and the summaries that were printed, a line with a time as `time`."""
    said = capsys.readouterr().out
    lines = re.sub(r"^\d\d:\d\d:\d\d$", "time", said, flags=re.MULTILINE).splitlines()
    return [each for each in lines if each and not each.startswith(" ")]


def test_only_what_changed_is_checked_again(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked(
        monkeypatch,
        specs,
        lambda _: None,
        lambda folder: rename(folder / "right.epoch", "tail = pad", "tail = drop"),
        lambda folder: rename(folder / "right.epoch", "4 * train.ranks", "train.ranks"),
    )

    assert main(["check", "--watch", "right.epoch", "refuted.epoch"]) == 1
    assert shown(capsys) == [
        *("time", "right.epoch", "refuted.epoch", "2 files, 2 claims: 1 as stated, 1 not as stated"),
        *("time", "right.epoch", "2 files, 2 claims: 1 as stated, 1 not as stated"),
        *("time", "right.epoch", "2 files, 2 claims: 2 not as stated"),
    ]


def test_last_exit_code_counts(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked(monkeypatch, specs, lambda folder: rename(folder / "wrong.epoch", "trian.omitted", "4"))
    rename(specs / "wrong.epoch", "== {}", "== 4")

    assert main(["check", "--watch", "wrong.epoch"]) == 0
    assert "did you mean `train" in capsys.readouterr().err


def test_spec_that_appears_or_goes_is_noticed(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (specs / "right.epoch").read_text()
    (specs / "room").mkdir()
    looked(
        monkeypatch,
        specs / "room",
        lambda folder: (folder / "a.epoch").write_text(text),
        lambda folder: (folder / "b.epoch").write_text(text),
        lambda folder: (folder / "a.epoch").unlink(),
    )

    assert main(["check", "--watch", "room"]) == 0
    assert shown(capsys) == [
        *("time",),
        *("time", "room/a.epoch", "1 claim: 1 as stated"),
        *("time", "room/b.epoch", "2 files, 2 claims: 2 as stated"),
        *("time", "1 claim: 1 as stated"),
    ]


def test_manifest_is_watched_also_while_it_is_wrong(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    (here / "train.epoch").write_text(
        'edition 1\ndataset clips { manifest = "clips.csv" }\nloader train over clips { ranks = 1 }\n'
        'prove "two" : train.occurrences == 2\n'
    )
    looked(
        monkeypatch,
        here,
        lambda folder: (folder / "clips.csv").write_text("clip\na\nb\n"),
        lambda folder: (folder / "clips.csv").write_text("clip\na\nb\nc\n"),
    )

    assert main(["check", "--watch", "train.epoch"]) == 1
    assert [each for each in shown(capsys) if "claim" in each] == [
        "1 claim: 1 as stated",
        "1 claim: 1 not as stated",
    ]


def test_config_that_hydra_composes_is_watched(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (specs / "trainer").mkdir()
    (specs / "train.yaml").write_text("defaults: [trainer: ddp]\n")
    (specs / "trainer" / "ddp.yaml").write_text("devices: 4\n")
    (specs / "hydra.epoch").write_text(
        'edition 1\nbind t = hydra("train.yaml")\ndataset d { size = 8 }\n'
        "loader train over d {\n  ranks = t.trainer.devices\n  shard(ranks, tail = pad)\n}\n"
        'prove "two steps" : train.steps == 2\n'
    )
    looked(monkeypatch, specs, lambda folder: rename(folder / "trainer" / "ddp.yaml", "4", "3"))

    assert main(["check", "--watch", "hydra.epoch"]) == 1
    assert shown(capsys) == [
        *("time", "hydra.epoch", "1 claim: 1 as stated"),
        *("time", "hydra.epoch", "1 claim: 1 not as stated"),
    ]


def test_standard_input_cannot_be_watched(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--watch", "-"]) == 2
    assert "error[E509]: `--watch` cannot watch the standard input" in capsys.readouterr().err


def test_interrupt_ends_a_real_process_with_the_last_code(specs: Path) -> None:
    command = [sys.executable, "-u", "-m", "epochproof", "check", "--watch", "refuted.epoch"]
    pipe = subprocess.PIPE
    # A shell that starts the tests in the background lets all below it ignore interrupts.
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=_heeded) as process:  # noqa: PLW1509
        assert process.stdout and process.stderr
        try:
            for line in process.stdout:
                if line.startswith("1 claim"):
                    break
            time.sleep(1)  # until it waits
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 1
            assert process.stderr.read() == ""
        finally:
            process.kill()


def _heeded() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_interrupt_before_the_first_answer_is_told(specs: Path) -> None:
    def looks() -> Iterator[int]:
        raise KeyboardInterrupt
        yield 0

    assert _watch.watch(["right.epoch"], lambda *_: 0, None, looks()) == 130
