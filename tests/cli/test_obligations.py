"""`obligations`: a file for each obligation, an index, and the same bytes each time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.cli.main import main
from epochproof.prove.recheck import ask

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "spec" / "schemas" / "obligations-1.json").read_text())


def index(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "index.json").read_text())
    jsonschema.validate(found, SCHEMA)
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())}


def test_each_obligation_has_a_file_and_its_digest(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["obligations", "right.epoch", "--out", "a/b"]) == 0

    (claim,) = index(specs / "a" / "b")["claims"]
    assert (claim["verdict"], claim["evidence"]) == ("proved", "solver")
    assert [each["role"] for each in claim["obligations"]][:2] == ["claim", "side condition"]
    for each in claim["obligations"]:
        text = (specs / "a" / "b" / each["file"]).read_bytes()
        assert hashlib.sha256(text).hexdigest() == each["digest"]["sha256"]
    assert capsys.readouterr().out.split()[:2] == [str(len(claim["obligations"])), "obligations"]


def test_bytes_are_the_same_each_time(specs: Path) -> None:
    main(["obligations", "right.epoch", "--out", "one", "--linear"])
    (specs / "other.epoch").write_text(
        (specs / "right.epoch").read_text().replace("  shard", "\n# c\n shard")
    )
    main(["obligations", "other.epoch", "--out", "two", "--linear"])

    assert contents(specs / "one") == contents(specs / "two")


def test_linear_steps_are_written_where_asked(specs: Path) -> None:
    main(["obligations", "right.epoch", "--out", "out", "--linear"])

    (claim,) = index(specs / "out")["claims"]
    ways = [way for each in claim["obligations"] for way in each["linear"]]
    texts = [way["file"] for way in ways[:1]] + ways[0]["facts"]
    assert {ask((specs / "out" / each).read_text(), 300_000) for each in texts} == {"unsat"}


def test_earlier_files_are_replaced_and_others_left(specs: Path) -> None:
    main(["obligations", "right.epoch", "--out", "out"])
    (specs / "out" / "note.smt2").write_text("mine")
    main(["obligations", "sc241.epoch", "--out", "out"])

    named = {each["file"] for claim in index(specs / "out")["claims"] for each in claim["obligations"]}
    assert set(contents(specs / "out")) == {*named, "note.smt2", "index.json"}


def test_one_claim_may_be_chosen(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["obligations", "sc241.epoch", "--out", "out", "--claim", "1"]) == 0

    (claim,) = index(specs / "out")["claims"]
    assert claim["number"] == 1 and claim["obligations"] == []
    assert capsys.readouterr().out.startswith("none, exhausted(1) ")
    assert main(["obligations", "sc241.epoch", "--out", "out", "--claim", "no such"]) == 2
    assert "error[E512]" in capsys.readouterr().err


def test_folder_that_cannot_be_written_is_an_error(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["obligations", "right.epoch", "--out", "right.epoch"]) == 2
    assert "error[E510]: cannot write `right.epoch`" in capsys.readouterr().err
    assert main(["obligations", "right.epoch"]) == 2
