"""`report`: where the page goes, which values are drawn, and every wrong call; `count --plot` beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from epochproof.cli.main import main


def test_page_is_written_whatever_the_verdicts_are(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "refuted.epoch", "-o", "page.html"]) == 0

    assert (specs / "page.html").read_text().startswith("<!doctype html>")
    assert capsys.readouterr().out == ""


def test_values_are_drawn(specs: Path) -> None:
    argv = ["--set", "images.size=13", "--set", "train.ranks=4"]

    assert main(["report", "right.epoch", "-o", "page.html", *argv]) == 0

    assert "images.size = 13, train.ranks = 4" in (specs / "page.html").read_text()


def test_page_goes_to_the_standard_output(
    specs: Path, typed: Callable[[bytes], None], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    typed((specs / "sc241.epoch").read_bytes())

    assert main(["report", "-", "-o", "-"]) == 0

    assert capsysbinary.readouterr().out.endswith(b"</html>\n")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["wrong.epoch", "-o", "page.html"], "E3"),
        (["none.epoch", "-o", "page.html"], "E119"),
        (["right.epoch", "-o", "right.epoch"], "E510"),
        (["right.epoch", "-o", "none/page.html"], "E510"),
        (["right.epoch"], "E509"),
        (["right.epoch", "-o", "page.html", "--set", "train.ranks"], "E513"),
        (["right.epoch", "-o", "page.html", "--set", "train.ranks=5_000"], "E503"),
        (["right.epoch", "-o", "page.html", "--set", "train.rank=5"], "E502"),
    ],
)
def test_wrong_calls_write_nothing(
    specs: Path, capsys: pytest.CaptureFixture[str], argv: list[str], code: str
) -> None:
    before = (specs / "right.epoch").read_text()

    assert main(["report", *argv]) == 2

    assert f"error[{code}" in capsys.readouterr().err
    assert not (specs / "page.html").exists()
    assert (specs / "right.epoch").read_text() == before


def test_count_draws_what_it_counts(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--set", "images.size=5", "--set", "train.ranks=1"]

    assert main(["count", "right.epoch", "--plot", *argv]) == 0

    out = capsys.readouterr().out
    assert "    step    0\n    rank 0  0 1 2 3\n    omitted in the epoch: 4\n" in out
    assert "\x1b" not in out


def test_count_says_what_is_too_large_to_draw(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--set", "images.size=1_000_000_000_000", "--set", "train.ranks=1"]

    assert main(["count", "right.epoch", "--plot", *argv]) == 0

    assert "  train  too large to be drawn" in capsys.readouterr().out


def test_count_draws_for_persons_alone(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "sc241.epoch", "--plot", "--format", "json"]) == 2

    assert '"code":"E509"' in capsys.readouterr().out.replace(" ", "")
