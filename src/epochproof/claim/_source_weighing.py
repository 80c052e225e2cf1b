"""What all records weigh together that are made of one source, as terms and on lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from epochproof.claim._laps import covered
from epochproof.claim._quantity import Seen
from epochproof.claim._question import RECORD, Question, Undecided, View
from epochproof.claim._quotient import Value
from epochproof.claim._sided import Sided, exactly
from epochproof.claim._sources import keys, level_of
from epochproof.claim._weighing import fractional, weighs, weights
from epochproof.model import tally
from epochproof.model.population import Population
from epochproof.term.node import Int, both, ceil_divide, either, less_equal, number, variable


@dataclass(frozen=True)
class Weighed:
    """How a loader weighs: `by` tells what shares a weight of 1, `of` what is summed; empty for a record."""

    population: Population
    by: str
    of: str

    def reaches(self, view: View, times: Int) -> Sided:
        """What is made of the source of the record weighs at least so much.

        Raises:
            Undecided: no rule tells.
        """
        if self.fractional(view):
            raise Undecided("what a rank, or a part of a source, weighs has no rule")
        if not self.by:
            return exactly(times <= self.sum(view))
        # A source weighs 1 in an epoch that reads one of its records, be it this one or another.
        if not view.run:
            return _once(view, times)
        if view.epoch_free():
            return _once(replace(view, run=False), ceil_divide(times, view.epochs))
        epoch = replace(view, run=False, this_epoch=variable("epoch.0"))
        inside = both(epoch.inside(RECORD), less_equal(0, epoch.this_epoch))
        every = view.question.settle(inside, covered(epoch, RECORD).yes)
        return Sided(times <= (view.epochs if every else 0), times > view.epochs)

    def fractional(self, view: View) -> bool:
        """Whether it may be no whole number."""
        return fractional(view) if not self.by else view.rank or self.by != self.of

    def sum(self, view: View) -> Int:
        """As many as are made of a source, where each weighs the same.

        Raises:
            Undecided: no rule tells.
        """
        if self.by or view.rank or (view.run and not view.epoch_free()):
            raise Undecided("what a source weighs has a rule in one epoch, over all ranks")
        # Of any record: what is given of the one that is meant says nothing about the others.
        other = variable("record.other")
        anyone = replace(view, run=False, question=Question(view.question.bare))
        inside = anyone.inside(other)
        settle = view.question.bare
        if not settle(inside, weighs(anyone, other, number(1)).yes) or not settle(
            inside, weighs(anyone, other, number(2)).no
        ):
            raise Undecided("what a source weighs has a rule where each of its records weighs 1")
        own = tally.each(self.population, level_of(self.population, self.of))
        if own is None:
            raise Undecided(f"sources may have different numbers of `{self.population.name}`")
        return own * view.epochs if view.run else own

    def on_lists(self, seen: Seen) -> Mapping[int, Value]:
        """The weight of each record, or that of what it is made of. Raises Undecided."""
        rank, epoch = seen.this_rank if seen.rank else None, None if seen.run else seen.this_epoch
        known = ("weighed", self.by, self.of, rank, epoch)
        if known not in seen.lists.known:
            own = self._shared(seen) if self.by else weights(seen)
            seen.lists.known[known] = self._summed(seen, own) if self.of else own
        found: Mapping[int, Value] = seen.lists.known[known]
        return found

    def _summed(self, seen: Seen, own: Mapping[int, Value]) -> Mapping[int, Value]:
        of, total = keys(seen, self.population, self.of), dict[object, Value]()
        for record, weight in own.items():
            total[of[record]] = total.get(of[record], 0) + weight
        return {record: total.get(key, 0) for record, key in enumerate(of)}

    def _shared(self, seen: Seen) -> Mapping[int, Value]:
        """Of each record its share of the 1 that its source weighs in an epoch."""
        of, found = keys(seen, self.population, self.by), dict[int, Value]()
        for epoch in seen.epochs():
            every = Counter[object]()
            for record, times in seen.lists.counts(epoch).items():
                every[of[record]] += times
            here = Counter(record for lane in seen.lanes(epoch) for record in lane.records)
            for record, times in here.items():
                found[record] = found.get(record, 0) + Fraction(times, every[of[record]])
        return found


def _once(view: View, times: Int) -> Sided:
    """At least so much of the 1 that it weighs if it is read."""
    read = covered(view, RECORD).yes
    return Sided(either(times <= 0, both(times <= 1, read)), times > 1)
