"""Changes as a program reads them: the document follows its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.diagnostics import fail
from epochproof.prove.change import changes
from epochproof.prove.session import load
from epochproof.report.diff_as_json import refused, render
from tests.report.diffs import CHANGES, OLD

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "spec" / "schemas" / "diff-1.json").read_text())


def read(text: str) -> dict[str, Any]:
    """The document, after it was found to follow the schema."""
    found: dict[str, Any] = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def loader(new: str) -> dict[str, Any]:
    found: dict[str, Any] = read(render(changes(load(OLD), load(new))))["loaders"][0]
    return found


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_of_change_follows_the_schema(kind: str) -> None:
    assert loader(CHANGES[kind])["change"] == kind


def test_records_that_are_read_anew_are_counted_and_listed() -> None:
    witness = loader(CHANGES["population-changing"])["records"]["witness"]

    assert witness == {
        "parameters": {"d.size": 3},
        "epoch": 0,
        "smallest": True,
        "gone": {"count": 0, "records": []},
        "come": {"count": 1, "records": [2]},
        "fewer": {"count": 0, "records": []},
        "more": {"count": 1, "records": [0]},
    }


def test_first_difference_and_what_a_checkpoint_loses_are_named() -> None:
    found = loader(CHANGES["order-only"])

    assert found["order"]["witness"]["first"] == {
        "epoch": 0, "rank": 0, "step": 0, "slot": 0, "old": 0, "new": 2,
    }  # fmt: skip
    assert found["draws"] is None
    assert (found["records"]["verdict"], found["records"]["witness"]) == ("proved", None)


def test_a_spec_that_is_wrong_has_diagnostics() -> None:
    found = read(refused(fail("E514", "no", None)))

    assert (found["loaders"], found["diagnostics"][0]["code"]) == ([], "E514")
