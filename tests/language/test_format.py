"""Formatting gives one style, keeps meaning and comments, and is done after one pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epochproof.diagnostics import InternalError, SpecError
from epochproof.language import format as formatting
from epochproof.language.format import format_text

ORIGINALS = sorted((Path(__file__).parent / "originals").glob("*.epoch"))


def formatted(text: str) -> str:
    """A formatted text without its edition; checks that a second pass changes nothing."""
    once = format_text(f"edition 1\n{text}")
    assert format_text(once) == once
    return once.removeprefix("edition 1\n")


@pytest.mark.parametrize("path", ORIGINALS, ids=lambda path: path.stem)
def test_example_keeps_its_words_and_comments(path: Path) -> None:
    text = path.read_text()
    written = format_text(text)

    assert re.sub(r"\s+", "", written) == re.sub(r"\s+", "", text)
    assert format_text(written) == written


def test_settings_are_aligned_and_stages_are_not() -> None:
    assert formatted("loader l over d{ranks=3\n workers   in {0,2}\n shard( ranks,tail=pad )\nbatch(4)}") == (
        "loader l over d {\n  ranks   = 3\n  workers in {0, 2}\n  shard(ranks, tail = pad)\n  batch(4)\n}\n"
    )


def test_blank_line_ends_a_run_of_settings() -> None:
    assert formatted("dataset d {\n\n  a = 1\n\n\n\n  longer = 2\n\n}\n\n\n\ndataset e { }\n") == (
        "dataset d {\n  a = 1\n\n  longer = 2\n}\n\ndataset e {}\n"
    )


def test_block_on_one_line_stays_there() -> None:
    assert formatted("dataset web{size=1_000}\ndataset code   { size in 1.., id = x, }") == (
        "dataset web  { size = 1_000 }\ndataset code { size in 1.., id = x }\n"
    )


def test_one_line_loaders_stand_in_columns() -> None:
    assert formatted("loader a over longer {batch(4)}\nloader bcd over d { ranks=2 shard(ranks) }") == (
        "loader a   over longer { batch(4) }\nloader bcd over d      { ranks = 2, shard(ranks) }\n"
    )


def test_block_that_does_not_fit_is_broken() -> None:
    settings = ", ".join(f"setting_{n} = {n}" for n in range(10))

    assert formatted(f"dataset d {{ {settings} }}").splitlines()[:2] == ["dataset d {", "  setting_0 = 0"]


def test_claims_stand_in_columns() -> None:
    assert formatted('prove "a" :x==1\nrefute "bcd": y<2 given   z\nassume "e":w>0') == (
        'prove  "a"   : x == 1\nrefute "bcd" : y < 2 given z\nassume "e"   : w > 0\n'
    )


def test_proofs_alone_are_not_padded() -> None:
    assert formatted('prove "a":x\nprove "bc":y') == 'prove "a"  : x\nprove "bc" : y\n'


def test_long_claim_is_broken_and_leaves_the_columns_alone() -> None:
    long = "x" * 60

    assert formatted(f'prove "{long}" : {"y" * 50}\nprove "a" : b\nprove "cd" : e') == (
        f'prove "{long}"\n    : {"y" * 50}\nprove "a"  : b\nprove "cd" : e\n'
    )


def test_claim_that_fits_alone_stays_on_its_line() -> None:
    long = "x" * 60
    others = "\n".join(f'prove "{n}" : {"y" * 60}' for n in "abc")

    assert formatted(f'prove "{long}" : y\n{others}').splitlines()[0] == f'prove "{long}" : y'


def test_broken_claim_that_fits_is_joined() -> None:
    assert formatted('prove "a"\n    : x ==\n      y') == 'prove "a" : x == y\n'


def test_wide_letters_count_twice() -> None:
    assert formatted('prove "日本" : x\nprove "abcd" : y') == 'prove "日本" : x\nprove "abcd" : y\n'


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("-1+ -x", "-1 + -x"),
        ("- - x", "--x"),
        ("a-(b)", "a - (b)"),
        ("not(a)and b", "not (a) and b"),
        ("ceil( a*b /c )", "ceil(a * b / c)"),
        ("{0 ,1}=={ }", "{0, 1} == {}"),
        ("if a then-1 else(b)", "if a then -1 else (b)"),
        ("f( in 1 .. , n in - 1 .. - 2,k=1_000 )", "f(in 1.., n in -1..-2, k = 1_000)"),
        ("a.x  unaffected   by b ,c", "a.x unaffected by b, c"),
        ("a.x equal\nacross ranks", "a.x equal across ranks"),
        ("a.x  distinct\nacross workers", "a.x distinct across workers"),
        ("((a))//b%c", "((a)) // b % c"),
    ],
)
def test_expressions_are_spaced(written: str, canonical: str) -> None:
    assert formatted(f'prove "t" : {written}') == f'prove "t" : {canonical}\n'


def test_comments_are_kept_where_they_belong() -> None:
    text = (
        "# top\n\n"
        "loader l over d { # header\n"
        "   # own\n"
        " ranks=3 # beside\n"
        "  workers   = 10   # below   \n"
        "  # last\n"
        "} # end\n"
        "# eof"
    )

    assert formatted(text) == (
        "# top\n\n"
        "loader l over d {  # header\n"
        "  # own\n"
        "  ranks   = 3   # beside\n"
        "  workers = 10  # below\n"
        "  # last\n"
        "}  # end\n"
        "# eof\n"
    )


def test_comment_inside_a_line_moves_above_it() -> None:
    assert formatted('loader l over d {\n  batch( # why\n    4)\n}\nprove "t" # how\n : a # so') == (
        'loader l over d {\n  # why\n  batch(4)\n}\n# how\nprove "t" : a  # so\n'
    )


def test_block_with_a_comment_is_not_written_on_one_line() -> None:
    assert formatted("dataset d { # many\n}") == "dataset d {  # many\n}\n"


def test_line_ends_become_line_feeds() -> None:
    assert format_text("edition 1\r\n\r\n# a\r\ndataset d {\r\n  size = 1\r\n}") == (
        "edition 1\n\n# a\ndataset d {\n  size = 1\n}\n"
    )


def test_wrong_text_is_refused() -> None:
    with pytest.raises(SpecError):
        format_text("edition 1\ndataset {")


def test_change_of_meaning_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "rows", lambda _spec, _tokens: [])
    monkeypatch.setattr(formatting, "_lines", lambda _rows: iter(["edition 1", "dataset e { size = 1 }"]))

    with pytest.raises(InternalError, match="would change its meaning"):
        format_text("edition 1\ndataset d { size = 1 }")


def test_derived_dataset_stands_below_its_source() -> None:
    text = "edition 1\n\ndataset a { size = 1 }\ndataset bc from a { copies = 2 }\ndataset d { size = 10 }\n"

    assert format_text(text) == text
