"""`fmt`: writes, checks, shows differences, filters, and keeps what is not its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from epochproof.cli.main import main

UGLY = "edition 1\ndataset   d {size=10}\n"
PRETTY = "edition 1\ndataset d { size = 10 }\n"


@pytest.fixture
def ugly(here: Path) -> Path:
    path = here / "a.epoch"
    path.write_text(UGLY)
    path.chmod(0o640)
    return path


def test_file_is_written_and_keeps_its_permissions(ugly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "a.epoch"]) == 0

    assert ugly.read_text() == PRETTY
    assert ugly.stat().st_mode & 0o777 == 0o640
    assert capsys.readouterr().out == "a.epoch formatted\n"
    assert list(ugly.parent.iterdir()) == [ugly]


def test_formatted_file_is_left_alone(ugly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ugly.write_text(PRETTY)
    before = ugly.stat()

    assert main(["fmt", "a.epoch"]) == 0

    assert ugly.stat().st_ino == before.st_ino and ugly.stat().st_mtime_ns == before.st_mtime_ns
    assert capsys.readouterr().out == ""


def test_link_still_points_at_its_file(ugly: Path) -> None:
    link = ugly.with_name("link.epoch")
    link.symlink_to("a.epoch")

    assert main(["fmt", "link.epoch"]) == 0
    assert link.is_symlink() and ugly.read_text() == PRETTY


def test_check_writes_nothing(ugly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "a.epoch"]) == 1
    assert ugly.read_text() == UGLY
    assert capsys.readouterr().out == "a.epoch would change\n"

    ugly.write_text(PRETTY)
    assert main(["fmt", "--check", "a.epoch"]) == 0


@pytest.mark.parametrize(("argv", "code"), [(["--diff"], 0), (["--diff", "--check"], 1)])
def test_diff_shows_what_would_change(
    ugly: Path, argv: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fmt", *argv, "a.epoch"]) == code

    assert ugly.read_text() == UGLY
    assert capsys.readouterr().out == (
        "--- a.epoch\n"
        "+++ a.epoch formatted\n"
        "@@ -1,2 +1,2 @@\n"
        " edition 1\n"
        "-dataset   d {size=10}\n"
        "+dataset d { size = 10 }\n"
    )


def test_standard_input_is_filtered(
    typed: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed(UGLY.encode())

    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == PRETTY


def test_wrong_file_stays_and_does_not_stop_the_others(
    ugly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ugly.with_name("wrong.epoch")
    wrong.write_text("edition 1\ndataset {\n")

    assert main(["fmt", "wrong.epoch", "a.epoch"]) == 2

    assert wrong.read_text() == "edition 1\ndataset {\n" and ugly.read_text() == PRETTY
    assert "wrong.epoch:2:9" in capsys.readouterr().err


def test_folder_that_refuses_is_an_error(
    ugly: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)

    assert main(["fmt", "a.epoch"]) == 2
    assert "error[E510]: cannot write `a.epoch`: permission denied" in capsys.readouterr().err
    assert ugly.read_text() == UGLY and list(ugly.parent.iterdir()) == [ugly]


def test_neither_solver_nor_models_are_loaded(ugly: Path) -> None:
    script = (
        "import sys; from epochproof.cli.main import main; main(['fmt', 'a.epoch'])\n"
        "print(*[name for name in ('lark', 'z3', 'pydantic', 'torch') if name in sys.modules])"
    )
    source = Path(__file__).resolve().parents[2] / "src"

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(source)},
    )

    assert done.stdout.splitlines() == ["a.epoch formatted", "lark"]
