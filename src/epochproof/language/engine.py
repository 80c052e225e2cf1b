"""The parser of `grammar.lark`, made once in a process."""

from __future__ import annotations

from functools import lru_cache

from lark import Lark, Token
from lark.parsers.lalr_interactive_parser import InteractiveParser

from epochproof.language.build import Builder
from epochproof.language.tables import TABLES, built, loaded


@lru_cache(maxsize=1)
def _lark() -> Lark:
    builder = Builder()
    return loaded(TABLES.read_text(encoding="utf-8"), builder) or built(builder)


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
