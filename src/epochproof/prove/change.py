"""What a change of a spec does to each loader: proved to be nothing, another order, or another population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

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
from epochproof.model.lineage import made_otherwise
from epochproof.prove.difference import Counts, Moved, counted_apart, drawn_otherwise, first_moved
from epochproof.prove.judge import judge
from epochproof.prove.manifests import replaced
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Verdict
from epochproof.prove.worlds import Worlds
from epochproof.schedule.draws import augment_of
from epochproof.schedule.interrupted import handed_over
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.schedule.settle import listed_weights
from epochproof.stage.resume import Resume
from epochproof.term.fold import variables
from epochproof.term.node import constant, number

OLD, NEW = "old", "new"
_NOWHERE = Span(0, 0)
_AFTER = Parameter("after", Domain(0, None), _NOWHERE)

Kind = Literal[
    "added", "removed", "identical", "order-only", "population-changing", "resume-incompatible", "unknown"
]


@dataclass(frozen=True)
class Change:
    """What changed in one loader.

    `order`, `draws`, `records` and `resume` are the verdicts on: the same order; the same random streams; the
    same records equally often; a checkpoint of the old loader goes on in the new one without losing or
    repeating any. Where one is refuted, `moved`, `counts` and `handed_over` show its smallest case: the first
    place that differs, the records that do, and those of the interrupted epoch against the uninterrupted one.
    """

    loader: str
    kind: Kind
    order: Verdict | None = None
    draws: Verdict | None = None
    records: Verdict | None = None
    resume: Verdict | None = None
    reason: str = ""
    moved: Moved | None = None
    counts: Counts | None = None
    handed_over: Counts | None = None

    @property
    def decided(self) -> bool:
        """Whether it was shown that something changed, or that nothing did."""
        if self.kind != "order-only":
            return self.kind != "unknown"
        return any(each is not None and each.word == "refuted" for each in (self.order, self.draws))


def changes(old: Schedule, new: Schedule) -> tuple[Change, ...]:
    """One change for each loader of either spec, in the order of the new one, removed ones last."""
    both = [_change(old, new, name) for name in new.loaders if name in old.loaders]
    added = [Change(name, "added") for name in new.loaders if name not in old.loaders]
    removed = [Change(name, "removed") for name in old.loaders if name not in new.loaders]
    return (*both, *added, *removed)


def same_population(
    one: tuple[Schedule, str],
    other: tuple[Schedule, str],
    values: Mapping[str, int],
    others: Mapping[str, int],
) -> tuple[Verdict, Counts | None]:
    """Whether a pass of a loader and of another one read each record equally often, with these values.

    Free parameters of one name are one. The counts are those of the smallest case, where it is refuted.
    """
    (old, first), (new, second) = one, other
    pair = {
        OLD: old.loaders[first].with_values({name: number(each) for name, each in values.items()}),
        NEW: new.loaders[second].with_values({name: number(each) for name, each in others.items()}),
    }
    if why := drawn_otherwise(*(plan_of(each) for each in pair.values())):
        return Verdict("unknown", reason=why), None
    if apart := _apart(old, new, pair):
        return Verdict("unknown", reason=f"no value of `{apart}` is allowed by both specs"), None
    asked = _Asked(pair, _parameters(old, new, pair))
    answer = asked.answer(asked.same_records())
    return answer.verdict, answer.counts()


def _change(old: Schedule, new: Schedule, name: str) -> Change:
    pair = {OLD: _narrowed(old, name, new), NEW: _narrowed(new, name, old)}
    one, other = pair[OLD].population.name, pair[NEW].population.name
    if one != other:
        return Change(name, "population-changing", reason=f"it reads dataset `{other}` in place of `{one}`")
    if made := made_otherwise(pair[OLD].population, pair[NEW].population):
        return Change(name, "population-changing", reason=f"`{made}` is made otherwise")
    if other_file := replaced(old, new, name):
        return Change(name, "population-changing", reason=other_file)
    if why := drawn_otherwise(*(plan_of(each) for each in pair.values())):
        return Change(name, "population-changing", reason=why)
    if apart := _apart(old, new, pair):
        return Change(name, "unknown", reason=f"no value of `{apart}` is allowed by both specs")
    return _compared(name, _Asked(pair, _parameters(old, new, pair)))


def _compared(name: str, asked: _Asked) -> Change:
    order, draws = asked.answer(asked.same(Order())), asked.drawn()
    same = order.word == "proved"
    records = order if same else asked.answer(asked.same_records())
    resume = asked.answer(asked.goes_on())
    kind: Kind = "unknown"
    if asked.epochs_differ() or records.word == "refuted":
        kind = "population-changing"
    elif same and (draws is None or draws.word == "proved"):
        kind = (
            "resume-incompatible" if asked.resumes_otherwise() and resume.word == "refuted" else "identical"
        )
    elif records.word == "proved":
        kind = "order-only"
    return Change(
        name,
        kind,
        order.verdict,
        None if draws is None else draws.verdict,
        records.verdict,
        resume.verdict,
        reason=asked.epochs_differ(),
        moved=order.moved(),
        counts=records.counts(),
        handed_over=resume.handed_over(),
    )


def _narrowed(spec: Schedule, name: str, other: Schedule) -> Loader:
    """The loader with the values that it leaves free and the other spec fixes."""
    fixed = {each: other.scope.names[each] for each in spec.scope.parameters if each in other.scope.names}
    return spec.loaders[name].with_values(
        {
            each: value
            for each, value in fixed.items()
            if (known := constant(value)) is not None and known in spec.scope.parameters[each].domain
        }
    )


def _apart(old: Schedule, new: Schedule, pair: dict[str, Loader]) -> str:
    """A value that is free in a loader, and cannot be the same in the other; empty if there is none."""
    for name in sorted(_used(pair)):
        one, other = (_domain(spec, name) for spec in (old, new))
        if one and other and not one.meets(other):
            return name
    return ""


def _domain(spec: Schedule, name: str) -> Domain | None:
    """The values that the spec allows, as far as they are known."""
    if name in spec.scope.parameters:
        return spec.scope.parameters[name].domain
    known = constant(spec.scope.names[name]) if name in spec.scope.names else None
    return None if known is None else Domain(known, known)


def _parameters(old: Schedule, new: Schedule, pair: dict[str, Loader]) -> tuple[Parameter, ...]:
    """The free parameters of both loaders; one that both leave free has one value, in both domains."""
    known, listed = (
        {**old.scope.parameters, **new.scope.parameters},
        listed_weights(old) | listed_weights(new),
    )
    found = []
    for name in [name for name in known if name in _used(pair)]:
        parameter, other = known[name], old.scope.parameters.get(name)
        domain = parameter.domain if other is None else parameter.domain.shared(other.domain)
        found.append(replace(parameter, domain=domain, listed=name in listed))
    return tuple(found)


def _used(pair: dict[str, Loader]) -> set[str]:
    """The variables that the loaders, their random streams and an interruption between them depend on."""
    plans = [plan_of(loader) for loader in pair.values()]
    drawn = set[str]().union(*(Augmentation().depends_on(plan) for plan in plans))
    plans += handed_over(plans[0], plans[1], _AFTER.term)
    read = set[str]().union(*(Order().depends_on(plan) for plan in plans))
    return drawn | read | variables(*(loader.epochs for loader in pair.values()))


@dataclass(frozen=True)
class _Asked:
    """The questions about one loader, old and new."""

    pair: dict[str, Loader]
    parameters: tuple[Parameter, ...]

    def same(self, quantity: Order | Augmentation) -> Condition:
        """The same records in the same places, or the same random streams there."""
        return SameSequence(self._sequence(OLD, quantity), self._sequence(NEW, quantity))

    def drawn(self) -> _Answer | None:
        """Whether the same random numbers are drawn; `None` where neither loader says from where."""
        told = [augment_of(plan_of(loader)) is not None for loader in self.pair.values()]
        if all(told):
            return self.answer(self.same(Augmentation()))
        which = "old" if told[0] else "new"
        reason = f"only the {which} spec says, by `augment`, where random numbers come from"
        return _Answer(self, None, Verdict("unknown", reason=reason)) if any(told) else None

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
        return GoesOn(*self._uses(), _AFTER.term)

    def _uses(self) -> tuple[Use, Use]:
        one, other = (Use(which, Order(), run=False, rank=False, span=_NOWHERE) for which in (OLD, NEW))
        return one, other

    def _sequence(self, which: str, quantity: Order | Augmentation) -> UseSequence:
        return UseSequence(Use(which, quantity, run=False, rank=False, span=_NOWHERE), quantity)

    def answer(self, formula: Condition) -> _Answer:
        """The verdict on the formula, for every value of every free parameter."""
        parameters = (*self.parameters, _AFTER) if isinstance(formula, GoesOn) else self.parameters
        written = tree.Claim("prove", "", tree.Name(("changed",), _NOWHERE), None, _NOWHERE, _NOWHERE)
        claim = Claim(written, formula, All(()), self.pair, parameters, (), ())
        ranges = {each.name: (each.domain.low, each.domain.high) for each in parameters}
        domains = {each.name: each.domain.holds(each.term) for each in parameters}
        return _Answer(self, claim, judge(claim, Solver(ranges, domains)).verdict)


@dataclass(frozen=True)
class _Answer:
    """A verdict, and what shows it in its smallest case."""

    asked: _Asked
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
