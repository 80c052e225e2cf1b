"""Every code is explained, and every explanation is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import epochproof
from epochproof.codes import Code, all_codes, explain

SOURCE = Path(__file__).resolve().parents[1] / "src" / "epochproof"
OUTSIDE = {"E119", "E120", "E121"}
"""Faults of files; tests/language/test_parse.py shows each of them."""
LIMITS = {
    "E108": "dataset d { size = " + "9" * 1_001 + " }",
    "E113": 'prove "t" : ' + "(" * 101 + "1" + ")" * 101,
    "E114": 'prove "t" : 1' + " + 1" * 201,
    "E115": "loader l over d { " + "batch(1) " * 201 + "}",
}
OF_SPECS = [code for code in all_codes() if code.code[:2] in ("E1", "E2", "E3")]
WITH_EXAMPLE = [code for code in all_codes() if code.example]


def codes_of(text: str) -> list[str]:
    """The codes of the diagnostics of a text."""
    try:
        epochproof.check(text)
    except epochproof.SpecError as error:
        return [each.code for each in error.diagnostics]
    return []


def test_codes_in_use_and_codes_explained_are_the_same() -> None:
    used = {code for path in SOURCE.rglob("*.py") for code in re.findall(r'"(E\d{3})"', path.read_text())}

    assert sorted(used) == [code.code for code in all_codes()]


def test_names_are_words_with_hyphens_and_differ() -> None:
    names = [code.name for code in all_codes()]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


@pytest.mark.parametrize("code", all_codes(), ids=lambda code: code.code)
def test_summary_is_a_line_and_why_is_told(code: Code) -> None:
    assert code.summary and not code.summary.endswith(".") and "\n" not in code.summary
    assert code.why.endswith(".")


@pytest.mark.parametrize("code", all_codes(), ids=lambda code: code.code)
def test_example_comes_with_what_to_write_instead(code: Code) -> None:
    assert bool(code.example) == bool(code.instead)


def test_every_code_of_a_spec_is_shown() -> None:
    assert {code.code for code in OF_SPECS} == {code.code for code in WITH_EXAMPLE} | OUTSIDE | set(LIMITS)


@pytest.mark.parametrize("code", WITH_EXAMPLE, ids=lambda code: code.code)
def test_example_has_its_fault_and_no_other(code: Code) -> None:
    assert codes_of(code.example) == [code.code]


@pytest.mark.parametrize("code", WITH_EXAMPLE, ids=lambda code: code.code)
def test_what_to_write_instead_is_right(code: Code) -> None:
    assert epochproof.check(code.instead).ok


@pytest.mark.parametrize(("code", "text"), LIMITS.items(), ids=list(LIMITS))
def test_limit_is_the_fault_of_a_text_beyond_it(code: str, text: str) -> None:
    assert codes_of(f"edition 1\n{text}") == [code]


def test_code_is_found_in_any_case_and_others_are_not() -> None:
    found = explain("e105")

    assert found is not None and found.name == "missing-edition"
    assert explain("E999") is None
