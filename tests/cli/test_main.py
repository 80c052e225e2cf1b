"""The command finds its commands, and every error ends in its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import epochproof
from epochproof.cli import check
from epochproof.cli.main import main
from epochproof.diagnostics import Drift, InternalError

ROOT = Path(__file__).resolve().parents[2]


def raising(error: BaseException) -> Callable[..., int]:
    def run(arguments: object) -> int:
        raise error

    return run


def test_help_lists_the_commands_with_their_first_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0

    shown = capsys.readouterr().out
    assert "  check        Prove every claim of the specs\n" in shown
    assert "  fmt         Write specs in the one canonical style\n" in shown
    assert "main" not in shown.split("commands:")[1].split("options:")[0]


def test_no_command_shows_the_help_as_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: epochproof COMMAND ...")


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"epochproof {project['version']}\n"
    assert epochproof.__version__ == project["version"]


def test_command_has_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: epochproof check [-h] [--format {github,json,")


@pytest.mark.parametrize(
    ("argv", "diagnostic"),
    [
        (["chek"], "error[E508]: unknown command `chek`\n  = help: did you mean `check`?\n"),
        (["main"], "error[E508]: unknown command `main`\n"),
        (["--versio"], "error[E508]: unknown option `--versio`\n  = help: did you mean `--version`?\n"),
        (
            ["count", "f", "--stepz", "3"],
            "unrecognized arguments: --stepz 3\n  = help: did you mean `--steps`?\n",
        ),
        (["count", "f", "--form", "json"], "error[E509]: unrecognized arguments: --form json\n"),
        (["check"], "error[E509]: the following arguments are required: FILE\n"),
        (["check", "f", "--format", "xml"], "invalid choice: `xml`"),
    ],
)
def test_wrong_call_is_a_diagnostic(
    argv: list[str], diagnostic: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2

    out, err = capsys.readouterr()
    assert diagnostic in err and out == ""


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Drift("rank 0 differs"), 4, "drift: rank 0 differs\n"),
        (InternalError("a promise"), 70, "Please report it"),
        (RecursionError("too deep"), 70, "RecursionError: too deep"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_error_ends_in_its_exit_code(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(check, "run", raising(error))

    assert main(["check", "f"]) == code
    assert said in capsys.readouterr().err


def test_reader_that_has_enough_is_no_error(specs: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [sys.executable, "-m", "epochproof", "check", "sc241.epoch"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, b"")


def test_stream_without_unicode_shows_what_it_can(specs: Path) -> None:
    (specs / "u.epoch").write_text('edition 1\nprove "日本" : 1 == 1\n')

    done = subprocess.run(
        [sys.executable, "-m", "epochproof", "check", "u.epoch"],
        capture_output=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "ascii"},
    )

    assert done.returncode == 0
    assert b'+ proved   "\\u65e5\\u672c"' in done.stdout
