"""A diagnostic shows its message, its place with carets, and help; and cannot steer a terminal."""

from __future__ import annotations

import re

from epochproof.diagnostics import Diagnostic, Label, Source, Span
from epochproof.language.columns import width
from epochproof.report.diagnostics_as_text import render


def span(text: str, words: str, *, last: bool = False) -> Span:
    """Where some words stand in a text."""
    start = text.rindex(words) if last else text.index(words)
    return Span(start, start + len(words))


def drawn(text: str, words: str, *, label: str = "") -> list[str]:
    """The excerpt and the underline of an error at some words of a text."""
    source = Source("a.epoch", text)
    lines = render(Diagnostic("E101", "wrong", span(text, words), label), source).splitlines()
    return lines[3:5]


def test_whole_diagnostic_is_drawn() -> None:
    text = "edition 1\ndataset d { size = 1 size = 2 }\n"
    second = Label(span(text, "size"), "first here")
    found = Diagnostic(
        "E117",
        "setting `size` is given twice",
        span(text, "size", last=True),
        "again here",
        (second,),
        "delete one",
    )

    assert render(found, Source("a.epoch", text)) == (
        "error[E117]: setting `size` is given twice\n"
        " --> a.epoch:2:22\n"
        "  |\n"
        "2 | dataset d { size = 1 size = 2 }\n"
        "  |                      ^^^^ again here\n"
        "  |             ---- first here\n"
        "  |\n"
        "  = help: delete one"
    )


def test_far_lines_are_drawn_in_order_with_a_gap() -> None:
    text = "first\n" + "\n" * 9 + "second\nthird"
    labels = (Label(span(text, "first"), "one"), Label(span(text, "third"), "three"))
    found = Diagnostic("E102", "wrong", span(text, "second"), "two", labels)

    assert render(found, Source("a.epoch", text)).splitlines()[1:] == [
        "  --> a.epoch:11:1",
        "   |",
        " 1 | first",
        "   | ----- one",
        "...",
        "11 | second",
        "   | ^^^^^^ two",
        "12 | third",
        "   | ----- three",
        "   |",
    ]


def test_warning_is_called_one() -> None:
    found = Diagnostic("E101", "odd", severity="warning")

    assert render(found, None) == "warning[E101]: odd"


def test_diagnostic_without_a_span_names_the_file() -> None:
    found = Diagnostic("E119", "there is no file `a`", help="check the path")

    assert (
        render(found, Source("a", ""))
        == "error[E119]: there is no file `a`\n --> a\n  = help: check the path"
    )


def test_tabs_are_drawn_as_four_columns() -> None:
    assert drawn("\ta\tb = 1", "b") == ["1 |     a    b = 1", "  |          ^"]


def test_wide_letters_take_two_columns_and_marks_none() -> None:
    assert drawn('"日本" e\u0301 x', "x") == ['1 | "日本" e\u0301 x', "  |          ^"]
    assert drawn('"日本" x', "日本") == ['1 | "日本" x', "  |  ^^^^"]


def test_carriage_return_is_not_drawn() -> None:
    assert drawn("a b\r\nc", "b") == ["1 | a b", "  |   ^"]


def test_span_over_lines_is_underlined_on_its_first() -> None:
    assert drawn("x { a  \n b }", "{ a  \n b }", label="this block") == ["1 | x { a", "  |   ^^^ this block"]


def test_empty_span_at_the_end_gets_one_caret() -> None:
    text = "edition 1\n"
    found = Diagnostic("E101", "wrong", Span(9, 9))

    assert render(found, Source("a", text)).splitlines()[3:5] == ["1 | edition 1", "  |          ^"]


def test_span_behind_the_text_is_drawn_at_its_end() -> None:
    assert "a:1:2" in render(Diagnostic("E101", "wrong", Span(1, 1)), Source("a", "x"))
    assert "^" in render(Diagnostic("E101", "wrong", Span(99, 100)), Source("a", ""))


def test_long_line_is_cut_around_the_place() -> None:
    text = "a" * 500 + " here " + "b" * 500
    excerpt, underline = drawn(text, "here")

    assert width(excerpt) <= 104
    assert excerpt.startswith("1 | …a") and excerpt.endswith("b…")
    assert excerpt[underline.index("^") : underline.rindex("^") + 1] == "here"


def test_long_line_with_wide_letters_is_cut_to_columns() -> None:
    excerpt, underline = drawn("日" * 500 + "x" + "本" * 500, "x")

    assert width(excerpt) <= 105
    assert width(underline) - 1 == width(excerpt[: excerpt.index("x")])


def test_nothing_in_a_text_steers_the_terminal() -> None:
    text = "a \x1b[31m\x07 \u202e b"
    found = Diagnostic("E101", "wrong \x1b[2J", span(text, "b"), "no\nlabel", (), "help\x9b")
    shown = render(found, Source("\x1b]0;title", text))

    assert not re.search(r"[^\n -~\ufffd]", shown)
    assert drawn(text, "b") == ["1 | a \ufffd[31m\ufffd \ufffd b", "  |            ^"]


def test_colour_is_written_only_when_asked() -> None:
    text = "edition 2"
    found = Diagnostic("E106", "unknown edition `2`", span(text, "2"), help="write 1")
    plain = render(found, Source("a", text))
    coloured = render(found, Source("a", text), colour=True)

    assert "\x1b" not in plain
    assert coloured.startswith("\x1b[1;31merror[E106]\x1b[0m")
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
