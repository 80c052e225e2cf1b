"""The plan of a loader: its stages composed, downwards for lengths and upwards for sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from epochproof.schedule.loader import Loader
from epochproof.stage._stage import SINGLE, Here, Interval, Lane, Stage
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, both, either, equal, number, variable

RANK, EPOCH = variable("rank"), variable("epoch")
"""The rank and the epoch that a formula is about."""

_UNBOUND = variable("rank?")
"""The rank of a record that no stage has dealt yet."""


@dataclass(frozen=True)
class Witness:
    """Where a record is delivered on given laps: on `rank`, at `position`, if it `holds`."""

    rank: Int
    holds: Bool
    position: Int


@dataclass(frozen=True)
class Plan:
    """The stages of one loader over `size` records; every formula about it is composed here."""

    size: Int
    ranks: Int
    stages: tuple[Stage, ...]

    def lane(self, rank: Int = RANK, epoch: Int = EPOCH) -> Lane:
        """The lane of one rank in one epoch."""
        return Lane(rank, self.ranks, epoch)

    def heres(self, lane: Lane) -> list[Here]:
        """The lane as it reaches each stage, and last as it leaves them all."""
        here, found = Here(self.size, lane, SINGLE), []
        for stage in self.stages:
            found.append(here)
            here = Here(stage.length(here), lane, stage.grouped(here))
        return [*found, here]

    def length(self, lane: Lane) -> Int:
        """Positions that the lane delivers in the epoch."""
        return self.heres(lane)[-1].n

    def trail(self, p: Int, lane: Lane) -> list[Int]:
        """Position `p` as it was before each stage: the record first, `p` itself last."""
        trail = [p]
        for stage, here in zip(reversed(self.stages), reversed(self.heres(lane)[:-1]), strict=True):
            trail.append(stage.source(trail[-1], here))
        return trail[::-1]

    def record(self, p: Int, lane: Lane) -> Int:
        """The record that position `p` delivers."""
        return self.trail(p, lane)[0]

    def laps(self, p: Int, lane: Lane) -> list[Int]:
        """Which place of its source `p` is, at each padding stage."""
        trail, heres = self.trail(p, lane), self.heres(lane)
        return [
            stage.lap(after, here)
            for stage, here, after in zip(self.stages, heres[:-1], trail[1:], strict=True)
            if stage.pads()
        ]

    def padded(self, p: Int, lane: Lane) -> Bool:
        """Whether some stage introduced position `p` as padding."""
        return either(*(lap >= 1 for lap in self.laps(p, lane)))

    def step(self, p: Int, lane: Lane) -> Int:
        """The step that position `p` belongs to."""
        return self.heres(lane)[-1].steps.of(p)

    def steps(self, lane: Lane) -> Int:
        """The steps of the lane in the epoch."""
        last = self.heres(lane)[-1]
        return last.steps.count(last.n)

    def padding_stages(self) -> int:
        """How many stages can give a record further places."""
        return sum(stage.pads() for stage in self.stages)

    def dealt(self) -> bool:
        """Whether a stage deals records to ranks; where none does, every rank reads everything."""
        return any(stage.deals for stage in self.stages)

    def copies(self) -> Int:
        """On how many ranks each place is delivered."""
        return number(1) if self.dealt() else self.ranks

    def witness(self, record: Int, laps: Sequence[Int], rank: Int, epoch: Int = EPOCH) -> Witness:
        """The place of the record whose laps at the padding stages are `laps`.

        `rank` is the rank as long as no stage has dealt the record to one, and where none ever does.
        """
        lane, holds, q = self.lane(_UNBOUND, epoch), [], record
        here, remaining = Here(self.size, lane, SINGLE), list(laps)
        for stage in self.stages:
            place = stage.place(q, remaining.pop(0) if stage.pads() else number(0), here)
            holds.append(place.holds)
            if place.rank is not None:
                lane, condition = _bind(lane, place.rank)
                holds.append(condition)
                here = replace(here, lane=lane)
            here = Here(stage.length(here), lane, stage.grouped(here))
            q = place.position
        values = {"rank?": rank}
        return Witness(substitute(lane.rank, values), substitute(both(*holds), values), substitute(q, values))

    def base(self) -> Plan:
        """The plan without its leading shuffles that all ranks share: no count changes under a bijection."""
        stages = self.stages
        while stages and stages[0].bijective():
            stages = stages[1:]
        return replace(self, stages=stages)

    def kept(self, lane: Lane) -> Interval | None:
        """The records whose first places are delivered, if the stages' hints make them an interval."""
        span: Interval | None = Interval(number(0), None)
        for stage, here in zip(reversed(self.stages), reversed(self.heres(lane)[:-1]), strict=True):
            span = span and stage.kept(span, here)
        if span is None or (span.high is not None and "rank" in variables(span.high)):
            return None
        return Interval(span.low, self.size if span.high is None else span.high)

    def epoch_free(self) -> bool:
        """Whether every epoch delivers the same, in the same order and steps."""
        lane, p = self.lane(), variable("p")
        return "epoch" not in variables(self.record(p, lane), self.steps(lane))

    def order_free(self) -> bool:
        """Whether no order is left open."""
        return not any(stage.moves for stage in self.stages)


def _bind(lane: Lane, rank: Int) -> tuple[Lane, Bool]:
    """The lane on `rank`. A second deal, or one of an order that depends on the rank, is an equation."""
    if lane.rank is not _UNBOUND or "rank?" in variables(rank):
        return lane, equal(lane.rank, rank)
    return replace(lane, rank=rank), both()


def plan_of(loader: Loader, values: Mapping[str, Int] | None = None) -> Plan:
    """The plan of a loader, with other terms in place of some parameters."""
    loader = loader.with_values(values) if values else loader
    return Plan(loader.population.size, loader.ranks, tuple(each.stage for each in loader.stages))
