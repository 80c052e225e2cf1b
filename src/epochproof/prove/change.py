"""What a change of a spec does to each loader: proved to be nothing, another order, or another population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from epochproof.claim.augmentation import Augmentation
from epochproof.claim.order import Order
from epochproof.model.domain import Domain, Parameter
from epochproof.model.lineage import made_otherwise
from epochproof.prove.asked import AFTER, NEW, OLD, Asked
from epochproof.prove.difference import Counts, Moved, drawn_otherwise
from epochproof.prove.manifests import replaced
from epochproof.prove.verdict import Verdict
from epochproof.schedule.interrupted import handed_over
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.schedule.settle import listed_weights
from epochproof.term.fold import variables
from epochproof.term.node import constant, number

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
    asked = Asked(pair, _parameters(old, new, pair))
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
    return _compared(name, Asked(pair, _parameters(old, new, pair)))


def _compared(name: str, asked: Asked) -> Change:
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
    known = {**old.scope.parameters, **new.scope.parameters}
    listed = listed_weights(old) | listed_weights(new)
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
    plans += handed_over(plans[0], plans[1], AFTER.term)
    read = set[str]().union(*(Order().depends_on(plan) for plan in plans))
    return drawn | read | variables(*(loader.epochs for loader in pair.values()))
