"""The claims of a statement: what a claim says, its verdict, what shows it, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from epochproof.claim._claim import Claim
from epochproof.claim._question import Undecided
from epochproof.language import tree
from epochproof.language.rows import rows
from epochproof.language.scan import scan
from epochproof.prove import verdict
from epochproof.prove.judge import SMALL_WEIGHT
from epochproof.prove.obligations import obligations
from epochproof.prove.session import Session
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Judged
from epochproof.prove.worlds import Worlds
from epochproof.statement import predicate
from epochproof.statement.evidence import ABOUT_ORDER, NOBODY, TRACE
from epochproof.statement.predicate import Assumption, Commitments, Digest, Free, Obligation
from epochproof.statement.rooted import followed

_TRIED = 64
"""So many small worlds are asked whether they meet the premises."""


def formulas(spec: tree.Spec) -> tuple[str, ...]:
    """The formula of each claim with its premise, in canonical spacing, without comments."""
    found = [each for each in rows(spec, scan(spec.source)) if each.kind == "claim"]
    return tuple(each.cells[2] for each in found if each.cells[0] in ("prove", "refute"))


class Assumptions:
    """The assumptions of all claims, each once, numbered in the order in which they are met."""

    def __init__(self, session: Session, seen: Mapping[str, str]) -> None:
        self._session, self._seen = session, seen
        self._found: dict[str, Assumption] = {}

    def ids(self, claim: Claim, judged: Judged) -> tuple[str, ...]:
        """The numbers of what the verdict rests on."""
        checks = self._checks(claim)
        return tuple(
            self._id(*checks.get(each, (each, self._seen.get(each, NOBODY)))) for each in judged.assumptions
        )

    @property
    def all(self) -> tuple[Assumption, ...]:
        """Those that some verdict rests on."""
        return tuple(self._found.values())

    def _id(self, text: str, checked_by: str) -> str:
        known = self._found.setdefault(text, Assumption(f"A{len(self._found) + 1}", text, checked_by))
        return known.id

    def _checks(self, claim: Claim) -> Mapping[str, tuple[str, str]]:
        """The assumptions that a manifest settles, as verdicts show them: without its mark, and by whom."""
        schedule, found = self._session.schedule, dict[str, tuple[str, str]]()
        marks = {each.mark: f"manifest `{each.pin.path}`" for each in schedule.manifests.values()}
        written = [each.text for each in schedule.assumptions]
        for text, shown in zip(written, claim.assumed, strict=False):
            if shown != text:
                found[shown] = text, marks.get(shown.removeprefix(text), "manifests")
        for fact in claim.assumed[len(written) :]:
            mark = next((each for each in marks if fact.endswith(each)), "")
            found[fact] = fact.removesuffix(mark), marks.get(mark, "manifests")
        return found


def seen(roots: Commitments | None, session: Session) -> Mapping[str, str]:
    """The assumptions about the order that a trace bears out, where it has that of the schedule.

    One that another loader rests on, too, is not borne out by the trace of this one.
    """
    borne_out = set() if roots is None else {each.loader for each, same in followed(roots) if same}
    assumed = {
        loader.name: {text for each in loader.stages for text in each.stage.assumes()}
        for loader in session.schedule.loaders.values()
    }
    others = {text for name, texts in assumed.items() if name not in borne_out for text in texts}
    shown = {text for name in borne_out for text in assumed[name]} - others
    return {text: TRACE for text in sorted(shown) if text.startswith(ABOUT_ORDER)}


def stated(
    claim: Claim,
    judged: Judged,
    formula: str,
    assumptions: Assumptions,
    solver: Solver,
    *,
    ids: bool,
) -> predicate.Claim:
    """The claim as a statement holds it."""
    found = judged.verdict
    return predicate.Claim(
        text=judged.text,
        kind=judged.kind,
        formula=formula,
        scope=tuple(Free(each.name, str(each.domain), each.seed) for each in claim.parameters),
        verdict=found.word,
        as_stated=judged.as_stated,
        evidence=found.evidence,
        obligations=tuple(Obligation("smtlib-2.6", Digest(each.digest)) for each in obligations(judged)),
        assumptions=assumptions.ids(claim, judged),
        reason=found.reason or None,
        non_vacuous_witness=_witness(claim, solver) if found.word == "proved" else None,
        counterexample=_counterexample(found.counterexample, ids=ids),
    )


def _counterexample(found: verdict.Counterexample | None, *, ids: bool) -> predicate.Counterexample | None:
    if found is None:
        return None
    return predicate.Counterexample(
        parameters={name: str(value) for name, value in found.parameters.items()},
        replayed=found.replayed,
        smallest=found.smallest,
        stage=None if found.blame is None else found.blame.stage,
        rank=None if found.rank is None else str(found.rank),
        epoch=None if found.epoch is None else str(found.epoch),
        shared=None if found.leak is None else str(found.leak.count),
        records=tuple(map(str, found.records)) if ids and not found.of_records else None,
    )


def _witness(claim: Claim, solver: Solver) -> Mapping[str, str] | None:
    """Values under which the premises hold: those of a small world if one of the first does."""
    found = None if claim.formula.of_populations else _small(claim)
    if found is None:
        try:
            answer = solver.find(claim.premises(solver.valid))
        except Undecided:
            return None
        if answer.status != "found":
            return None
        found = answer.values
    names = [each.name for each in claim.parameters if not each.seed]
    return {name: str(found[name]) for name in names if name in found}


def _small(claim: Claim) -> Mapping[str, int] | None:
    worlds = Worlds(claim)
    for values in islice(worlds.small(), _TRIED):
        if worlds.weight(values) > SMALL_WEIGHT:
            return None
        try:
            if claim.meets_premise(worlds.world(next(worlds.orders(values)))):
                return values
        except Undecided:
            return None
    return None
