"""`repeated`: the records that are delivered at least twice."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._laps import at_least
from epochproof.claim._parts import repeated
from epochproof.claim._quantity import Seen, SetQuantity
from epochproof.claim._question import View
from epochproof.claim._sided import Sided
from epochproof.term.node import Int, number


class Repeated(SetQuantity):
    """Delivered more than once in the window."""

    name: ClassVar[str] = "repeated"
    of_parts: ClassVar[bool] = True

    def member(self, view: View, record: Int) -> Sided:
        return at_least(view, record, number(2))

    def count(self, view: View) -> Int:
        return repeated(view)

    def collected(self, seen: Seen) -> frozenset[int]:
        return frozenset(record for record, times in seen.counts().items() if times > 1)
