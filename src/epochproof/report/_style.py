"""How a report is drawn: colours, marks, numbers, lists of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Ink = Literal["good", "bad", "open", "faint", "strong"]

_CODES: dict[Ink, str] = {"good": "32", "bad": "1;31", "open": "33", "faint": "2", "strong": "1"}


@dataclass(frozen=True)
class Style:
    """Whether ANSI colours and signs beyond ASCII are written, and how many columns a line may have."""

    colour: bool = False
    symbols: bool = True
    columns: int = 100

    def ink(self, ink: Ink, text: str) -> str:
        """The text in a colour, if colours are written."""
        return f"\x1b[{_CODES[ink]}m{text}\x1b[0m" if self.colour and text else text


def shown(number: int) -> str:
    """A number as the language writes it: `1_000_000`."""
    return f"{number:_}"


def counted(number: int, noun: str, many: str = "") -> str:
    """`1 claim`, `2 claims`."""
    return f"{shown(number)} {noun if number == 1 else many or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def with_s(noun: str, number: int) -> str:
    """The noun in the number, without the number."""
    return noun if number == 1 else f"{noun}s"
