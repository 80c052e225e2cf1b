"""`omitted`: the records of the population that are not delivered."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._laps import covered
from epochproof.claim._parts import distinct
from epochproof.claim._quantity import Seen, SetQuantity
from epochproof.claim._question import View
from epochproof.claim._sided import Sided
from epochproof.term.node import Int


class Omitted(SetQuantity):
    """The population without `covered`, in the same window."""

    name: ClassVar[str] = "omitted"
    of_parts: ClassVar[bool] = True

    def member(self, view: View, record: Int) -> Sided:
        return ~covered(view, record)

    def count(self, view: View) -> Int:
        return view.plan.part(view.part)[1] - distinct(view)

    def collected(self, seen: Seen) -> frozenset[int]:
        return frozenset(seen.members()) - seen.counts().keys()
