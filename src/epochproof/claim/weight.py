"""`weight`: what the delivered occurrences of the record weigh together, not normalised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from epochproof.claim._laps import multiplicity
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import RECORD, Undecided, View
from epochproof.claim._quotient import Quotient, Value
from epochproof.claim._sided import Sided
from epochproof.claim._weighing import fractional, share, unpadded, weighing, weighs, weights
from epochproof.schedule.plan import Plan
from epochproof.term.node import Int, negate


class Weight(NumberQuantity):
    """An exact number of each record; without a `weigh`, its multiplicity."""

    name: ClassVar[str] = "weight"
    per_record: ClassVar[bool] = True
    decided_by: ClassVar[str] = "weigh"

    def number(self, view: View) -> Int:
        """What is known of it as a term, or a fresh number that the record weighs, and not one more."""
        how = weighing(view.plan)
        if how.padding == 1:
            return multiplicity(view, RECORD)
        if how.padding == 0 and not view.run:
            return unpadded(view, RECORD)
        if fractional(view):
            raise Undecided("what may be no whole number has no rule here")
        if how.padding:
            return share(view, RECORD).above
        return self._fresh(view)

    def _fresh(self, view: View) -> Int:
        weight = view.question.fresh("weight")
        view.question.facts.append(negate(weighs(view, RECORD, weight).no))
        view.question.facts.append(negate(weighs(view, RECORD, weight + 1).yes))
        return weight

    def leaves_padding_out(self, plan: Plan) -> bool:
        return weighing(plan).padding == 0

    def fractional(self, view: View) -> bool:
        return fractional(view)

    def quotient(self, view: View) -> Quotient:
        return share(view, RECORD) if fractional(view) else super().quotient(view)

    def reaches(self, view: View, times: Int) -> Sided | None:
        how = weighing(view.plan)
        return None if fractional(view) or how.padding not in (None, 0, 1) else weighs(view, RECORD, times)

    def counted(self, seen: Seen) -> Value:
        return weights(seen).get(seen.this_record, 0)

    def kinds(self, seen: Seen) -> Mapping[int, Value]:
        return weights(seen)
