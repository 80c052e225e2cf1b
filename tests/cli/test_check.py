"""`check`: every exit code, several files, folders, the standard input, both formats, colours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from epochproof.cli.main import main

SAID = """\
sc241.epoch
  ✓ proved   "a padded pass processes twelve occurrences"
  ✓ proved   "they are ten distinct records"
  ✓ proved   "records 0 and 1 are read twice, others once"
  ✓ proved   "every rank sees four distinct records"
  ✓ proved   "a trimmed pass reads nine and omits record 9"
  ✓ proved   "unshuffled, no later pass recovers record 9"
  ✓ proved   "cutting local batches brings the loss back"
  ✓ proved   "and no record is read twice any more"
  ✓ refuted  "a padded pass reads each record exactly once"  by record 0

  evidence   7 exhausted, 1 solver, 1 run
  assuming   the dataset does not change
             every delivered record is processed
             all ranks agree on the order of the stream

9 claims: 9 as stated
"""


def files(*names: str) -> list[str]:
    return [f"{name}.epoch" for name in names]


def test_sc241_is_shown_line_by_line(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "sc241.epoch"]) == 0

    out, err = capsys.readouterr()
    assert out == SAID
    assert err == ""


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["right"], 0),
        (["refuted"], 1),
        (["proved"], 1),
        (["vacuous"], 1),
        (["wrong"], 2),
        (["missing"], 2),
        (["right", "refuted"], 1),
        (["refuted", "wrong", "right"], 2),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_code_is_that_of_the_worst_spec(
    specs: Path, names: list[str], code: int, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", form, *files(*names)]) == code


def test_wrong_file_does_not_stop_the_others(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *files("wrong", "right")]) == 2

    out, err = capsys.readouterr()
    assert 'proved   "costs little"' in out
    assert out.endswith("2 files, 1 claim: 1 as stated; 1 file could not be read\n")
    assert "did you mean `train" in err and "--> wrong.epoch:8:" in err


def test_wrong_file_alone_has_no_summary(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.epoch"]) == 2
    assert capsys.readouterr().out == ""


def test_folder_stands_for_the_specs_below_it(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b/deep/z.epoch", "b/a.epoch", "b/.hidden/h.epoch", "b/note.txt"):
        (specs / name).parent.mkdir(parents=True, exist_ok=True)
        (specs / name).write_text((specs / "right.epoch").read_text())

    assert main(["check", "--format", "json", "b", "b/a.epoch"]) == 0

    found = json.loads(capsys.readouterr().out)["files"]
    assert [each["path"] for each in found] == ["b/a.epoch", "b/deep/z.epoch"]


def test_folder_without_a_spec_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()

    assert main(["check", "empty"]) == 2
    assert "error[E501]: there is no `.epoch` file in `empty`" in capsys.readouterr().err


def test_unreadable_file_is_an_error(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    assert main(["check", "right.epoch"]) == 2
    assert "error[E119]: cannot read `right.epoch`: permission denied" in capsys.readouterr().err


def test_file_that_is_no_text_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bytes.epoch").write_bytes(b"edition 1\n\xff\n")

    assert main(["check", "bytes.epoch"]) == 2
    assert "error[E120]: line 2 of `bytes.epoch` is not UTF-8" in capsys.readouterr().err


def test_standard_input_is_a_spec(
    specs: Path, typed: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed((specs / "refuted.epoch").read_bytes())

    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("<stdin>\n")


@pytest.mark.parametrize(
    ("content", "code"), [(b"edition 1\n\xff\n", "E120"), (b" " * 1_000_001, "E121"), (b"", "E105")]
)
def test_wrong_standard_input_is_an_error(
    content: bytes, code: str, typed: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed(content)

    assert main(["check", "-"]) == 2
    assert f"error[{code}]" in capsys.readouterr().err


def test_json_holds_the_diagnostics_of_a_wrong_file(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", "wrong.epoch"]) == 2

    out, err = capsys.readouterr()
    (file,) = json.loads(out)["files"]
    assert file["path"] == "wrong.epoch" and file["claims"] == [] and err == ""
    assert file["diagnostics"][0]["span"]["start"] == {"line": 8, "column": 16}


def test_verbose_shows_what_each_verdict_rests_on(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-v", "sc241.epoch"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r" {13}evidence exhausted\(1\), \d\.\d{3} s, assuming 1, 2 and 3", lines[2])
    assert "  assuming   1  the dataset does not change" in lines


def test_no_colours_where_no_terminal_is(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", *files("right", "refuted", "wrong")])

    out, err = capsys.readouterr()
    assert "\x1b" not in out + err


def test_force_color_brings_colours_and_no_color_forbids_them(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["check", *files("right", "wrong")])
    forced = capsys.readouterr()
    monkeypatch.setenv("NO_COLOR", "1")
    main(["check", *files("right", "wrong")])
    forbidden = capsys.readouterr()

    assert "\x1b[32m✓\x1b[0m" in forced.out and "\x1b[1;31merror" in forced.err
    assert re.sub(r"\x1b\[[\d;]*m", "", forced.out) == forbidden.out
    assert "\x1b" not in forbidden.out + forbidden.err


def test_dumb_terminal_gets_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    from epochproof.cli._terminal import colour  # noqa: PLC0415 -- private, for this test alone

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    on_terminal = colour(Terminal())  # type: ignore[arg-type]  # what it asks for is there
    monkeypatch.setenv("TERM", "dumb")

    assert on_terminal is True
    assert colour(Terminal()) is False  # type: ignore[arg-type]  # as above
