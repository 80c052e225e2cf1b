"""The environment that a spec writes out for a job: `env.WORLD_SIZE = 8` behind the path of a binding."""

from __future__ import annotations

import re
from collections.abc import Mapping

from epochproof.config.entry import Scalar
from epochproof.config.fold import known
from epochproof.diagnostics import SpecError, fail
from epochproof.language import tree
from epochproof.language.columns import safe

_PREFIX = "env"

Environment = Mapping[str, Scalar]
"""What variables hold: numbers and texts, by their names."""


def plain(setting: tree.Setting) -> Scalar:
    """The number or the text that a setting behind a path gives.

    Raises:
        SpecError: It gives something else.
    """
    value = known(setting.value)
    if value is None or isinstance(value, bool):
        what = f"`{setting.name}` is given no number and no text"
        raise fail(
            "E710", what, setting.value.span, help="write the number or the text that the job finds there"
        )
    return value


def twice(setting: tree.Setting) -> SpecError:
    """The error of a name that is given two values behind one path."""
    return fail("E710", f"`{setting.name}` is given twice", setting.name_span, help="give it one value")


def environment(binding: tree.Binding, text: str) -> Environment:
    """The variables that a binding gives.

    Args:
        binding: Names a file, and perhaps some variables.
        text: That of the file.

    Raises:
        SpecError: A setting is no variable, gives no plain value, is given twice, or changes nothing.
    """
    found: dict[str, Scalar] = {}
    for each in binding.given:
        prefix, _, name = each.name.partition(".")
        if prefix != _PREFIX or not name or "." in name:
            cure = f"write `env.WORLD_SIZE = 8` for a variable; `--set {binding.name}.…` tries values out"
            raise fail("E710", f"`{each.name}` is no variable of the environment", each.name_span, help=cure)
        value = plain(each)
        if name in found:
            raise twice(each)
        if re.search(rf"\b{name}\b", text) is None:
            what = f"`{safe(binding.path)}` names no `{name}`"
            raise fail("E710", what, each.name_span, help="check the name of the variable")
        found[name] = value
    return found
