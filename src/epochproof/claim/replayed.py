"""`replayed`: records that an interrupted run reads more often than the run without the interruption."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._interrupted import counted_times, read_times, stopped, stops
from epochproof.claim._quantity import Seen, SetQuantity
from epochproof.claim._question import Undecided, View
from epochproof.claim._sided import Sided, exactly
from epochproof.schedule.interrupted import interrupted
from epochproof.schedule.plan import Plan
from epochproof.term.node import Bool, Int


class Replayed(SetQuantity):
    """Before and after together, within the interrupted epoch; padding counts on neither side."""

    name: ClassVar[str] = "replayed"
    at_fault: ClassVar[str] = "resume"
    limited: ClassVar[bool] = True
    windows: ClassVar[frozenset[str]] = frozenset()

    def plans(self, plan: Plan) -> list[Plan]:
        found = interrupted(plan)
        return [found.whole, found.before, found.resumed] if found else [plan]

    def meant(self, view: View) -> Bool:
        return stops(view)

    def means(self, seen: Seen) -> bool:
        return stopped(seen)

    def member(self, view: View, record: Int) -> Sided:
        whole, both_parts = read_times(view, record)
        return exactly(whole < both_parts)

    def count(self, view: View) -> Int:
        raise Undecided("how many records are replayed has no rule")

    def collected(self, seen: Seen) -> frozenset[int]:
        whole, both_parts = counted_times(seen)
        return frozenset(both_parts - whole)
