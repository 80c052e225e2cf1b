"""A stage that is too long for its line has an argument a line; others stay as they are."""

from __future__ import annotations

import pytest

from epochproof.language.broken import broken
from epochproof.language.format import format_text

FIRST = "first = agree(a.first_of_the_arguments, b.first_of_them)"
LONG = f"use frame.Work({FIRST}, second = min(1, 2, 3), third_of_all_of_them = 4)"
SPEC = f"edition 1\ndataset d {{ size = 3 }}\nloader l over d {{\n  {LONG} # note\n  batch(1)\n}}\n"
WRITTEN = """loader l over d {
  use frame.Work(
    first = agree(a.first_of_the_arguments, b.first_of_them),
    second = min(1, 2, 3),
    third_of_all_of_them = 4
  )  # note
  batch(1)
}
"""


def test_long_stage_has_an_argument_a_line() -> None:
    written = format_text(SPEC)

    assert written.endswith(WRITTEN)
    assert format_text(written) == written


@pytest.mark.parametrize(
    ("stage", "lines"),
    [
        ("batch(32, tail = drop)", ["batch(32, tail = drop)"]),
        ("fetch(workers, prefetch = 2)", ["fetch(", "  workers,", "  prefetch = 2", ")"]),
        ('files("a, b", rows = [1, 2], last)', ["files(", '  "a, b",', "  rows = [1, 2],", "  last", ")"]),
        ("a_name_without_arguments_of_any_kind", ["a_name_without_arguments_of_any_kind"]),
    ],
)
def test_breaks_stand_between_arguments(stage: str, lines: list[str]) -> None:
    assert broken(stage, 25) == lines
