"""Verdicts as JUnit's XML: any text survives as far as XML can hold it, and the counts are right."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from epochproof.diagnostics import SpecError, fail
from epochproof.prove.session import Checked
from epochproof.report.check_as_junit import render
from tests.report.outcomes import hostile, mixed, right, wrong


def document(*outcomes: Checked | SpecError) -> ET.Element:
    """The root of the document, whose counts were found to be right."""
    root = ET.fromstring(render(outcomes))  # noqa: S314 -- written by ourselves
    for each in [root, *root.findall("testsuite")]:
        assert int(each.get("tests", "")) == len(list(each.iter("testcase")))
        assert int(each.get("failures", "")) == len(list(each.iter("failure")))
        assert int(each.get("errors", "")) == len(list(each.iter("error")))
        seconds = sum(float(case.get("time", "")) for case in each.iter("testcase"))
        assert abs(float(each.get("time", "")) - seconds) < 0.01
    return root


def test_spec_is_a_suite_and_claim_a_case() -> None:
    one, other = document(mixed(), right())

    assert (one.get("name"), other.get("name")) == ("train.epoch", "right.epoch")
    cases = [(each.get("name"), each.get("line"), [found.tag for found in each]) for each in one]
    assert cases == [
        ("all", "8", ["failure"]),
        ("few", "9", ["failure"]),
        ("nothing", "10", ["failure"]),
        ("right", "11", []),
        ("open", "11", ["error"]),
    ]
    assert {each.get("file") for each in one} == {each.get("classname") for each in one} == {"train.epoch"}


def test_failure_holds_the_counterexample() -> None:
    (suite,) = document(mixed())

    found = suite[0][0]
    assert found.get("type") == "claim-refuted" and found.get("message") == 'prove "all" is refuted'
    lines = (found.text or "").splitlines()
    assert lines[2:] == [
        "  images.size = 3, train.ranks = 2",
        "  record 2",
        "train.epoch:5  shard(ranks, tail = drop)  <- record 2 is lost here",
    ]
    assert "no rule; 3 worlds were run" in (suite[4][0].text or "")


def test_each_diagnostic_of_a_wrong_spec_is_an_error() -> None:
    wrong_spec, unread, unknown = document(wrong(), wrong("missing.epoch"), fail("E501", "no spec", None))

    assert wrong_spec[0].get("name") == "E117 given-twice" and wrong_spec[0].get("line") == "2"
    assert wrong_spec[0][0].tag == "error" and "delete one of the two" in (wrong_spec[0][0].text or "")
    assert unread[0].get("line") is None and unread[0][0].get("type") == "E119"
    assert unknown.get("name") == ""


def test_hostile_text_stays_text() -> None:
    shown = render([hostile(), wrong(path="]]>\x01")])

    root = document(hostile(), wrong(path="]]>\x01"))
    assert [each.tag for each in root] == ["testsuite", "testsuite"] and len(root[0]) == 5
    assert not re.search(r"[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", shown)
    name = root[0][0].get("name") or ""
    assert "]]> </testcase> [l](http://e) {0}" in name and "日本 𝄞 | <b> \ufffd" in name and "\n" not in name
    assert shown.encode("utf-8")


def test_nothing_to_check_is_an_empty_document() -> None:
    assert document().get("tests") == "0"
