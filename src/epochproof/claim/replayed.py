"""`replayed`: records that an interrupted run reads more often than the run without the interruption."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._interrupted import OfInterruption, counted_times, read_times
from epochproof.claim._quantity import Seen
from epochproof.claim._question import View
from epochproof.claim._sided import Sided, exactly
from epochproof.term.node import Int


class Replayed(OfInterruption):
    """Before and after together, within the interrupted epoch; padding counts on neither side."""

    name: ClassVar[str] = "replayed"

    def member(self, view: View, record: Int) -> Sided:
        whole, both_parts = read_times(view, record)
        return exactly(whole < both_parts)

    def collected(self, seen: Seen) -> frozenset[int]:
        whole, both_parts = counted_times(seen)
        return frozenset(both_parts - whole)
