"""What is asked about a loader and its change: the same order, the same records, does a run go on."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.claim._claim import Claim
from epochproof.claim._conditions import All
from epochproof.claim._nodes import Condition, Use, World
from epochproof.claim._same import GoesOn, SameRecords
from epochproof.claim._sets import UseSequence
from epochproof.claim.augmentation import Augmentation
from epochproof.claim.equal import SameSequence
from epochproof.claim.order import Order
from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.model.domain import Domain, Parameter
from epochproof.prove.difference import Counts, Moved, counted_apart, first_moved
from epochproof.prove.judge import judge
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Verdict
from epochproof.prove.worlds import Worlds
from epochproof.schedule.draws import augment_of
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.stage.resume import Resume
from epochproof.term.node import constant

OLD, NEW = "old", "new"
_NOWHERE = Span(0, 0)
AFTER = Parameter("after", Domain(0, None), _NOWHERE)


@dataclass(frozen=True)
class Asked:
    """The questions about one loader, old and new."""

    pair: dict[str, Loader]
    parameters: tuple[Parameter, ...]

    def same(self, quantity: Order | Augmentation) -> Condition:
        """The same records in the same places, or the same random streams there."""
        return SameSequence(self._sequence(OLD, quantity), self._sequence(NEW, quantity))

    def drawn(self) -> Answer | None:
        """Whether the same random numbers are drawn; `None` where neither loader says from where."""
        told = [augment_of(plan_of(loader)) is not None for loader in self.pair.values()]
        if all(told):
            return self.answer(self.same(Augmentation()))
        which = "old" if told[0] else "new"
        reason = f"only the {which} spec says, by `augment`, where random numbers come from"
        return Answer(self, None, Verdict("unknown", reason=reason)) if any(told) else None

    def epochs_differ(self) -> str:
        """In which way the loaders run other numbers of epochs; empty where they do not."""
        one, other = (loader.epochs for loader in self.pair.values())
        if one is other:
            return ""
        known = [constant(each) for each in (other, one)]
        if None in known:
            return "it runs another number of epochs"
        return f"it runs {known[0]} epoch{'' if known[0] == 1 else 's'} in place of {known[1]}"

    def resumes_otherwise(self) -> bool:
        """Whether the loaders say different things about how they are resumed."""
        one, other = (
            [stage for stage in plan_of(loader).stages if isinstance(stage, Resume)]
            for loader in self.pair.values()
        )
        return one != other

    def same_records(self) -> Condition:
        """Each record equally often."""
        return SameRecords(*self._uses())

    def goes_on(self) -> Condition:
        """The new loader goes on where the old one stopped."""
        return GoesOn(*self._uses(), AFTER.term)

    def _uses(self) -> tuple[Use, Use]:
        one, other = (Use(which, Order(), run=False, rank=False, span=_NOWHERE) for which in (OLD, NEW))
        return one, other

    def _sequence(self, which: str, quantity: Order | Augmentation) -> UseSequence:
        return UseSequence(Use(which, quantity, run=False, rank=False, span=_NOWHERE), quantity)

    def answer(self, formula: Condition) -> Answer:
        """The verdict on the formula, for every value of every free parameter."""
        parameters = (*self.parameters, AFTER) if isinstance(formula, GoesOn) else self.parameters
        written = tree.Claim("prove", "", tree.Name(("changed",), _NOWHERE), None, _NOWHERE, _NOWHERE)
        claim = Claim(written, formula, All(()), self.pair, parameters, (), ())
        ranges = {each.name: (each.domain.low, each.domain.high) for each in parameters}
        domains = {each.name: each.domain.holds(each.term) for each in parameters}
        return Answer(self, claim, judge(claim, Solver(ranges, domains)).verdict)


@dataclass(frozen=True)
class Answer:
    """A verdict, and what shows it in its smallest case."""

    asked: Asked
    claim: Claim | None
    verdict: Verdict

    @property
    def word(self) -> str:
        """The verdict's word."""
        return self.verdict.word

    def _shown(self) -> tuple[World, int] | None:
        """The world that refutes, and its epoch."""
        found = self.verdict.counterexample
        if found is None or self.claim is None:
            return None
        return Worlds(self.claim).world(found.parameters), found.epoch or 0

    def moved(self) -> Moved | None:
        """The first place that holds another record."""
        shown = self._shown()
        return shown and first_moved(shown[0].lists[OLD], shown[0].lists[NEW], shown[1])

    def counts(self) -> Counts | None:
        """The records that are not read equally often."""
        shown = self._shown()
        if shown is None:
            return None
        return counted_apart(*(shown[0].lists[which].counts(shown[1]) for which in (OLD, NEW)))

    def handed_over(self) -> Counts | None:
        """The same of the interrupted epoch, against the old loader's uninterrupted one."""
        shown = self._shown()
        if shown is None or self.claim is None or not isinstance(self.claim.formula, GoesOn):
            return None
        return counted_apart(*self.claim.formula.counted(shown[0].at(epoch=shown[1])))
