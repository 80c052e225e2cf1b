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
from epochproof.schedule.preset import PresetFile, without_files

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar


def semantic_digest(spec: tree.Spec, overrides: Mapping[str, Scalar] | None = None) -> str:
    """SHA-256 over the tree, with the values of bound files in place, in hexadecimal digits.

    Raises:
        SpecError: A bound file cannot be read.
    """
    import rfc8785  # noqa: PLC0415 -- an extra

    read, files = without_files(spec)
    bound, _ = placed(read, overrides or {}, None)
    meant = [_plain(bound), *map(_presets, files)] if files else _plain(bound)
    return sha256(rfc8785.dumps(meant)).hexdigest()


def _presets(file: PresetFile) -> Any:
    """What a file of presets counts with: what it calls other files, each by its number, and its presets."""
    return [[list(each) for each in file.bound], [_plain(each) for each in file.presets]]


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
