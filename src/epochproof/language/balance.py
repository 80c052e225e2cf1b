"""Brackets that close each other, and limits on how deep an expression goes.

Both are judged on tokens, before any tree is built: whoever walks a tree may recurse without fear.
"""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from epochproof.diagnostics import Label, SpecError, fail
from epochproof.language.build import span_of

MOST_BRACKETS = 100
MOST_OPERATORS = 200

_CLOSING = {"(": ")", "{": "}", "[": "]"}
_OPENING = {")": "(", "}": "{", "]": "["}
_HEADS = {
    "BIND": "NAME",
    "PRESET": "NAME",
    "DATASET": "NAME",
    "SPLIT": "NAME",
    "MIX": "NAME",
    "LOADER": "NAME",
    "PROVE": "STRING",
    "REFUTE": "STRING",
    "ASSUME": "STRING",
}
"""What begins a statement, and what follows it."""
ENDS = frozenset({"COMMA", "IS", "IN", "COLON", "GIVEN", *_HEADS})
"""Tokens that no expression holds outside its brackets."""
RELATIONS = frozenset({"COMPARE", "DISTINCT", "DISJOINT", "EQUAL", "UNAFFECTED"})
_OPERATORS = RELATIONS | {"OR", "AND", "NOT", "PLUS", "MINUS", "TIMES", "SLASH", "ABSENT", "IF", "TO", "OPEN"}


@dataclass
class _Level:
    opener: Token | None
    operators: int = 0
    inner: int = 0
    deepest: int = 0

    @property
    def depth(self) -> int:
        return self.operators + self.inner

    def end(self) -> None:
        self.deepest = max(self.deepest, self.depth)
        self.operators = self.inner = 0


def check(tokens: list[Token]) -> None:
    """Returns when all brackets match and no expression is too deep.

    Raises:
        SpecError: A bracket without its partner, brackets or operators beyond the limits.
    """
    levels = [_Level(None)]
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in _HEADS and after is not None and after.type == _HEADS[token.type]:
            _refuse_open(levels, token)
        if token in _CLOSING:
            _open(levels, token)
        elif token in _OPENING:
            _close(levels, token)
        elif token.type in ENDS:
            levels[-1].end()
        elif token.type in _OPERATORS:
            levels[-1].operators += 1
        if levels[-1].depth > MOST_OPERATORS:
            raise _too_long(token)
    _refuse_open(levels, None)


def _open(levels: list[_Level], token: Token) -> None:
    levels.append(_Level(token))
    if len(levels) - 1 > MOST_BRACKETS:
        raise fail(
            "E113",
            f"brackets are nested more than {MOST_BRACKETS} deep",
            span_of(token),
            help="write fewer brackets",
        )


def _close(levels: list[_Level], token: Token) -> None:
    opener = levels[-1].opener
    if opener is None:
        raise fail("E122", f"`{token}` closes nothing", span_of(token), help="delete it, or open it before")
    if _CLOSING[opener] != token:
        _refuse_open(levels, token)
    ended = levels.pop()
    ended.end()
    levels[-1].inner = max(levels[-1].inner, ended.deepest + 1)


def _refuse_open(levels: list[_Level], token: Token | None) -> None:
    opener = levels[-1].opener
    if opener is None:
        return
    closing = _CLOSING[opener]
    if token is None:
        raise fail("E102", f"`{opener}` is never closed", span_of(opener), help=f"close it with `{closing}`")
    raise fail(
        "E102",
        f"`{opener}` is not closed before `{token}`",
        span_of(token),
        label=f"expected `{closing}`",
        secondary=(Label(span_of(opener), "opened here"),),
        help=f"close it with `{closing}`",
    )


def _too_long(token: Token) -> SpecError:
    return fail(
        "E114",
        f"an expression of more than {MOST_OPERATORS} operators",
        span_of(token),
        label="one too many",
        help="split the claim in two",
    )
