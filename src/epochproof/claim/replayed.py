"""`replayed`: records that an interrupted run reads more often than the run without the interruption."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._interrupted import counted_times, read_times
from epochproof.claim._quantity import Seen, SetQuantity
from epochproof.claim._question import Undecided, View
from epochproof.claim._sided import Sided, exactly
from epochproof.schedule.interrupted import interrupted
from epochproof.schedule.plan import Plan
from epochproof.term.node import Int


class Replayed(SetQuantity):
    """Before and after together, within the interrupted epoch; padding counts on neither side."""

    name: ClassVar[str] = "replayed"
    at_fault: ClassVar[str] = "resume"
    windows: ClassVar[frozenset[str]] = frozenset()

    def plans(self, plan: Plan) -> list[Plan]:
        found = interrupted(plan)
        return [found.whole, found.before, found.resumed] if found else [plan]

    def member(self, view: View, record: Int) -> Sided:
        whole, stopped = read_times(view, record)
        return exactly(whole < stopped)

    def count(self, view: View) -> Int:
        raise Undecided("how many records are replayed has no rule")

    def collected(self, seen: Seen) -> frozenset[int]:
        whole, stopped = counted_times(seen)
        return frozenset(stopped - whole)
