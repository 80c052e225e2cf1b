"""A misspelt word gets the nearest known one."""

from __future__ import annotations

import pytest

from epochproof.language.suggest import suggest

STAGES = ("shuffle", "shard", "batch", "fetch")


@pytest.mark.parametrize(
    ("word", "meant"), [("shrad", "shard"), ("suffle", "shuffle"), ("Batch", "batch"), ("fetsh", "fetch")]
)
def test_near_word_is_offered(word: str, meant: str) -> None:
    assert suggest(word, STAGES) == f"did you mean `{meant}`?"


@pytest.mark.parametrize("word", ["", "zzz", "x" * 100_000])
def test_far_word_gets_no_offer(word: str) -> None:
    assert suggest(word, STAGES) == ""


def test_nothing_known_gives_no_offer() -> None:
    assert suggest("shard", ()) == ""


def test_offer_does_not_depend_on_the_order_of_known_words() -> None:
    assert suggest("bats", ["batch", "bath"]) == suggest("bats", ["bath", "batch"])
