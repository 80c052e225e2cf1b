"""Values that a call gives by `--set`: of free parameters, and in place of those of bound files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.node import walk

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar

_SET = re.compile(r"([A-Za-z_][\w.]*) *= *(.*)", re.ASCII)
_WHOLE = re.compile(r"-?\d[\d_]*", re.ASCII)
_DECIMAL = re.compile(r"-?\d[\d_]*\.\d+", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}


def add_set(parser: argparse.ArgumentParser) -> None:
    """The option `--set`."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a free parameter, `train.ranks=8`, or one in place of that of a bound file,"
        " `t.trainer.devices=4`; may be given several times",
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


def parted(spec: tree.Spec, options: Sequence[str]) -> tuple[dict[str, Scalar], dict[str, int]]:
    """The values of `--set`: those in place of those of bound files, and those of free parameters.

    Raises:
        SpecError: One is no `NAME=VALUE`, a name is given twice, or a parameter is given no whole number.
    """
    texts, names = given(options), bound_names(spec)
    bound = {name: value(text) for name, text in texts.items() if name.partition(".")[0] in names}
    return bound, {name: _number(name, text) for name, text in texts.items() if name not in bound}


def _number(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise wrong(f"{name}={text}")
    return int(text.replace("_", ""))


class Overrides:
    """The values of a call for several specs: each takes those that it names, one alone must take all."""

    def __init__(self, values: Mapping[str, Scalar], *, alone: bool) -> None:
        self._values, self._alone, self._taken = values, alone, set[str]()

    def of(self, spec: tree.Spec) -> Mapping[str, Scalar]:
        """The values for one spec."""
        if self._alone or not self._values:
            return self._values
        names = {str(each) for each in walk(spec.statements) if isinstance(each, tree.Name)}
        here = {name: each for name, each in self._values.items() if name in names and bound_names(spec)}
        self._taken |= here.keys()
        return here

    def unused(self) -> list[SpecError]:
        """What is wrong with each value that no spec took."""
        return [_unused(name) for name in self._values if not self._alone and name not in self._taken]


def _unused(name: str) -> SpecError:
    error = fail("E708", f"`--set {name}`: no spec binds `{name}`", None, help="check the name")
    error.source = Source("--set", "")
    return error
