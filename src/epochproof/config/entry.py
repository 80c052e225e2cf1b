"""What a config file holds: values, sections and lists, each with its place; and what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

Scalar = int | Fraction | bool | str | None

MOST_DEPTH = 50
"""So deep may sections and lists be nested."""

MOST_DIGITS = 1_000
"""A number has at most so many characters."""

_COMPUTED = re.compile(r"\$\{|\{\{|^\$[A-Za-z_(]")
_EXPONENT = re.compile(r"[eE][+-]?([0-9]+)$")
_MOST_EXPONENT_DIGITS = 3


@dataclass(frozen=True)
class Place:
    """Where something stands: the path as the spec writes it, line and column from 1 as far as known.

    `given` is the variable of the environment whose value, which the spec writes out, was taken there.
    """

    path: str
    line: int | None = None
    column: int | None = None
    given: str = ""

    def __str__(self) -> str:
        place = ":".join(str(each) for each in (self.path, self.line, self.column) if each is not None)
        return f"{place} with {self.given}" if self.given else place


@dataclass(frozen=True)
class Value:
    """A number (exact), a truth value, a text, or `None` for null."""

    value: Scalar
    place: Place


@dataclass(frozen=True)
class Unreadable:
    """Something whose value is known only when the job runs, or that is no plain data; `reason` says why.

    `written` is the text that some other program puts a value in place of.
    """

    reason: str
    place: Place
    written: str = ""


@dataclass(frozen=True)
class Listed:
    """Entries in order."""

    items: tuple[Entry, ...]
    place: Place


@dataclass(frozen=True)
class Section:
    """Entries by their keys."""

    entries: Mapping[str, Entry]
    place: Place


Entry = Value | Unreadable | Listed | Section


def text(value: str, place: Place) -> Value | Unreadable:
    """A text as it is, unless some other program puts a value in its place."""
    if _COMPUTED.search(value):
        return Unreadable(f"`{value}` is computed when the config is loaded", place, value)
    if value == "???":
        return Unreadable("`???` is given on the command line of the job", place)
    if value == "auto":
        return Unreadable("`auto` is decided when the job starts", place)
    return Value(value, place)


def decimal(digits: str, place: Place) -> Value | Unreadable:
    """A decimal as an exact fraction; infinities and what is no number cannot be compared."""
    exponent = _EXPONENT.search(digits)
    if len(digits) > MOST_DIGITS or (exponent and len(exponent[1].lstrip("0")) > _MOST_EXPONENT_DIGITS):
        return Unreadable("a number with too many digits", place)
    try:
        return Value(Fraction(Decimal(digits)), place)
    except (InvalidOperation, ValueError, OverflowError):
        return Unreadable(f"`{digits}` is no number that can be written out", place)


def whole(digits: str, base: int, place: Place) -> Value | Unreadable:
    """A whole number from its digits."""
    if len(digits) > MOST_DIGITS:
        return Unreadable("a number with too many digits", place)
    try:
        return Value(int(digits, base), place)
    except ValueError:
        return Unreadable(f"`{digits}` is no number", place)
