"""What the options of stages hold besides words: numbers with a least value, seeds, lanes, and how often."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AtLeast:
    """A whole number, `least` or more; `in` leaves it free."""

    least: int


@dataclass(frozen=True)
class Seed:
    """A whole number, or `any` for every order."""


@dataclass(frozen=True)
class Lanes:
    """The lanes that a stage speaks of: `ranks`, `workers` or `ranks * workers`."""


@dataclass(frozen=True)
class Column:
    """The name of a column of the dataset of which nothing is known, or `uniform` for none."""


@dataclass(frozen=True)
class Level:
    """A dataset of which the records are made, or a word; the first of the words stands for their own."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Open:
    """Called `<loader>.<called>`; left free where it is not given, unless it is only there when `given`."""

    called: str
    given: bool = False


@dataclass(frozen=True)
class Fixed:
    """A whole number that cannot be left free, `least` to `most`."""

    least: int
    most: int


@dataclass(frozen=True)
class Again:
    """No option, but the values of option `of` from the second time on, of as many as option `times` says.

    The value of the i-th time is called like the first one, with `_i` behind it.
    """

    of: str
    times: str = "times"


@dataclass(frozen=True)
class Exact:
    """A whole number or an exact decimal, 0 or more, that is written out."""
