"""Values of free parameters that a call gives by `--set`."""

from __future__ import annotations

import argparse
import re

from epochproof.diagnostics import fail

_SET = re.compile(r"([\w.]+) *= *(-?\d[\d_]*)", re.ASCII)


def add_set(parser: argparse.ArgumentParser) -> None:
    """The option `--set`."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a free parameter: `train.ranks=8`; may be given several times",
    )


def values(given: list[str]) -> dict[str, int]:
    """The values of `--set`, by name."""
    found: dict[str, int] = {}
    for each in given:
        pair = _SET.fullmatch(each.strip())
        if pair is None:
            raise fail(
                "E513", f"`--set {each}` is not `NAME=VALUE`", None, help="write `--set train.ranks=8`"
            )
        if pair[1] in found:
            raise fail("E513", f"`--set {pair[1]}` is given twice", None, help="give it one value")
        found[pair[1]] = int(pair[2].replace("_", ""))
    return found
