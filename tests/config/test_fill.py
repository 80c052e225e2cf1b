"""Expressions of presets with values for parameters: words chosen, truths decided, numbers left alone."""

from __future__ import annotations

import pytest

from epochproof.config.fill import filled, truth_of
from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.language.parse import parse

HERE = Span(7, 9)
VALUES = {
    "yes": "true",
    "no": "false",
    "word": "pad",
    "four": "4",
    "open": "train.batch",
    "all": "any",
}
"""What parameters stand for, as text."""


def expression(text: str) -> tree.Expression:
    (claim,) = parse(f'edition 1\nprove "t" : {text}').statements
    assert isinstance(claim, tree.Claim)
    return claim.formula


def fill(text: str, **more: tree.Expression) -> tree.Expression:
    values = {name: expression(value) for name, value in VALUES.items()} | more
    found: tree.Expression = filled(expression(text), values, HERE)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", True),
        ("not yes", False),
        ("yes and not no", True),
        ("no or no", False),
        ("word == pad", True),
        ("word != pad", False),
        ("word == drop", False),
        ("four == 4", True),
        ("four > 4 or yes", True),
        ("open > 4 or yes", None),
        ("four >= 4 and four < 5", True),
        ("all == any", True),
        ("four == any", False),
        ("open != any", True),
        ("open == any and yes", False),
        ("open > 1", None),
        ("ranks == 1", None),
        ("ranks != 1", None),
        ("workers == any", False),
        ("epochs == ranks", None),
        ("not ranks == 1", None),
        ("word", None),
        ("four + 1", None),
    ],
)
def test_condition_is_decided_by_words_truths_and_fixed_numbers(text: str, *, expected: bool | None) -> None:
    assert truth_of(fill(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if yes then drop else keep", "drop"),
        ("if no then drop else word", "pad"),
        ("if not yes then a else if word == pad then b else c", "b"),
        ("yes and word == pad", "true"),
    ],
)
def test_word_is_chosen(text: str, expected: str) -> None:
    found = fill(text)

    assert isinstance(found, tree.Name) and str(found) == expected


def test_choice_between_numbers_stays_where_a_free_value_decides() -> None:
    found = fill("if open > 1 then four else 2")

    assert isinstance(found, tree.Conditional)
    assert isinstance(found.then, tree.Number) and found.then.value == 4


def test_what_depends_on_an_unreadable_value_is_unreadable() -> None:
    unread = tree.Unread("t.drop", "it is computed", Span(1, 2))

    for text in ("lost", "lost + 1", "if lost then a else b", "not lost", "max(lost, 1)"):
        assert fill(text, lost=unread) is unread


def test_text_of_the_preset_stands_at_the_use_and_values_where_they_are_given() -> None:
    given = expression("3").at(Span(100, 101))
    found = fill("n + 1", n=given)

    assert isinstance(found, tree.Binary)
    assert (found.span, found.left.span, found.right.span) == (HERE, Span(100, 101), HERE)
