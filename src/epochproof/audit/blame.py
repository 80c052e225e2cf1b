"""Which claims and assumptions a difference concerns: evaluated on what was read, where that is little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from epochproof.audit.engine import Engine
from epochproof.audit.world import World as Recorded
from epochproof.claim._chance import Chance
from epochproof.claim._claim import Claim
from epochproof.claim._claims import read_claims
from epochproof.diagnostics import EpochproofError
from epochproof.prove.worlds import Worlds
from epochproof.report._audit import Broken, Finding, Kind
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.stage.accumulate import Accumulate
from epochproof.term.node import number

MOST = 200_000
"""Claims are evaluated on so many occurrences."""

_POPULATION = {
    "omitted",
    "covered",
    "distinct",
    "occurrences",
    "multiplicity",
    "repeated",
    "weight",
    "expected",
}
_SEQUENCE = {"order", "global_batches", "augmentation"}
_TOUCHED: Mapping[str, set[str]] = {
    "missing": _POPULATION | _SEQUENCE | {"steps", "lost"},
    "repeated": _POPULATION | _SEQUENCE | {"steps", "replayed"},
    "unexpected": _POPULATION | _SEQUENCE | {"steps"},
    "unknown": _POPULATION | _SEQUENCE,
    "rank": _SEQUENCE | {"omitted", "covered", "distinct", "multiplicity"},
    "step": _SEQUENCE,
    "order": {"order", "augmentation"},
    "twice": _POPULATION | _SEQUENCE,
    "worker": {"augmentation"},
    "unmarked": {"padding", "weight"},
    "marked": {"padding", "weight"},
    "steps": {"steps"},
}
"""The quantities that each kind of difference changes."""

_INTERRUPTED = {"lost", "replayed"}
"""Quantities that compare two runs."""

_PROCESSED, _FIXED = "every delivered record is processed", "the dataset does not change"
_AGREEING = {"missing", "repeated", "unexpected", "rank", "step", "order"}
"""Kinds that come about where those who read do not agree on what they read."""


def broken(
    schedule: Schedule,
    world: Recorded,
    findings: Sequence[Finding],
    lists: Mapping[tuple[int, int], Delivered],
) -> tuple[Broken, ...]:
    """The assumptions that the findings contradict, and the claims about what they change.

    Args:
        schedule: The spec.
        world: The world of the trace.
        findings: What differs.
        lists: What each rank read in each epoch; empty where that is too much, or no record of the dataset.
    """
    kinds = {each.kind for each in findings}
    counts = {each.kind: each.count for each in findings}
    # What a checkpoint sent back reads again says nothing about who agrees.
    again = {"repeated"} if counts.get("repeated") == counts.get("twice") else set[Kind]()
    found = [
        Broken(text, "broken", "assumption") for text in dict.fromkeys(_assumptions(world, kinds - again))
    ]
    touched = set[str]().union(*(_TOUCHED[kind] for kind in kinds))
    for claim in read_claims(schedule) if kinds else ():
        uses = [each for each in claim.uses if each.loader == world.loader.name]
        if claim.written.kind != "prove" or not any(each.quantity.name in touched for each in uses):
            continue
        line = schedule.source.position(claim.written.span.start)[0]
        how = _evaluated(claim, world, lists)
        if how is not True:
            found.append(Broken(claim.written.text, "false" if how is False else "open", "claim", line))
    return tuple(found)


def _assumptions(world: Recorded, kinds: AbstractSet[str]) -> Iterator[str]:
    if "missing" in kinds:
        yield _PROCESSED
    if "unknown" in kinds:
        yield _FIXED
    sentences = [text for stage in world.plan.stages for text in stage.assumes()]
    if kinds & _AGREEING:
        yield from (each for each in sentences if "agree" in each)
    if "worker" in kinds:
        yield from (each for each in sentences if "return their batches" in each)


def _evaluated(claim: Claim, world: Recorded, lists: Mapping[tuple[int, int], Delivered]) -> bool | None:
    """Whether a claim holds of what was read; `None` where it cannot be evaluated on that."""
    other = claim.changed or set(claim.loaders) != {world.loader.name}
    drawn = any(isinstance(use.quantity, Chance) or use.quantity.name in _INTERRUPTED for use in claim.uses)
    stages = [each.stage for each in world.loader.stages]
    if not lists or other or drawn or any(isinstance(each, Accumulate) for each in stages):
        return None
    values = {each.name: each.domain.low for each in (*claim.parameters, *claim.pinned)}
    try:
        read = _Read(claim, world, lists)
        return claim.violation(read.world({**values, **world.values})) is None
    except (EpochproofError, ArithmeticError, LookupError, ValueError, TypeError):
        return None


class _Read(Worlds):
    """The world of a claim whose lists are what was read."""

    def __init__(self, claim: Claim, world: Recorded, lists: Mapping[tuple[int, int], Delivered]) -> None:
        super().__init__(claim)
        self._plans = {name: _Lists(plan.names, world, lists) for name, plan in self._plans.items()}


class _Lists(Compiled):
    """A plan whose lists are what was read."""

    def __init__(
        self, names: tuple[str, ...], world: Recorded, lists: Mapping[tuple[int, int], Delivered]
    ) -> None:
        epochs = 1 + max(epoch for epoch, _ in lists)
        super().__init__(plan_of(world.loader), number(epochs), names)
        self._read = lists

    def lane(
        self,
        values: tuple[int, ...],  # noqa: ARG002 -- what was read is in one world
        rank: int,
        epoch: int,
    ) -> Delivered:
        """What one rank read in one epoch."""
        return self._read.get((epoch, rank), Delivered([], [], [], 0, [], []))


def lists_of(engine: Engine, seen: Any, occurrences: int) -> Mapping[tuple[int, int], Delivered]:
    """What each rank read in each epoch; nothing where that is too much, or not all of the dataset."""
    if occurrences > MOST:
        return {}
    found: dict[tuple[int, int], list[tuple[int, int, int, bool, int]]] = defaultdict(list)
    columns = seen.select("epoch", "rank", "step", "slot", "record", "padded", "pads", "worker", "fits")
    for row in engine.rows(columns.order_by("epoch", "rank", "step", "slot")):
        if (
            row["record"] < 0
            or not all(0 <= row[name] <= MOST for name in ("epoch", "step"))
            or not row["fits"]
        ):
            return {}
        padded = bool(row["pads"] if row["padded"] is None else row["padded"])
        each = (row["step"], row["slot"], row["record"], padded, max(0, row["worker"]))
        found[int(row["epoch"]), int(row["rank"])].append(each)
    return {place: _delivered(rows) for place, rows in found.items()}


def _delivered(rows: list[tuple[int, int, int, bool, int]]) -> Delivered:
    return Delivered(
        records=[each[2] for each in rows],
        padded=[each[3] for each in rows],
        step=[each[0] for each in rows],
        steps=1 + max(each[0] for each in rows),
        worker=[each[4] for each in rows],
        place=list(range(len(rows))),
    )
