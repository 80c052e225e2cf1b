"""Windows of time as a call gives them: `--steps 10..20` and `--elapsed 12.5s`."""

from __future__ import annotations

import re
from fractions import Fraction

from epochproof.diagnostics import fail

_UNITS = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
_ELAPSED = re.compile(r"(\d[\d_]*(?:\.\d+)?) *(ms|s|m|h)", re.ASCII)
_STEPS = re.compile(r"(\d[\d_]*)\.\.(\d[\d_]*)", re.ASCII)


def portion(given: str) -> tuple[int, int]:
    """The first and the last step of `--steps`."""
    found = _STEPS.fullmatch(given.strip())
    if found is None:
        raise fail("E505", f"`--steps {given}` is not a range of steps", None, help="write `--steps 10..20`")
    first, last = (int(each.replace("_", "")) for each in found.groups())
    if last < first:
        raise fail("E505", f"`--steps {given}` holds no step", None, help="put the smaller end first")
    return first, last


def seconds(given: str) -> Fraction:
    """The exact seconds of `--elapsed`."""
    found = _ELAPSED.fullmatch(given.strip())
    took = Fraction(0) if found is None else Fraction(found[1].replace("_", "")) * _UNITS[found[2]]
    if not took:
        raise fail(
            "E506", f"`--elapsed {given}` is not a time", None, help="write `12.5s`, `300ms`, `2m` or `1h`"
        )
    return took
