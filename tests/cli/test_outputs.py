"""`check --output`: several documents of one call, and what is refused before any claim is judged."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from epochproof.cli import _reading
from epochproof.cli._outputs import Output, written
from epochproof.cli.main import main

FORMATS = ("github", "json", "junit", "sarif", "summary", "text")
CODES = {"right": 0, "refuted": 1, "vacuous": 1, "wrong": 2, "missing": 2}


@pytest.fixture(autouse=True)
def no_github(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_exit_code_is_the_same_in_every_format(
    specs: Path, form: str, name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", form, f"{name}.epoch"]) == code

    out = capsys.readouterr().out
    assert main(["check", f"{name}.epoch", "--output", f"{form}=out"]) == code
    assert form == "text" or _without_times(Path("out").read_text()) == _without_times(out)


def _without_times(text: str) -> list[str]:
    return [line for line in text.splitlines() if "time=" not in line and '"seconds"' not in line]


def test_several_documents_come_of_one_call_and_text_stays_on_the_output(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judged: list[str] = []
    proved = _reading._proved

    def counted(path: str, *given: Any) -> _reading.Reading:
        judged.append(path)
        return proved(path, *given)

    monkeypatch.setattr(_reading, "_proved", counted)
    wanted = [part for form in FORMATS for part in ("--output", f"{form}=out.{form}")]

    assert main(["check", "right.epoch", "refuted.epoch", *wanted]) == 1

    out, err = capsys.readouterr()
    assert judged == ["right.epoch", "refuted.epoch"] and err == ""
    assert out.startswith("right.epoch\n") and out.endswith("1 not as stated\n")
    assert json.loads(Path("out.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "claim-refuted"
    assert len(ET.parse("out.junit").getroot()) == 2  # noqa: S314 -- written by ourselves
    assert len(json.loads(Path("out.json").read_text())["files"]) == 2
    assert Path("out.github").read_text().startswith("::error file=refuted.epoch,")
    assert Path("out.summary").read_text().startswith("## Data schedule\n")
    assert Path("out.text").read_text() == out


def test_text_document_holds_the_diagnostics_too(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "wrong.epoch", "right.epoch", "--output", "text=out"])

    shown = Path("out").read_text()
    assert "did you mean `train" in shown and shown.endswith("1 file could not be read\n")


@pytest.mark.parametrize(
    ("values", "code", "said"),
    [
        (["sarif"], "E515", "`sarif` is not `FORMAT=PATH`\n  = help: write `--output sarif=claims.sarif`"),
        (["sarif="], "E515", "`sarif=` is not `FORMAT=PATH`"),
        (["sraif=a"], "E515", "there is no format `sraif`\n  = help: did you mean `sarif`?"),
        (["xml=a"], "E515", "there is no format `xml`\n  = help: formats are github, json, junit, sarif,"),
        (["../report/_room=a"], "E515", "there is no format `../report/_room`"),
        (["junit=-"], "E515", "takes a file, not `-`\n  = help: `--format junit` prints the document"),
        (["junit=a", "sarif=./a"], "E515", "`./a` is named twice in one call"),
        (["junit=link", "sarif=target"], "E515", "`target` is named twice in one call"),
        (["junit=right.epoch"], "E515", "`right.epoch` is named twice in one call"),
        (["junit=none/a"], "E510", "cannot write `none/a`: there is no such folder"),
        (["junit=right.epoch/a"], "E510", "cannot write `right.epoch/a`: there is no such folder"),
        (["junit=."], "E510", "cannot write `.`: it is a folder\n"),
    ],
)
def test_wrong_output_is_told_before_any_claim_is_judged(
    specs: Path,
    values: list[str],
    code: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(_reading, "_proved", None)
    (specs / "target").write_text("as it was")
    (specs / "link").symlink_to("target")
    before = (specs / "right.epoch").read_text()

    assert main(["check", "right.epoch", *(part for each in values for part in ("--output", each))]) == 2

    out, err = capsys.readouterr()
    assert out == "" and f"error[{code}]: " in err and said in err
    assert (specs / "right.epoch").read_text() == before and (specs / "target").read_text() == "as it was"


def test_spec_in_a_folder_is_not_overwritten(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--output", "json=right.epoch"]) == 2
    assert "error[E515]" in capsys.readouterr().err


def test_file_that_may_not_be_written_is_told_first(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert main(["check", "right.epoch", "--output", "json=a"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "error[E510]: cannot write `a`: permission denied" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("form", ["text", "sarif"])
def test_failure_to_write_loses_no_verdict_and_no_other_document(
    specs: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--output", "json=/dev/full", "--output", "junit=a.xml"]

    assert main(["check", "refuted.epoch", "--format", form, *wanted]) == 2

    out, err = capsys.readouterr()
    assert "refuted" in out and "error[E510]: cannot write `/dev/full`: no space left on device" in err
    assert "claim-refuted" in Path("a.xml").read_text()


def test_loop_of_links_cannot_be_written(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (specs / "loop").symlink_to("loop")

    assert main(["check", "right.epoch", "--output", "json=loop"]) == 2
    assert "error[E510]: cannot write `loop`" in capsys.readouterr().err


def test_github_gets_a_summary_after_what_stands_there(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs / "summary.md"))
    (specs / "summary.md").write_text("before\n")

    main(["check", "right.epoch"])
    main(["check", "right.epoch", "--format", "sarif"])
    assert (specs / "summary.md").read_text() == "before\n"
    main(["check", "right.epoch", "--format", "github"])

    assert (
        (specs / "summary.md").read_text().startswith("before\n## Data schedule\n\n✅ 1 claim: 1 as stated\n")
    )


def test_summary_that_cannot_be_written_names_its_variable(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs / "none" / "summary.md"))

    assert main(["check", "right.epoch", "--format", "github"]) == 2
    assert "help: `GITHUB_STEP_SUMMARY` names this path" in capsys.readouterr().err


def uris(specs: Path, *named: str) -> list[str]:
    main(["check", *named, "--output", f"sarif={specs / 'out.sarif'}"])
    results = json.loads((specs / "out.sarif").read_text())["runs"][0]["results"]
    return [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]


def test_paths_are_relative_wherever_the_spec_is_named_from(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (specs / "sub").mkdir()
    (specs / "sub" / "a b.epoch").write_text((specs / "refuted.epoch").read_text())

    assert uris(specs, "./sub/../refuted.epoch", str(specs / "sub")) == ["refuted.epoch", "sub/a%20b.epoch"]
    monkeypatch.chdir("sub")
    assert uris(specs, "a b.epoch", "../refuted.epoch") == ["a%20b.epoch", "../refuted.epoch"]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(specs))
    assert uris(specs, "a b.epoch", "../refuted.epoch") == ["sub/a%20b.epoch", "refuted.epoch"]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(specs / "elsewhere"))
    assert uris(specs, "a b.epoch") == ["a%20b.epoch"]


def test_link_inside_keeps_its_name_and_one_outside_does_not(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (specs / "inside").symlink_to(specs)
    outside = specs.parent / f"{specs.name}-outside"
    outside.symlink_to(specs)

    found = uris(specs, "inside/refuted.epoch", str(outside / "refuted.epoch"))

    assert found == ["inside/refuted.epoch", "refuted.epoch"]


def test_json_names_a_spec_as_the_call_does(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "./right.epoch", "--format", "json"])

    assert json.loads(capsys.readouterr().out)["files"][0]["path"] == "./right.epoch"


def test_nothing_to_check_is_a_document_too(here: Path) -> None:
    assert written([Output("github", "out")], []) is True
    assert Path("out").read_text() == "0 claims: nothing to prove\n"


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX only")
def test_file_name_that_is_no_unicode_stands_in_every_document(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = os.fsdecode(b"\xff::error::\n,%]]>.epoch")
    (specs / name).write_text((specs / "refuted.epoch").read_text())
    wanted = [part for form in FORMATS for part in ("--output", f"{form}=out.{form}")]

    assert main(["check", name, *wanted]) == 1

    for form in FORMATS:
        assert Path(f"out.{form}").read_text(encoding="utf-8")
    (result,) = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "%FF%3A%3Aerror%3A%3A%0A%2C%25%5D%5D%3E.epoch"
