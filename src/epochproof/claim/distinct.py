"""`distinct`: different records that are delivered."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._parts import distinct
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import View
from epochproof.term.node import Int


class Distinct(NumberQuantity):
    """A record counts once, however often it is delivered in the window."""

    name: ClassVar[str] = "distinct"
    of_parts: ClassVar[bool] = True

    def number(self, view: View) -> Int:
        return distinct(view)

    def counted(self, seen: Seen) -> int:
        return len(seen.counts())
