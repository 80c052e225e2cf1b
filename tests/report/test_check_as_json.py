"""Verdicts as a program reads them: the document follows its schema, exact to the last digit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked, check
from epochproof.prove.verdict import Counterexample, Judged, Verdict
from epochproof.report.check_as_json import render

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "spec" / "schemas" / "check-1.json").read_text())
ORIGINALS = ROOT / "tests" / "language" / "originals"
MIXED = """edition 1
dataset images { size in 1.. }
loader train over images {
  ranks in 1..
  shard(ranks, tail = drop)
}
assume "enough" : images.size >= train.ranks
prove  "all" : train.omitted == {}
refute "few" : count(train.omitted) < train.ranks
prove  "nothing" : train.omitted == {} given images.size < 1
"""


def document(*outcomes: Checked | SpecError) -> dict[str, Any]:
    """The document of some outcomes, after it was found to follow the schema."""
    found: dict[str, Any] = json.loads(render(outcomes))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def wrong(text: str) -> SpecError:
    with pytest.raises(SpecError) as raised:
        check(text)
    return raised.value


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_keys_of_a_claim_are_these() -> None:
    (file,) = document(check(ORIGINALS / "tiny.epoch"))["files"]

    claim = file["claims"][2]
    assert claim.pop("seconds") >= 0
    assert claim == {
        "text": "four times at most",
        "kind": "refute",
        "verdict": "refuted",
        "as_stated": True,
        "evidence": "run(1)",
        "assumptions": [
            "the dataset does not change",
            "every delivered record is processed",
            "all ranks agree on the order of the stream",
        ],
        "counterexample": {
            "parameters": {"few.size": 1},
            "records": [0],
            "stage": "shard",
            "replayed": "model",
        },
    }


def test_every_outcome_follows_the_schema() -> None:
    (file,) = document(check(MIXED))["files"]

    words = [(each["verdict"], each["as_stated"], each["counterexample"] is None) for each in file["claims"]]
    assert words == [("refuted", False, False), ("proved", False, True), ("vacuous", False, True)]
    assert file["claims"][2]["reason"]
    assert "enough" in file["claims"][0]["assumptions"]


def test_unknown_says_why() -> None:
    checked = check(MIXED)
    undecided = Judged("t", "prove", checked.claims[0].span, Verdict("unknown", reason="tried"), 0.1, ())

    (file,) = document(Checked("p", (undecided,), checked.source))["files"]

    assert file["claims"][0]["reason"] == "tried" and file["claims"][0]["evidence"] == ""


def test_integers_beyond_2_to_the_53_are_strings() -> None:
    checked = check(MIXED)
    values = {"a.size": 2**53, "b.size": 2**53 + 1}
    verdict = Verdict("refuted", "run(1)", Counterexample(values, (2**60,), None, None, None, smallest=True))
    claim = Judged("t", "prove", checked.claims[0].span, verdict, 0.1, ())

    (file,) = document(Checked("p", (claim,), checked.source))["files"]

    shown = file["claims"][0]["counterexample"]
    assert shown["parameters"] == {"a.size": 9007199254740992, "b.size": "9007199254740993"}
    assert shown["records"] == ["1152921504606846976"] and shown["stage"] is None


def test_wrong_spec_has_diagnostics_and_no_claims() -> None:
    error = wrong("edition 1\ndataset d { size = 1 size = 2 }\n")

    one, other = document(error, check(MIXED))["files"]

    assert one["path"] == "<spec>" and one["claims"] == [] and other["diagnostics"] == []
    (found,) = one["diagnostics"]
    assert (found["code"], found["severity"]) == ("E117", "error")
    assert found["span"]["start"] == {"line": 2, "column": 22}
    assert found["secondary"][0]["span"]["start"] == {"line": 2, "column": 13}


def test_error_without_a_text_has_no_place() -> None:
    (file,) = document(wrong("missing.epoch"))["files"]

    assert file["path"] == "missing.epoch" and file["diagnostics"][0]["span"] is None


def test_document_is_ascii_and_lists_of_numbers_are_lines() -> None:
    text = MIXED.replace('"all"', '"日本"')

    shown = render([check(text)])

    assert shown.isascii() and re.search(r'"records": \[\d+\],\n', shown)
    assert json.loads(shown)["files"][0]["claims"][0]["text"] == "日本"
