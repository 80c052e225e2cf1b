"""`count`: populations, values of free parameters, portions, rates, and every wrong call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from epochproof.cli.main import main

FREE = ["--set", "images.size=10", "--set", "train.ranks=3"]


def loaders(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    """The loaders of a call, by name."""
    assert main(["count", "--format", "json", *argv]) == 0
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)["loaders"]}


def test_sc241_has_its_populations(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = loaders(capsys, "sc241.epoch")

    assert found["padded"] == {
        "name": "padded",
        "parameters": {},
        "occurrences": 12,
        "distinct": 10,
        "padding": 2,
        "omitted": {"count": 0, "records": []},
        "repeated": {"count": 2, "records": [0, 1]},
        "steps": {"min": 1, "max": 1},
    }
    assert found["trimmed"]["omitted"] == {"count": 1, "records": [9]}
    assert (found["trimmed"]["occurrences"], found["trimmed"]["distinct"]) == (9, 9)
    assert found["padded_then_cut"]["omitted"] == {"count": 1, "records": [9]}
    assert found["padded_then_cut"]["repeated"] == {"count": 0, "records": []}


def test_free_parameters_take_values(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = loaders(capsys, "right.epoch", *FREE)["train"]

    assert train["parameters"] == {"images.size": 10, "train.ranks": 3}
    assert (train["occurrences"], train["padding"], train["steps"]) == (12, 2, {"min": 1, "max": 1})


def test_rates_are_two_different_things(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rates = loaders(capsys, "sc241.epoch", "--elapsed", "12.5s")["padded"]["rates"]

    assert rates == {"seconds": 12.5, "occurrences_per_second": 0.96, "distinct_records_per_second": 0.8}


@pytest.mark.parametrize(
    ("elapsed", "seconds"), [("500ms", 0.5), ("2s", 2), ("2 m", 120), ("1.5h", 5400), ("1_000s", 1000)]
)
def test_times_have_units(
    specs: Path, elapsed: str, seconds: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert loaders(capsys, "sc241.epoch", "--elapsed", elapsed)["padded"]["rates"]["seconds"] == seconds


def test_portion_is_counted_alone(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["right.epoch", "--set", "images.size=100", "--set", "train.ranks=2", "--steps", "10..11"]

    train = loaders(capsys, *argv)["train"]

    assert train["portion"] == {"first": 10, "last": 11}
    assert (train["occurrences"], train["distinct"]) == (16, 16)


def test_missing_values_are_asked_for(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "right.epoch"]) == 2

    err = capsys.readouterr().err
    assert "error[E504]: `train` needs values for `images.size` and `train.ranks`\n" in err
    assert "2 | dataset images { size in 1.. }\n" in err
    assert "for example `--set images.size=1_000 --set train.ranks=8`\n" in err


def test_only_what_is_missing_is_asked_for(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "right.epoch", *FREE[:2]]) == 2
    assert "error[E504]: `train` needs a value for `train.ranks`\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--set", "train.rank=3"], "E502]: there is no parameter `train.rank`\n"),
        (["--set", "train.rank=3"], "help: did you mean `train.ranks`?"),
        (["--set", "ranks=3"], "help: did you mean `train.ranks`?"),
        (["--set", "train.workers=3"], "E502]: `train.workers` is fixed at 0 in the spec\n"),
        (["--set", "train.ranks=5_000"], "E503]: `train.ranks` cannot be 5_000: it lies outside `1..4096`"),
        (["--set", "train.ranks"], "E513]: `--set train.ranks` is not `NAME=VALUE`"),
        (["--set", "train.ranks=two"], "E513]: `--set train.ranks=two` is not `NAME=VALUE`"),
        (["--set", "train.ranks=1.5"], "E513]"),
        ([*FREE, *FREE], "E513]: `--set images.size` is given twice"),
        (["--steps", "10"], "E505]: `--steps 10` is not a range of steps"),
        (["--steps", "20..10"], "E505]: `--steps 20..10` holds no step"),
        (["--elapsed", "12.5"], "E506]: `--elapsed 12.5` is not a time"),
        (["--elapsed", "0s"], "E506]: `--elapsed 0s` is not a time"),
        (["--elapsed", "-1s"], "E509]"),
    ],
)
def test_wrong_call_is_a_diagnostic(
    specs: Path, argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", "right.epoch", *argv]) == 2

    out, err = capsys.readouterr()
    assert said in err and out == ""


def test_json_holds_the_diagnostics_of_a_wrong_call(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "right.epoch", "--format", "json"]) == 2

    said = json.loads(capsys.readouterr().out)
    assert said["loaders"] == [] and said["diagnostics"][0]["code"] == "E504"


def test_value_of_many_digits_is_read(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = "9" * 400

    train = loaders(capsys, "right.epoch", "--set", f"images.size={size}", "--set", "train.ranks=1")["train"]

    assert train["parameters"]["images.size"] == size
    assert train["omitted"]["count"] == 3
