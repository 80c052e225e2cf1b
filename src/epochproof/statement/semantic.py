"""The digest of what a spec means as it is written: formatting and comments do not change it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from epochproof.diagnostics import Source, Span
from epochproof.language import tree
from epochproof.language.node import Node
from epochproof.schedule.bound import placed

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar


def semantic_digest(spec: tree.Spec, overrides: Mapping[str, Scalar] | None = None) -> str:
    """SHA-256 over the tree, with the values of bound files in place, in hexadecimal digits.

    Raises:
        SpecError: A bound file cannot be read.
    """
    import rfc8785  # noqa: PLC0415 -- an extra

    bound, _ = placed(spec, overrides or {}, None)
    return sha256(rfc8785.dumps(_plain(bound))).hexdigest()


def _plain(value: object) -> Any:
    """A tree as lists: the kind of each node, then its fields; places in the text are left out."""
    match value:
        case Node():
            found = vars(value).items()
            parts = {name: _plain(each) for name, each in found if not isinstance(each, Span | Source)}
            return [_kind(value), parts]
        case tuple():
            return [_plain(each) for each in value]
        case bool() | None:
            return value
        case int() | Fraction():
            return ["number", str(value)]
    return str(value)


def _kind(node: Node) -> str:
    return type(node).__name__
