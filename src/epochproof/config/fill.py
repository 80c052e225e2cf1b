"""Expressions of a preset with values in place of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from epochproof.config.fold import known
from epochproof.config.literal import changed, unread_in, word
from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.language.node import Node

LOADER_NUMBERS = ("ranks", "workers", "epochs", "start_epoch")
"""Settings of a loader that stages of a preset can name: numbers, and no words."""


def filled(value: Any, values: Mapping[str, tree.Expression], span: Span) -> Any:
    """The expression with values in place of names; all else of it stands at `span`.

    What depends on a value that cannot be read is that value; a truth that is known is a word.
    """
    match value:
        case tree.Name() if str(value) in values:
            return values[str(value)]
        case tree.Conditional():
            return _chosen(value, values, span)
        case tuple():
            return tuple(filled(each, values, span) for each in value)
        case Node():
            return _folded(_parts(value, values, span), span)
    return span if isinstance(value, Span) else value


def truth_of(condition: tree.Expression) -> bool | None:
    """Whether a condition holds, `None` where that is not decided.

    A name alone is a word in it, but for the numbers of the loader.
    """
    found = known(_worded(condition))
    return found if isinstance(found, bool) else None


def _parts(value: Node, values: Mapping[str, tree.Expression], span: Span) -> Any:
    fields = {
        name: part.at(span) if name == "name" and isinstance(part, Node) else filled(part, values, span)
        for name, part in vars(value).items()
    }
    return changed(value, **fields)


def _folded(made: Any, span: Span) -> Any:
    for unread in unread_in(made):
        return made if isinstance(made, tree.Argument) else unread
    truth = truth_of(made)
    return made if truth is None else word(str(truth).lower(), span)


def _chosen(value: tree.Conditional, values: Mapping[str, tree.Expression], span: Span) -> tree.Expression:
    condition = filled(value.condition, values, span)
    for unread in unread_in(condition):
        return unread
    truth = truth_of(condition)
    then, otherwise = (filled(each, values, span) for each in (value.then, value.otherwise))
    if truth is None:
        return tree.Conditional(condition, then, otherwise, span)
    return then if truth else otherwise  # type: ignore[no-any-return]  # parts of an expression are expressions


def _worded(value: Any) -> Any:
    match value:
        case tree.Name() if _is_word(value):
            return word(value.parts[0], value.span)
        case tree.Negate():
            return changed(value, operand=_worded(value.operand))
        case tree.Binary(operator="==" | "!=") if _apart(value.left, value.right):
            return word(str(value.operator == "!=").lower(), value.span)
        case tree.Binary():
            return changed(value, left=_worded(value.left), right=_worded(value.right))
    return value


def _apart(one: tree.Expression, other: tree.Expression) -> bool:
    """Whether one of two is a word and the other a number: these are never equal."""
    return {_is_word(one), _is_word(other)} == {True, False}


def _is_word(value: tree.Expression) -> bool | None:
    if isinstance(value, tree.Name):
        return len(value.parts) == 1 and value.parts[0] not in LOADER_NUMBERS
    return False if isinstance(value, tree.Number) else None
