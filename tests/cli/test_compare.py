"""`compare`: files with and without a loader's name, exit codes, JSON, and every wrong call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.cli.main import main

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "spec" / "schemas" / "compare-1.json").read_text())
PADDED, TRIMMED, CUT = (f"sc241.epoch:{each}" for each in ("padded", "trimmed", "padded_then_cut"))


def document(capsys: pytest.CaptureFixture[str], *call: str, code: int) -> dict[str, Any]:
    assert main(["compare", *call, "--format", "json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


@pytest.mark.parametrize(("a", "b", "code"), [(PADDED, TRIMMED, 1), (TRIMMED, CUT, 0), (PADDED, PADDED, 0)])
def test_exit_code_tells_whether_the_population_is_one(specs: Path, a: str, b: str, code: int) -> None:
    assert main(["compare", a, b]) == code


def test_open_where_a_value_is_missing(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (specs / "fixed.epoch").write_text(
        "edition 1\ndataset images { size = 10 }\nloader other over images { ranks = 3 shard(ranks) }\n"
    )

    assert main(["compare", "right.epoch", "fixed.epoch"]) in (1, 3)
    assert "which the spec leaves free" in capsys.readouterr().out


def test_json_has_its_schema(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = (PADDED, TRIMMED, "--elapsed", "A=3s", "--elapsed", "B=2s", "--set", "trimmed.epochs=2")

    found = document(capsys, *call, code=1)

    assert found["apart"]["onlyA"] == {"count": 1, "records": [9]}
    assert found["apart"]["moreOftenA"] == {"count": 2, "records": [0, 1]}
    assert [found[side]["timed"]["occurrencesPerSecond"] for side in ("a", "b")] == [4.0, 4.5]
    assert found["b"]["population"]["run"] == {"epochs": "2", "occurrences": "18", "distinct": "9"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["sc241.epoch", TRIMMED], "`sc241.epoch` has 3 loaders"),
        (["sc241.epoch:pad", TRIMMED], "`sc241.epoch` has no loader `pad`"),
        (["missing.epoch", TRIMMED], "`missing.epoch`"),
        ([PADDED, TRIMMED, "--elapsed", "3s"], "`--elapsed 3s` does not say for which side"),
        ([PADDED, TRIMMED, "--elapsed", "A=3"], "`--elapsed 3` is not a time"),
        ([PADDED, TRIMMED, "--steps", "A=0..1"], "`--steps` of A are given without their time"),
        ([PADDED, TRIMMED, "--set", "trimmed.ranks=3"], "neither offer has a parameter `trimmed.ranks`"),
        ([PADDED, "right.epoch", "--elapsed", "B=1s"], "what `train` reads depends on"),
        ([PADDED, "broken.json"], "this is no DSSE envelope"),
    ],
)
def test_wrong_calls_say_what_to_write(
    specs: Path, capsys: pytest.CaptureFixture[str], call: list[str], message: str
) -> None:
    (specs / "broken.json").write_text("{}")

    assert main(["compare", *call]) == 2

    assert message in capsys.readouterr().err


def test_wrong_call_is_a_document_too(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "sc241.epoch", TRIMMED, code=2)

    assert [each["code"] for each in found["diagnostics"]] == ["E920"]


def test_statements_are_compared_and_their_signatures_checked(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("acme.pem", "other.pem"):
        assert main(["key", "new", "--out", name]) == 0
    assert main(["attest", "sc241.epoch", "--key", "acme.pem", "-o", "a.dsse.json", "--no-recheck"]) == 0
    capsys.readouterr()

    assert main(["compare", "a.dsse.json:padded", TRIMMED]) == 1
    assert "its signature was not checked" in capsys.readouterr().out
    assert main(["compare", "a.dsse.json:padded", TRIMMED, "--key", "acme.pub.pem"]) == 1
    assert "signed by acme.pub.pem" in capsys.readouterr().out
    assert main(["compare", "a.dsse.json:padded", TRIMMED, "--key", "other.pub.pem"]) == 4
    assert "no key that is trusted signed" in capsys.readouterr().err
