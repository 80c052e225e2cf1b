"""`diff`: two files, or one against a git revision; exit codes, JSON, and every wrong call."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from epochproof.cli.main import main
from tests.report.diffs import CHANGES, OLD

CODES = {"identical": 0, "order-only": 1, "population-changing": 1, "resume-incompatible": 1, "unknown": 3}


@pytest.fixture
def changed(here: Path) -> Path:
    """A working folder with `old.epoch`, and a spec for each kind of change."""
    (here / "old.epoch").write_text(OLD)
    for kind, text in CHANGES.items():
        (here / f"{kind}.epoch").write_text(text)
    return here


def git(*argv: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *argv], check=True, capture_output=True)  # noqa: S607 -- git of the test


@pytest.mark.parametrize("kind", CODES)
def test_exit_code_tells_whether_all_is_identical(
    changed: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["diff", "old.epoch", f"{kind}.epoch"])

    assert code == CODES[kind]
    assert kind in capsys.readouterr().out


def test_a_change_is_told_before_what_is_undecided(changed: Path) -> None:
    second = OLD.split("\n", 2)[2].replace("loader l", "loader m")
    (changed / "two.epoch").write_text(OLD + second)
    (changed / "both.epoch").write_text(
        OLD.replace("drop", "pad") + second.replace("batch(1)", "batch(1)\n augment(stream = record)")
    )

    assert main(["diff", "two.epoch", "both.epoch"]) == 1


def test_json_has_its_schema_and_code(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "old.epoch", "identical.epoch", "--format", "json"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["loaders"][0]["change"]) == ("epochproof/diff/1", "identical")


def test_a_file_is_compared_with_a_revision(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (changed / "inside").mkdir()
    spec = changed / "inside" / "train.epoch"
    spec.write_text(OLD)
    git("init", "--quiet")
    git("add", "inside/train.epoch")
    git("commit", "--quiet", "--message", "first")
    same = main(["diff", "inside/train.epoch", "--against", "git:HEAD"])
    spec.write_text(CHANGES["population-changing"])
    other = main(["diff", "inside/train.epoch", "--against", "git:HEAD"])

    assert (same, other) == (0, 1)
    assert main(["diff", str(spec), "--against", "git:HEAD"]) == 1
    assert main(["diff", "old.epoch", "--against", "git:HEAD"]) == 2
    assert "error[E514]: git cannot show `old.epoch` at `HEAD`" in capsys.readouterr().err


def test_a_wrong_spec_of_a_revision_is_shown_with_its_revision(
    changed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (changed / "old.epoch").write_text("edition 1\nloader l over nothing {}\n")
    git("init", "--quiet")
    git("add", "old.epoch")
    git("commit", "--quiet", "--message", "first")
    (changed / "old.epoch").write_text(OLD)

    assert main(["diff", "old.epoch", "--against", "git:HEAD"]) == 2
    assert "old.epoch at HEAD" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["old.epoch"], "E514]: `diff` takes two specs, or one and `--against git:REV`\n"),
        (["old.epoch", "old.epoch", "--against", "git:HEAD"], "E514]: `diff` takes two specs"),
        (["old.epoch", "--against", "HEAD"], "E514]: `--against` takes `git:REV`, not `HEAD`\n"),
        (["old.epoch", "--against", "git:--output=x"], "E514]: git cannot show"),
        (["old.epoch", "--against", "git:HEAD"], "E514]: git cannot show `old.epoch` at `HEAD`"),
        (["old.epoch", "missing.epoch"], "E119]: there is no file `missing.epoch`\n"),
    ],
)
def test_a_wrong_call_is_refused(
    changed: Path, argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *argv]) == 2
    assert said in capsys.readouterr().err
    assert not (changed / "x").exists()


def test_a_wrong_call_is_refused_in_json(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "old.epoch", "missing.epoch", "--format", "json"]) == 2

    found = json.loads(capsys.readouterr().out)
    assert (found["loaders"], found["diagnostics"][0]["code"]) == ([], "E119")


def test_no_git_is_no_fault_of_ours(
    changed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(changed))

    assert main(["diff", "old.epoch", "--against", "git:HEAD"]) == 2
    assert "error[E514]: there is no `git` to ask" in capsys.readouterr().err
