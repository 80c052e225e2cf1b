"""Populations as a person reads them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from epochproof.prove.population import Population, Records, Run
from epochproof.report._decimal import decimal
from epochproof.report.count_as_text import render

NONE = Records(0, (), "")


def population(**changes: object) -> Population:
    values: dict[str, object] = {
        "loader": "padded",
        "parameters": {},
        "occurrences": 12,
        "distinct": 10,
        "padding": 2,
        "omitted": NONE,
        "repeated": Records(2, (Run(0, 1, 1),), ""),
        "steps_min": 1,
        "steps_max": 1,
        "how": "closed form",
        "portion": None,
    }
    return Population(**(values | changes))  # type: ignore[arg-type]  # one value a field


def lines(**changes: object) -> list[str]:
    return render("sc241.epoch", [population(**changes)]).splitlines()[3:]


def test_whole_table_is_aligned() -> None:
    assert render("sc241.epoch", [population()]) == (
        "sc241.epoch\n"
        "\n"
        "  padded  one pass, closed form\n"
        "    occurrences  12\n"
        "    distinct     10\n"
        "    padding       2\n"
        "    omitted       0\n"
        "    repeated      2  records 0 and 1\n"
        "    steps         1  on every rank"
    )


def test_head_names_values_and_portion() -> None:
    shown = render("p", [population(parameters={"train.ranks": 4_096}, portion=(10, 20))])

    assert shown.splitlines()[2] == (
        "  padded  steps 10..20, both included, closed form  train.ranks = 4_096"
    )


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (Records(1, (Run(9, 9, 1),), ""), " 1  record 9"),
        (Records(3, (Run(1, 7, 3),), ""), " 3  records 1, 4 and 7"),
        (Records(1_000, (Run(0, 999, 1),), ""), "1_000  records 0..999"),
        (Records(500, (Run(1, 999, 2),), ""), "500  records 1..999 in steps of 2"),
        (
            Records(101, (Run(0, 99, 1), Run(1_000, 1_000, 1)), ""),
            "101  records 0..99 and 1_000",
        ),
        (
            Records(60, tuple(Run(k, k + 9, 1) for k in range(0, 120, 20)), ""),
            "60  records 0..9, 20..29, 40..49, 60..69 and 2 more runs",
        ),
        (Records(2, None, "which ones depends on the seed"), " 2  which ones depends on the seed"),
    ],
)
def test_records_are_listed_as_far_as_they_can_be_read(records: Records, said: str) -> None:
    assert any(line.endswith(said) for line in lines(omitted=records))


def test_ranks_may_run_different_numbers_of_steps() -> None:
    assert (
        lines(steps_min=2, steps_max=3)[-1] == "    steps         3  on the longest rank, 2 on the shortest"
    )


def test_rates_are_two_lines() -> None:
    shown = render("p", [population()], seconds=Fraction("12.5")).splitlines()

    assert shown[-3:] == [
        "    over the pass",
        "      0.96  occurrences per second       repeats included: 12 in 12.5 s",
        "       0.8  distinct records per second  each record once: 10 in 12.5 s",
    ]
    assert "    over these steps" in render("p", [population(portion=(0, 0))], seconds=Fraction(1))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Fraction(0), "0"),
        (Fraction(2, 3), "0.666667"),
        (Fraction(25, 2), "12.5"),
        (Fraction(99_999), "99999"),
        (Fraction(1_234_567), "1_234_567"),
        (Fraction(10**400), f"{10**400:_}"),
        (Fraction(1, 3_000_000), "3.33333e-07"),
    ],
)
def test_rate_keeps_every_digit_that_counts(value: Fraction, said: str) -> None:
    assert decimal(value) == said


def test_colours_are_written_only_when_asked() -> None:
    assert "\x1b" not in render("p", [population()], seconds=Fraction(1))
    assert "\x1b[1mpadded\x1b[0m" in render("p", [population()], colour=True)
