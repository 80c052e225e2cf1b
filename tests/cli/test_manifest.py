"""Specs with a manifest, through every command that reads one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from epochproof.cli.main import main

SPEC = """edition 1

dataset clips {
  manifest = "clips.csv"
  id       = "clip id"
}

loader train over clips {
  ranks = 4
  shard(ranks, tail = pad)
}

prove "every clip is read" : train.omitted == {}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec and its manifest; the working folder is another one."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "clips.csv").write_text("clip id\n" + "".join(f"c{at}\n" for at in range(10)))
    (tmp_path / "specs" / "train.epoch").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "specs"


def test_check_says_what_was_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", "specs"])

    assert code == 0
    assert (
        "the dataset has 10 records with ids of their own (checked against `clips.csv`)"
        in capsys.readouterr().out
    )


def test_check_points_at_the_setting_that_names_the_column(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.epoch").write_text(SPEC.replace("clip id", "clip_id"))

    code = main(["check", "specs/train.epoch"])

    err = capsys.readouterr().err
    assert code == 2
    assert "error[E606]: `clips.csv` has no column `clip_id`" in err
    assert "specs/train.epoch:5" in err and "did you mean `clip id`?" in err


def test_fault_is_told_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "clips.csv").unlink()

    code = main(["check", "--format", "json", "specs/train.epoch"])

    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert code == 2
    assert [each["code"] for each in file["diagnostics"]] == ["E602"]


def test_count_and_explain_read_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "specs/train.epoch"]) == 0
    assert "occurrences  12" in capsys.readouterr().out

    assert main(["explain", "specs/train.epoch", "every clip is read"]) == 0
    assert "(checked against `clips.csv`)" in capsys.readouterr().out


def test_set_of_a_size_that_the_manifest_gives_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", "--set", "clips.size=5", "specs/train.epoch"]) == 2
    assert "`clips.size` is fixed at 10 in the spec" in capsys.readouterr().err


def test_fmt_keeps_it(folder: Path) -> None:
    assert main(["fmt", "--check", "specs/train.epoch"]) == 0


def test_run_reads_it_also_where_no_claim_needs_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    (folder / "train.epoch").write_text(SPEC.partition("prove")[0])

    code = main(["run", "specs/train.epoch"])

    assert code == 0
    assert "agree on 12 occurrences" in capsys.readouterr().out


def test_own_loader_is_compared_with_the_manifest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    (folder.parent / "mine.py").write_text(
        "def load(rank, world_size, epoch):\n    return [at % 10 for at in range(rank, 12, world_size)]\n"
    )

    code = main(["run", "--loader", "mine:load", "specs/train.epoch"])

    sys.modules.pop("mine", None)
    assert code == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("old", "new", "code", "reason"),
    [
        ("clips.csv", "clips.csv", 0, "identical"),
        ("clips.csv", "other.csv", 1, "it reads manifest `other.csv` in place of `clips.csv`"),
    ],
)
def test_diff_opens_no_manifest_and_tells_another_one(
    old: str, new: str, code: int, reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "clips.csv").unlink()
    for name, manifest in (("old", old), ("new", new)):
        (folder / f"{name}.epoch").write_text(SPEC.replace("clips.csv", manifest))

    assert main(["diff", "specs/old.epoch", "specs/new.epoch"]) == code
    assert reason in capsys.readouterr().out


def test_diff_tells_another_digest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for digit in "01":
        pinned = f'manifest = "clips.csv"\n  digest = "sha256:{digit * 64}"'
        (folder / f"{digit}.epoch").write_text(SPEC.replace('manifest = "clips.csv"', pinned))

    assert main(["diff", "specs/0.epoch", "specs/1.epoch"]) == 1
    assert "its manifest is pinned by another digest" in capsys.readouterr().out


def test_missing_reader_is_told_with_its_cure(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)

    code = main(["check", "specs/train.epoch"])

    err = capsys.readouterr().err
    assert code == 2
    assert "error[E601]" in err and "pip install 'epochproof[manifest]'" in err
