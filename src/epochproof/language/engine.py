"""The parser that is built from `grammar.lark`, once in a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from lark import Lark, Token
from lark.parsers.lalr_interactive_parser import InteractiveParser

from epochproof.language.build import Builder

GRAMMAR = Path(__file__).with_name("grammar.lark")


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        transformer=Builder(),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def steps() -> InteractiveParser:
    """A parser that is fed token by token and answers what it would accept."""
    return _lark().parse_interactive()


def lex(text: str) -> list[Token]:
    """The tokens of a text, comments and space left out.

    Raises:
        lark.exceptions.UnexpectedCharacters: No token begins at some place.
    """
    begun = _lark().parse_interactive(text)
    return list(begun.lexer_thread.lex(begun.parser_state))  # type: ignore[no-untyped-call]


@lru_cache(maxsize=1)
def keywords() -> dict[str, str]:
    """The reserved words, by the kind of their token."""
    literals = {each.name: each.pattern.value for each in _lark().terminals}
    return {kind: word for kind, word in literals.items() if word.isalpha()}
