"""Claims that need what is in a manifest: the manifest is read, and what it settles is marked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from epochproof.claim._claim import Claim
from epochproof.claim._claims import read_claims
from epochproof.claim._nodes import Condition, Use, World
from epochproof.claim._numbers import Given
from epochproof.claim._read import FormulaReader
from epochproof.schedule.read import Schedule
from epochproof.schedule.settle import listed_weights, open_sizes, settled
from epochproof.term.fold import variables


def settled_claims(schedule: Schedule, *, all_loaders: bool = False) -> tuple[Schedule, list[Claim]]:
    """The claims, and the schedule in which the sizes that they need are numbers; see `_settled`.

    Weights that a manifest lists, and that stay open, are marked: no claim is refuted by other ones.
    """
    known, claims = _settled(schedule, all_loaders=all_loaders)
    listed = listed_weights(known)
    if not listed:
        return known, claims
    return known, [_marked_weights(each, listed) for each in claims]


def _marked_weights(claim: Claim, listed: Collection[str]) -> Claim:
    parameters = (replace(each, listed=each.name in listed) for each in claim.parameters)
    return replace(claim, parameters=tuple(parameters))


def _settled(schedule: Schedule, *, all_loaders: bool) -> tuple[Schedule, list[Claim]]:
    """The claims, and the schedule in which the sizes that they need are numbers.

    Args:
        schedule: The schedule as written.
        all_loaders: Whether sizes that only loaders need are read, too.

    Raises:
        SpecError: A claim is wrong, or a manifest that one needs.
    """
    claims = read_claims(schedule)
    pins = open_sizes(schedule)
    if not pins:
        return schedule, claims
    needs = [_needs(claim) & pins.keys() for claim in claims]
    known = settled(schedule, set().union(*needs))
    known = settled(known) if all_loaders else known
    if not known.manifests:
        return schedule, claims
    marked = _marked(schedule, known)
    again = zip(claims, read_claims(known), needs, strict=True)
    return known, [
        claim if _open(claim) else replace(new, assumed=(*marked, *_facts(known, names)))
        for claim, new, names in again
    ]


def _facts(known: Schedule, names: Collection[str]) -> list[str]:
    """What the manifests settle about the parameters, as far as they do."""
    return [known.manifests[name].fact for name in sorted(names) if name in known.manifests]


def _open(claim: Claim) -> bool:
    """Whether it is about every number of records: where no column lists what a split has."""
    return claim.formula.of_every_size()


def _needs(claim: Claim) -> set[str]:
    """The parameters whose values it needs to be judged."""
    if _open(claim):
        return set()
    return {each.name for each in (*claim.parameters, *claim.pinned)}


def _marked(before: Schedule, after: Schedule) -> list[str]:
    """The texts of the assumptions; those that manifests settle say so."""
    one, other = FormulaReader(before), FormulaReader(after)
    return [
        each.text + _mark(one.condition(each.formula), other.condition(each.formula), after)
        for each in before.assumptions
    ]


def _mark(formula: Condition, settled: Condition, schedule: Schedule) -> str:
    """What stands behind an assumption that is about sizes from manifests alone, and true of them."""
    nodes = list(formula.walk())
    names = variables(*(each.given for each in nodes if isinstance(each, Given)))
    about = names and names <= schedule.manifests.keys() and not any(isinstance(each, Use) for each in nodes)
    if not about or not settled.holds(World({}, {})):
        return ""
    return "".join(dict.fromkeys(schedule.manifests[name].mark for name in sorted(names)))
