"""Bound values as parts of a tree, and what is asked of such a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from epochproof.config.entry import Entry, Listed, Section, Unreadable, Value
from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.columns import safe
from epochproof.language.node import Node, walk

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def literal(name: tree.Name, entry: Entry, *, words: bool) -> tree.Expression:
    """An entry as an expression; a text is a word where `words` stand and it is one."""
    span = name.span
    match entry:
        case Unreadable():
            reason = f"`{name}` cannot be read: {safe(entry.reason)} ({safe(str(entry.place))})"
            return tree.Unread(str(name), reason, span)
        case Listed():
            return tree.List(tuple(literal(name, each, words=words) for each in entry.items), span)
        case Section():
            what = "is a section"
        case Value(value=None):
            what = "holds null"
        case Value():
            return _scalar(entry.value, span, words=words)
    raise fail("E706", f"`{name}` {what} at {safe(str(entry.place))}", span, help="name a value in it")


def _scalar(value: Any, span: Span, *, words: bool) -> tree.Expression:
    if isinstance(value, str):
        return word(value, span) if words and _WORD.fullmatch(value) else tree.Text(value, span)
    return as_literal(value, span)


def same(one: object, other: object) -> bool:
    """Whether they are one object, or tuples of the same objects."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other


def changed(node: Any, **fields: Any) -> Any:
    """The node with other fields."""
    return type(node)(**vars(node) | fields)


def unread_in(value: object) -> Iterator[tree.Unread]:
    """What in the expression cannot be read."""
    return (each for each in walk(value) if isinstance(each, tree.Unread))


def word(text: str, span: Span) -> tree.Word:
    """A word that stands in a bound file."""
    return tree.Word((text,), span)


def as_literal(value: Any, span: Span) -> tree.Expression:
    """A number, a truth value or a text as an expression."""
    if isinstance(value, bool):
        return word(str(value).lower(), span)
    if isinstance(value, str):
        return tree.Text(value, span)
    whole = isinstance(value, Fraction) and value.denominator == 1
    return tree.Number(int(value) if whole else value, span)


def as_formula(value: Any) -> Any:
    """The formula with truth values as comparisons; other texts have no meaning in it."""
    match value:
        case tree.Word(parts=("true" | "false" as word,)):
            one = tree.Number(1, value.span)
            return tree.Binary("==", one, tree.Number(int(word == "true"), value.span), value.span)
        case tree.Word():
            what = f"a formula compares numbers, and this is the text `{safe(str(value))}`"
            raise fail("E706", what, value.span, help='compare it with a text: `t.strategy == "ddp"`')
        case tree.Name():
            return value
        case Node():
            new = {name: as_formula(part) for name, part in vars(value).items()}
            return (
                value
                if all(new[name] is part for name, part in vars(value).items())
                else changed(value, **new)
            )
        case tuple():
            parts = tuple(map(as_formula, value))
            return value if same(parts, value) else parts
    return value
