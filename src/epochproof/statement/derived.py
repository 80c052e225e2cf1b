"""From a spec to the predicate about it: everything is found anew, nothing is taken from what was kept."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import epochproof
from epochproof.diagnostics import SpecError, fail
from epochproof.language.parse import read
from epochproof.prove.session import Checked, Session, opened
from epochproof.schedule.read import read_schedule
from epochproof.schedule.settle import settled
from epochproof.statement import twice
from epochproof.statement.claims import Assumptions, formulas, seen, stated
from epochproof.statement.counts import populations
from epochproof.statement.predicate import VERIFIER, Claim, Digest, Language, Predicate, Result, Verifier
from epochproof.statement.semantic import semantic_digest
from epochproof.statement.streams import commitments
from epochproof.statement.subjects import named

NOT_CLAIMED = (
    "how fast the job runs",
    "how good the model becomes, or that two schedules give equal gradients",
    "what the records contain, whether they are right, and who may use them",
    "that numbers repeat exactly, beyond the order in which records are read",
    "what code does outside the loaders that the spec describes",
)


@dataclass(frozen=True)
class Asked:
    """What is stated beyond the verdicts: when, for which values of free parameters, with which secrets."""

    moment: str
    values: Mapping[str, int] = field(default_factory=dict)
    ids: bool = False
    recheck: bool = False
    commitment_key: bytes | None = None
    """The secret under which record ids are committed to; without it there are no roots."""
    trace: Path | None = None
    """What a run recorded."""
    of: str | None = None
    """The loader that was recorded; the only one if `None`."""


@dataclass(frozen=True)
class Derived:
    """The predicate about a spec, the files that it is made of, and the verdicts behind it."""

    predicate: Predicate
    files: tuple[str, ...]
    checked: Checked


def derived(path: Path, asked: Asked) -> Derived:
    """What there is to state about a spec.

    Raises:
        SpecError: The spec is wrong, a file that it names, or a value.
    """
    spec = read(path)
    schedule = read_schedule(spec)
    session = opened(schedule, all_loaders=True)
    wrong = _refused(session, asked.values)
    if wrong is not None:
        raise wrong
    checked = twice.proved_twice(session.checked()) if asked.recheck else session.checked()
    counted, key = _counted(session), asked.commitment_key
    roots = None if key is None else commitments(counted, asked.values, key, asked.trace, asked.of)
    assumptions = Assumptions(session, seen(roots, session))
    claims = tuple(
        stated(claim, judged, formula, assumptions, session.solver, ids=asked.ids)
        for claim, judged, formula in zip(session.claims, checked.claims, formulas(spec), strict=True)
    )
    return Derived(
        Predicate(
            language=Language(spec.edition, Digest(semantic_digest(spec))),
            verifier=Verifier(VERIFIER, versions(recheck=asked.recheck)),
            verified_at=asked.moment,
            result=result(claims),
            record_ids="shown" if asked.ids else "hidden",
            values={name: str(value) for name, value in asked.values.items()},
            claims=claims,
            assumptions=assumptions.all,
            populations=populations(counted, asked.values, ids=asked.ids),
            not_claimed=NOT_CLAIMED,
            commitments=roots,
        ),
        named(spec, schedule),
        checked,
    )


def versions(*, recheck: bool) -> Mapping[str, str]:
    """The version of each part that a verdict rests on."""
    found = {"epochproof": epochproof.__version__, "z3": version("z3-solver")}
    if recheck:
        found[twice.PROVER] = version(twice.PROVER)
    return {**found, "python": platform.python_version()}


def result(claims: tuple[Claim, ...]) -> Result:
    """Whether all claims are as stated; undecided where the others are."""
    if any(not each.as_stated and each.verdict != "unknown" for each in claims):
        return "not as stated"
    return "as stated" if all(each.as_stated for each in claims) else "undecided"


def _counted(session: Session) -> Session:
    """The session with every size that a manifest gives."""
    return Session(settled(session.schedule), session.claims, session.solver)


def _refused(session: Session, values: Mapping[str, int]) -> SpecError | None:
    from epochproof.prove.session import refused  # noqa: PLC0415 -- values are rarely given

    wrong = [each for name, value in values.items() for each in refused(session.schedule, name, value)]
    return SpecError(tuple(wrong), session.source) if wrong else None


def unchanged(before: object, after: object, name: str) -> None:
    """Raises what is wrong if a file changed while it was read."""
    if before != after:
        raise fail("E903", f"`{name}` changed while it was read", None, help="call again")
