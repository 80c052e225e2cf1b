"""A stage that is too long for its line, with an argument a line."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.language.columns import width

_INDENT = "  "


def broken(stage: str, most: int) -> list[str]:
    """The lines of a stage: one, if it has at most so many columns or no argument to break before."""
    name, opened, rest = stage.partition("(")
    if width(stage) <= most or not opened or not rest.endswith(")"):
        return [stage]
    arguments = list(_arguments(rest.removesuffix(")")))
    lines = [f"{_INDENT}{each}," for each in arguments[:-1]]
    return [f"{name}(", *lines, f"{_INDENT}{arguments[-1]}", ")"]


def _arguments(listed: str) -> Iterator[str]:
    """What stands between the commas that are in no brackets and in no text."""
    depth, quoted, start = 0, False, 0
    for at, sign in enumerate(listed):
        quoted ^= sign == '"'
        if not quoted:
            depth += (sign in "([{") - (sign in ")]}")
            if sign == "," and depth == 0:
                yield listed[start:at].strip()
                start = at + 1
    yield listed[start:].strip()
