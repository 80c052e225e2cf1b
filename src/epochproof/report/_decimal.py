"""Exact numbers as decimals that a person reads."""

from __future__ import annotations

from fractions import Fraction

from epochproof.report._style import shown

_SIX_DIGITS, _TINY = 100_000, Fraction(1, 10_000)


def decimal(value: Fraction) -> str:
    """The value with six digits that count at most, but every digit before the point: `0.96`, `1_234_567`."""
    if value >= _SIX_DIGITS:
        return shown(round(value))
    return f"{float(value):.6g}" if value >= _TINY or not value else f"{float(value):.5e}"
