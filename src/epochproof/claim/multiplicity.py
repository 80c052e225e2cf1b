"""`multiplicity`: how often the record is delivered."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._laps import at_least, multiplicity
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import RECORD, Undecided, View
from epochproof.claim._sided import Sided
from epochproof.term.node import Int


class Multiplicity(NumberQuantity):
    """A number of each record; a formula with it holds for all of them."""

    name: ClassVar[str] = "multiplicity"
    of_parts: ClassVar[bool] = True
    per_record: ClassVar[bool] = True

    def number(self, view: View) -> Int:
        return multiplicity(view, RECORD)

    def reaches(self, view: View, times: Int) -> Sided | None:
        try:
            return at_least(view, RECORD, times)
        except Undecided:
            if (found := _of_all(view, times)) is not None:
                return found
            raise

    def counted(self, seen: Seen) -> int:
        return seen.counts()[seen.this_record]


def _of_all(view: View, times: Int) -> Sided | None:
    """No record is read more often than all are together, where that is enough to tell."""
    from epochproof.claim._counts import occurrences  # noqa: PLC0415 -- few claims come here

    try:
        every = occurrences(view)
    except Undecided:
        return None
    near = view.question.settle(view.inside(RECORD), every <= times)
    return Sided(times <= 0, times > every) if near else None
