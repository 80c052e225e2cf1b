"""From a claim to its verdict: premises, small worlds, obligations, far counterexamples."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from epochproof.claim._claim import Claim
from epochproof.claim._nodes import World
from epochproof.claim._question import Undecided
from epochproof.prove.answer import Answer
from epochproof.prove.blame import blame, shown_records
from epochproof.prove.boxes import Boxes
from epochproof.prove.shown import Ledger
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Counterexample, Judged, Verdict
from epochproof.prove.worlds import Values, Worlds
from epochproof.term.node import Bool, both, negate

FIRST, SMALL, SMALL_WEIGHT = 8, 240, 12_000
"""So many small worlds are run at first, and where a counterexample is likely; and so many positions."""

EXHAUSTED, ORDERED = 300_000, 60_000
"""So many positions are run where no rule decides a finite domain; so many in further orders of one world."""

REPLAYED = 4_000_000
"""So many positions of candidates are replayed for one claim."""

BREADTHS = (1, 2, 4, 8)
"""How many lap vectors are tried as witnesses, in turn."""


def judge(claim: Claim, solver: Solver) -> Judged:
    """The claim and its verdict."""
    start = time.perf_counter()
    if claim.unread:
        verdict = Verdict("unknown", reason=claim.unread)
    elif claim.formula.of_populations:
        from epochproof.prove.leaks import leak_or_proof  # noqa: PLC0415 -- most specs split nothing

        verdict = leak_or_proof(claim, solver)
    else:
        verdict = _certain(claim, _Case(claim, solver, Worlds(claim)).verdict())
    written = claim.written
    return Judged(
        written.text, written.kind, written.text_span, verdict, time.perf_counter() - start, claim.assumptions
    )


def _certain(claim: Claim, verdict: Verdict) -> Verdict:
    """The verdict, unless it is a refutation by values that may not occur.

    Those are sizes of derived populations together, and weights other than those that a manifest lists.
    """
    listed = [f"`{each.name}`" for each in claim.parameters if each.listed]
    if (
        verdict.word == "refuted"
        and listed
        and not all(use.quantity.of_lengths and not use.part for use in claim.uses)
    ):
        why = f"a manifest lists {' and '.join(listed)}, and no rule follows these weights to each draw"
        return Verdict("unknown", reason=f"{why}; other weights break the claim")
    slack = [each for each in claim.parameters if each.slack]
    if verdict.word != "refuted" or sum(each.slack for each in slack) <= 1:
        return verdict
    names = " and ".join(f"`{each.name}`" for each in slack)
    return Verdict("unknown", reason=f"no rule tells which values {names} can have")


@dataclass
class _Case:
    claim: Claim
    solver: Solver
    worlds: Worlds
    met: bool = False
    """Was the premise met in a world?"""

    ran: int = 0
    spent: int = 0
    """So many small worlds were run, of so many positions."""

    small: Iterator[Values] | None = None
    waiting: list[Values] = field(default_factory=list)
    """The small worlds that were not run yet, and the first of them if it is known."""

    reason: str = ""
    rest: int = REPLAYED
    """So many positions may still be replayed."""

    heavy: bool = False
    """Was the last candidate too large to be replayed?"""

    broken: tuple[Values, World] | None = None
    """The last candidate that was replayed and breaks the claim."""

    def verdict(self) -> Verdict:
        """The verdict: the first that can be shown, in the order in which one is likely."""
        found = self._run(FIRST, SMALL_WEIGHT)
        if found is None and not self.met:
            found = self._vacuous()
        if found is None and self.claim.written.kind == "refute":
            found = self._run(SMALL, SMALL_WEIGHT)
        return found or self._prove() or self._run(None, EXHAUSTED) or self._unknown()

    def _unknown(self) -> Verdict:
        ran = f"; {self.ran} small worlds do not break the claim" if self.ran else ""
        return Verdict("unknown", reason=f"{self.reason}{ran}")

    def _prove(self) -> Verdict | None:
        """Tries to prove the claim; a candidate of the prover's that breaks it refutes it."""
        for breadth in BREADTHS:
            ledger = Ledger(self.solver.show)
            try:
                given, goal = self.claim.goal(ledger.valid, breadth)
            except Undecided as undecided:
                self.reason = str(undecided)
                return self._run(SMALL, SMALL_WEIGHT)
            answer = self.solver.find(given, negate(goal))
            if answer.status == "none":
                shown = (self.solver.whole(given, goal), *ledger.shown)
                return Verdict("proved", "solver", obligations=(both(given, negate(goal)),), shown=shown)
            found = self._run(SMALL, SMALL_WEIGHT) or self._far(given, goal, answer)
            found = found or self._made_up(answer)
            if found is not None:
                return found
            self.reason = _EXHAUSTED if answer.status == "unknown" else _HEAVY if self.heavy else _UNREPLAYED
            # A goal that was too hard is no easier with more witnesses.
            if self.claim.padding_stages == 0 or answer.status == "unknown":
                return None
        return None

    def _run(self, most: int | None, weight: int) -> Verdict | None:
        """Runs worlds by rising size, from where it last stopped.

        A verdict if one breaks the claim, or if they were all there are.
        """
        if most is None and any(each.domain.count() is None for each in self.worlds.free):
            return None
        self.small = self.small or self.worlds.small()
        orders = sum(1 for _ in self.worlds.orders({})) if most is None else 1
        for values in chain(self.waiting, self.small):
            cost = orders * self.worlds.weight(values)
            if self.ran == most or self.spent + cost > weight:
                self.waiting = [values]
                return None
            try:
                # What is to be exhausted is looked at as a whole.
                found = self._look(values, None if most is None else ORDERED)
            except Undecided as undecided:
                self.waiting, self.reason = [values], str(undecided)
                return None
            self.waiting, self.spent, self.ran = [], self.spent + cost, self.ran + 1
            if found is not None:
                return self._refuted(*found, smallest=self._all_orders())
        return self._all_ran()

    def _all_ran(self) -> Verdict | None:
        """The verdict where every world of a finite domain was run and none breaks the claim."""
        if not self.met and not self.claim.order_matters:
            return Verdict(
                "vacuous", f"exhausted({self.ran})", reason="no values satisfy all premises together"
            )
        if self.claim.order_matters and (self.worlds.seeds or self.claim.own_orders):
            return None
        return Verdict("proved", f"exhausted({self.ran})")

    def _look(self, values: Values, most: int | None) -> tuple[Values, World] | None:
        """What breaks the claim in a small world. Raises Undecided where a number takes too long."""
        if not self.met:
            self.met = self.claim.meets_premise(self.worlds.world(next(self.worlds.orders(values))))
        return self.worlds.violation(values, most)

    def _all_orders(self) -> bool:
        return not self.claim.order_matters or not self.worlds.seeds

    def _vacuous(self) -> Verdict | None:
        """The verdict `vacuous` where no values satisfy all premises together."""
        ledger = Ledger(self.solver.show)
        try:
            given = self.claim.premises(ledger.valid)
        except Undecided:
            return None
        if (found := self.solver.show(given)) is None:
            return None
        shown = (found, *ledger.shown)
        return Verdict("vacuous", "solver", reason="no values satisfy all premises together", shown=shown)

    def _far(self, given: Bool, goal: Bool, answer: Answer) -> Verdict | None:
        """The smallest world of the solver's that breaks the claim, if one does."""
        if answer.status != "found":
            return None
        boxes = Boxes(self.solver, self.worlds.free, both(given, negate(goal)), self._breaks)
        values = boxes.smallest(boxes.complete(answer.values))
        if values is None or self.broken is None:
            return None
        return self._refuted(*self.broken, smallest=boxes.exact and self._all_orders())

    def _made_up(self, answer: Answer) -> Verdict | None:
        """A small world that breaks the claim under draws that no seed is known to give."""
        if answer.status != "found" or not self.claim.order_matters:
            return None
        candidate = {each.name: answer.values.get(each.name, each.domain.low) for each in self.worlds.free}
        for values in chain(islice(self.worlds.small(), SMALL), [candidate]):
            light = self.worlds.weight(values) <= SMALL_WEIGHT
            if light and (found := self.worlds.made_up(values)) is not None:
                return self._refuted(*found, smallest=False, made_up=True)
        return None

    def _breaks(self, values: Values) -> bool:
        """Whether the claim is false in the world; what shows it is `broken`."""
        if any(value not in each.domain for each in self.worlds.free for value in [values[each.name]]):
            return False
        weight = self.worlds.least(values)
        self.heavy = weight > self.rest
        if self.heavy:
            return False
        try:
            found = self.worlds.violation(values, self.rest)
        except Undecided:
            return False
        self.rest -= min(self.rest, max(weight, self.worlds.weight(values)))
        self.broken = found or self.broken
        return found is not None

    def _refuted(self, values: Values, world: World, *, smallest: bool, made_up: bool = False) -> Verdict:
        records = shown_records(self.claim, world)
        return Verdict(
            "refuted",
            "run(1)",
            Counterexample(
                parameters=self._shown(values),
                records=records,
                rank=world.rank if self.claim.about_one_rank else None,
                epoch=world.epoch if self.claim.open_epochs else None,
                blame=blame(self.claim, world, records),
                smallest=smallest,
                made_up=made_up,
            ),
        )

    def _shown(self, values: Values) -> Values:
        """The parameters of a counterexample; a seed only where the order matters."""
        hidden = set() if self.claim.order_matters else {each.name for each in self.worlds.seeds}
        known = [each.name for each in self.claim.parameters if each.name in values]
        return {name: values[name] for name in known if name not in hidden}


_EXHAUSTED = "the prover ran out of resources"
_HEAVY = "a candidate of the prover reads too many records to be run"
_UNREPLAYED = "a candidate of the prover did not break the claim when it was run"
