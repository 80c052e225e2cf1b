"""Values of the call in place of those of bound files: `--set t.trainer.devices=4`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from epochproof.diagnostics import SpecError, fail
from epochproof.language import tree
from epochproof.language.node import walk

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar

_SET = re.compile(r"([A-Za-z_][\w.]*) *= *(.*)", re.ASCII)
_WHOLE = re.compile(r"-?\d[\d_]*", re.ASCII)
_DECIMAL = re.compile(r"-?\d[\d_]*\.\d+", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}


def add_set(parser: argparse.ArgumentParser) -> None:
    """The option `--set` of a command that reads bound files."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value in place of that of a bound file: `t.trainer.devices=4`; may be given several times",
    )


def given(options: Sequence[str]) -> dict[str, str]:
    """The texts of `--set`, by name.

    Raises:
        SpecError: One is no `NAME=VALUE`, or a name is given twice.
    """
    values: dict[str, str] = {}
    for each in options:
        found = _SET.fullmatch(each.strip())
        if found is None or not found[2]:
            raise wrong(each)
        if found[1] in values:
            raise fail("E513", f"`--set {found[1]}` is given twice", None, help="give it one value")
        values[found[1]] = found[2]
    return values


def wrong(option: str) -> SpecError:
    """The error of a `--set` that cannot be read."""
    return fail("E513", f"`--set {option}` is not `NAME=VALUE`", None, help="write `--set train.ranks=8`")


def overrides(options: Sequence[str]) -> dict[str, Scalar]:
    """The values of `--set`, by name."""
    return {name: value(text) for name, text in given(options).items()}


def value(text: str) -> Scalar:
    """A number, a truth value or null as a config would write it; anything else is a text."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text.replace("_", ""))
    return Fraction(Decimal(text.replace("_", ""))) if _DECIMAL.fullmatch(text) else text


def bound_names(spec: tree.Spec) -> frozenset[str]:
    """The names that are bound to files."""
    return frozenset(each.name for each in spec.statements if isinstance(each, tree.Binding))


def used(spec: tree.Spec, values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The values whose names stand in the spec."""
    if not values or not bound_names(spec):
        return {}
    names = {str(each) for each in walk(spec.statements) if isinstance(each, tree.Name)}
    return {name: value for name, value in values.items() if name in names}
