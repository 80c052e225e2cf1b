"""`padding`: delivered positions that padding introduced."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._counts import padding
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import View
from epochproof.term.node import Int


class Padding(NumberQuantity):
    """Padding that a later stage cuts off again does not count."""

    name: ClassVar[str] = "padding"

    def number(self, view: View) -> Int:
        return padding(view)

    def counted(self, seen: Seen) -> int:
        return seen.padding()
