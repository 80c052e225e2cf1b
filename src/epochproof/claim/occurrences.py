"""`occurrences`: positions that are delivered."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._parts import occurrences
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import View
from epochproof.term.node import Int


class Occurrences(NumberQuantity):
    """Every delivered position counts, padding too."""

    name: ClassVar[str] = "occurrences"
    of_parts: ClassVar[bool] = True
    of_prefixes: ClassVar[bool] = True
    of_lengths: ClassVar[bool] = True

    def number(self, view: View) -> Int:
        return occurrences(view)

    def counted(self, seen: Seen) -> int:
        return seen.occurrences()
