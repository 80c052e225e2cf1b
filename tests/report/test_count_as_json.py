"""Populations as a program reads them: the document follows its schema."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema

from epochproof.diagnostics import fail
from epochproof.prove.population import Population, Records, Run
from epochproof.report.count_as_json import refused, render

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "spec" / "schemas" / "count-1.json").read_text())


def read(text: str) -> dict[str, Any]:
    """The document, after it was found to follow the schema."""
    found: dict[str, Any] = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def loader(seconds: Fraction | None = None, **changes: object) -> dict[str, Any]:
    values: dict[str, object] = {
        "loader": "padded",
        "parameters": {"train.ranks": 3},
        "occurrences": 12,
        "distinct": 10,
        "padding": 2,
        "omitted": Records(0, (), ""),
        "repeated": Records(2, (Run(0, 1, 1),), ""),
        "steps_min": 1,
        "steps_max": 2,
        "how": "closed form",
        "portion": None,
    }
    population = Population(**(values | changes))  # type: ignore[arg-type]  # one value a field
    found: dict[str, Any] = read(render([population], seconds=seconds))["loaders"][0]
    return found


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_keys_of_a_loader_are_these() -> None:
    assert loader() == {
        "name": "padded",
        "parameters": {"train.ranks": 3},
        "occurrences": 12,
        "distinct": 10,
        "padding": 2,
        "omitted": {"count": 0, "records": []},
        "repeated": {"count": 2, "records": [0, 1]},
        "steps": {"min": 1, "max": 2},
    }


def test_a_thousand_records_are_listed_and_more_are_runs() -> None:
    runs = (Run(0, 998, 2), Run(1, 999, 2))

    assert loader(omitted=Records(1_000, runs, ""))["omitted"]["records"] == list(range(1_000))
    assert loader(omitted=Records(1_001, (*runs, Run(2**60, 2**60, 1)), ""))["omitted"] == {
        "count": 1_001,
        "records": [
            {"first": 0, "last": 998, "stride": 2},
            {"first": 1, "last": 999, "stride": 2},
            {"first": str(2**60), "last": str(2**60), "stride": 1},
        ],
    }


def test_records_that_depend_on_the_order_are_null() -> None:
    assert loader(omitted=Records(1, None, "which one depends on the seed"))["omitted"] == {
        "count": 1,
        "records": None,
    }


def test_integers_beyond_2_to_the_53_are_strings() -> None:
    assert loader(occurrences=2**53 + 1)["occurrences"] == "9007199254740993"


def test_portion_and_rates_are_there_when_asked_for() -> None:
    found = loader(Fraction("0.5"), portion=(10, 20))

    assert found["portion"] == {"first": 10, "last": 20}
    assert found["rates"] == {
        "seconds": 0.5,
        "occurrences_per_second": 24.0,
        "distinct_records_per_second": 20.0,
    }


def test_rate_that_no_float_holds_is_rounded() -> None:
    rates = loader(Fraction(1), occurrences=10**400)["rates"]

    assert rates["occurrences_per_second"] == str(10**400)


def test_refused_call_has_diagnostics_and_no_loaders() -> None:
    found = read(refused(fail("E505", "`--steps 1` is not a range of steps", None)))

    assert found["loaders"] == [] and found["diagnostics"][0]["code"] == "E505"
