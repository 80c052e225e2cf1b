"""What a change of a spec does to each loader: proved to be nothing, another order, or another population."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from epochproof.claim._claim import Claim
from epochproof.claim._conditions import All
from epochproof.claim._nodes import Condition, Use
from epochproof.claim._same import GoesOn, SameRecords
from epochproof.claim._sets import UseSequence
from epochproof.claim.augmentation import Augmentation
from epochproof.claim.equal import SameSequence
from epochproof.claim.order import Order
from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.model.domain import Domain, Parameter
from epochproof.prove.judge import judge
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Verdict
from epochproof.schedule.draws import augment_of
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.term.fold import variables

OLD, NEW = "old", "new"
_NOWHERE = Span(0, 0)
_AFTER = Parameter("after", Domain(0, None), _NOWHERE)

Kind = Literal["added", "removed", "identical", "order-only", "population-changing", "unknown"]


@dataclass(frozen=True)
class Change:
    """What changed in one loader.

    `order`, `records` and `resume` are the verdicts on: the same order and random streams; the same records
    equally often; a checkpoint of the old loader goes on in the new one without losing or repeating any.
    """

    loader: str
    kind: Kind
    order: Verdict | None = None
    records: Verdict | None = None
    resume: Verdict | None = None


def changes(old: Schedule, new: Schedule) -> tuple[Change, ...]:
    """One change for each loader of either spec, in the order of the new one, removed ones last."""
    both = [_change(old, new, name) for name in new.loaders if name in old.loaders]
    added = [Change(name, "added") for name in new.loaders if name not in old.loaders]
    removed = [Change(name, "removed") for name in old.loaders if name not in new.loaders]
    return (*both, *added, *removed)


def _change(old: Schedule, new: Schedule, name: str) -> Change:
    pair = {OLD: old.loaders[name], NEW: new.loaders[name]}
    asked = _Asked(pair, _parameters(old, new, pair))
    order = asked.verdict(asked.same_order())
    records = order if order.word == "proved" else asked.verdict(asked.same_records())
    resume = asked.verdict(asked.goes_on())
    kind: Kind = "unknown"
    if order.word == "proved":
        kind = "identical"
    elif records.word == "proved":
        kind = "order-only"
    elif records.word == "refuted":
        kind = "population-changing"
    return Change(name, kind, order, records, resume)


def _parameters(old: Schedule, new: Schedule, pair: dict[str, Loader]) -> tuple[Parameter, ...]:
    """The free parameters of both loaders; one that both leave free has one value, in both domains."""
    known = {**old.scope.parameters, **new.scope.parameters}
    used = set[str]().union(*(_used(loader) for loader in pair.values()))
    found = []
    for name, parameter in known.items():
        if name in used:
            other = old.scope.parameters.get(name)
            domain = parameter.domain if other is None else parameter.domain.shared(other.domain)
            found.append(replace(parameter, domain=domain))
    return tuple(found)


def _used(loader: Loader) -> set[str]:
    plan = plan_of(loader)
    return Order().depends_on(plan) | Augmentation().depends_on(plan) | variables(loader.epochs)


@dataclass(frozen=True)
class _Asked:
    """The questions about one loader, old and new."""

    pair: dict[str, Loader]
    parameters: tuple[Parameter, ...]

    def same_order(self) -> Condition:
        """The same records in the same places, from the same random streams."""
        orders = SameSequence(self._sequence(OLD, Order()), self._sequence(NEW, Order()))
        if not any(augment_of(plan_of(loader)) for loader in self.pair.values()):
            return orders
        draws = Augmentation()
        return All((orders, SameSequence(self._sequence(OLD, draws), self._sequence(NEW, draws))))

    def same_records(self) -> Condition:
        """Each record equally often."""
        return SameRecords(*self._uses())

    def goes_on(self) -> Condition:
        """The new loader goes on where the old one stopped."""
        return GoesOn(*self._uses(), _AFTER.term)

    def _uses(self) -> tuple[Use, Use]:
        one, other = (Use(which, Order(), run=False, rank=False, span=_NOWHERE) for which in (OLD, NEW))
        return one, other

    def _sequence(self, which: str, quantity: Order | Augmentation) -> UseSequence:
        return UseSequence(Use(which, quantity, run=False, rank=False, span=_NOWHERE), quantity)

    def verdict(self, formula: Condition) -> Verdict:
        """The verdict on the formula, for every value of every free parameter."""
        parameters = (*self.parameters, _AFTER) if isinstance(formula, GoesOn) else self.parameters
        written = tree.Claim("prove", "", tree.Name(("changed",), _NOWHERE), None, _NOWHERE, _NOWHERE)
        claim = Claim(written, formula, All(()), self.pair, parameters, (), ())
        ranges = {each.name: (each.domain.low, each.domain.high) for each in parameters}
        domains = {each.name: each.domain.holds(each.term) for each in parameters}
        return judge(claim, Solver(ranges, domains)).verdict
