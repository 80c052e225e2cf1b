"""The tokens of a text, and what can be wrong with a single one."""

from __future__ import annotations

import re
from typing import NoReturn, cast
from unicodedata import name as unicode_name

from lark import Token
from lark.exceptions import UnexpectedCharacters

from epochproof.diagnostics import Source, Span, fail
from epochproof.language.build import span_of
from epochproof.language.columns import HIDDEN
from epochproof.language.engine import lex

MOST_DIGITS = 1_000
_MOST_SHOWN = 40

_HIDDEN = re.compile(rf"[{HIDDEN}]|\r(?!\n)")
_WORD = re.compile(r"\.?\w[\w.]*")
_INSTEAD = {
    "'": "a text stands in double quotes",
    "“": "a text stands in straight double quotes",
    "”": "a text stands in straight double quotes",
    "!": "write `not`, or `!=` between two values",
    "&": "write `and`",
    "|": "write `or`",
    ";": "statements and settings end without a sign",
    ".": "a dot stands between two names: train.batch",
    "^": "there are no powers; write a product",
}


def scan(source: Source) -> list[Token]:
    """The tokens of `source`, comments and space left out.

    Raises:
        SpecError: A character that no token holds, an unclosed text, a malformed or endless number.
    """
    hidden = _HIDDEN.search(source.text)
    if hidden:
        _refuse_hidden(hidden[0], Span(hidden.start(), hidden.end()))
    try:
        tokens = lex(source.text)
    except UnexpectedCharacters as error:
        _refuse(source.text, cast("int", error.pos_in_stream))
    for token in tokens:
        if token.type == "NUMBER" and len(token) > MOST_DIGITS:
            raise fail(
                "E108",
                f"a number of {len(token)} digits",
                span_of(token),
                label="too long",
                help=f"a number has at most {MOST_DIGITS} digits",
            )
    return tokens


def _refuse_hidden(character: str, span: Span) -> NoReturn:
    called = unicode_name(character, "a control character").lower()
    raise fail(
        "E118",
        f"hidden character U+{ord(character):04X} ({called})",
        span,
        help="delete it; the only hidden characters of a spec are space, tab and line break",
    )


def _refuse(text: str, at: int) -> NoReturn:
    character = text[at]
    word = _WORD.match(text, at)
    if character == '"':
        end = len(text[at:].splitlines()[0].rstrip()) + at
        raise fail(
            "E103", "a text is not closed on its line", Span(at, end), help='end it with `"` on the same line'
        )
    if word and word[0].lstrip(".")[:1].isdecimal():
        raise fail(
            "E107",
            f"`{cropped(word[0])}` is not a number",
            Span(at, word.end()),
            help="write digits, `_` between two of them, and at most one decimal point: 1_000 or 0.8",
        )
    instead = _INSTEAD.get(character, "")
    if character.isalpha():
        instead = "names hold the letters a to z and A to Z, digits and `_`"
    raise fail("E104", f"unknown character `{character}`", Span(at, at + 1), help=instead)


def cropped(word: str) -> str:
    """A user's word, short enough to stand in a message."""
    return word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + "…"
