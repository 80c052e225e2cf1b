"""What the options of stages hold besides words: numbers with a least value, seeds, lanes."""

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
class Open:
    """Called `<loader>.<called>`; left free where it is not given, unless it is only there when `given`."""

    called: str
    given: bool = False


@dataclass(frozen=True)
class Exact:
    """A whole number or an exact decimal, 0 or more, that is written out."""
