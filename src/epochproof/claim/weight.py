"""`weight`: what the delivered occurrences of the record weigh together, not normalised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from epochproof.claim._laps import multiplicity
from epochproof.claim._quantity import NumberQuantity, Quantity, Seen
from epochproof.claim._question import RECORD, Undecided, View
from epochproof.claim._quotient import Quotient, Value
from epochproof.claim._sided import Sided
from epochproof.claim._source_weighing import Weighed
from epochproof.claim._sources import made_from
from epochproof.claim._weighing import fractional, share, unpadded, weighing, weighs, weights
from epochproof.model.lineage import datasets
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan
from epochproof.stage.weigh import INVERSE, Weigh
from epochproof.term.node import Int, negate, number


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
        view.question.facts.append(negate(self._reached(view, weight).no))
        view.question.facts.append(negate(self._reached(view, weight + 1).yes))
        return weight

    def _reached(self, view: View, times: Int) -> Sided:
        return weighs(view, RECORD, times)

    def parts(self, loader: Loader) -> frozenset[str]:
        return frozenset(each.name for each in datasets(loader.population))

    def of(self, loader: Loader, part: str) -> tuple[Quantity, str]:
        stages = [each.stage for each in loader.stages]
        by = next((each.by for each in stages if isinstance(each, Weigh)), None)
        by = "" if by in (None, INVERSE) else by
        own = datasets(loader.population)[-1].name
        if not by and part in ("", own):
            return self, ""
        return WeightOfSource(Weighed(loader.population, by or "", part)), ""

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


class WeightOfSource(Weight):
    """What all records made of one source weigh together; or what one weighs, where these share a 1."""

    def __init__(self, weighed: Weighed) -> None:
        self._weighed = weighed

    def depends_on(self, plan: Plan) -> set[str]:
        return super().depends_on(plan) | made_from(self._weighed.population)

    def number(self, view: View) -> Int:
        if self._weighed.by:
            return self._fresh(view)
        return self._weighed.sum(view)

    def _reached(self, view: View, times: Int) -> Sided:
        return self._weighed.reaches(view, times)

    def fractional(self, view: View) -> bool:
        return self._weighed.fractional(view)

    def quotient(self, view: View) -> Quotient:
        if self.fractional(view):
            raise Undecided("what a rank, or a part of a source, weighs has no rule")
        return Quotient(self.number(view), number(1))

    def reaches(self, view: View, times: Int) -> Sided | None:
        return None if self.fractional(view) else self._weighed.reaches(view, times)

    def counted(self, seen: Seen) -> Value:
        return self._weighed.on_lists(seen).get(seen.this_record, 0)

    def kinds(self, seen: Seen) -> Mapping[int, Value]:
        return self._weighed.on_lists(seen)
