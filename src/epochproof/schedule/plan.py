"""The plan of a loader: its stages composed, downwards for lengths and upwards for sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from epochproof.schedule.loader import Loader
from epochproof.stage._stage import SINGLE, Here, Interval, Lane, Stage
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, both, choose, either, equal, number, variable, within

if TYPE_CHECKING:
    from epochproof.stage._mixing import Mixing

RANK, WORKER, EPOCH = variable("rank"), variable("worker"), variable("epoch")
"""The rank, the worker and the epoch that a formula is about."""

_UNBOUND = {"rank": variable("rank?"), "worker": variable("worker?")}
"""The lane of a record that no stage has dealt yet."""


_NONE, _ONE = number(0), number(1)


@dataclass(frozen=True)
class Witness:
    """Where a record is delivered on given laps: on a lane, at `position`, if it `holds`."""

    rank: Int
    worker: Int
    holds: Bool
    position: Int


@dataclass(frozen=True)
class Plan:
    """The stages of one loader over `size` records; every formula about it is composed here."""

    size: Int
    ranks: Int
    stages: tuple[Stage, ...]
    workers: Int = _ONE
    """Lanes of a rank: 1 unless the loader is iterable."""

    processes: Int = _NONE
    """Worker processes of an iterable loader: 0 where the main process reads its one lane."""

    iterable: bool = False
    start_epoch: Int = _NONE
    persistent: bool = False

    def lane(self, rank: Int = RANK, epoch: Int = EPOCH, worker: Int = WORKER) -> Lane:
        """The lane of one rank and worker in one epoch."""
        worker = worker if self.has_workers else number(0)
        return Lane(rank, self.ranks, worker, self.workers, epoch, self.start_epoch + self.reaches(epoch))

    def reaches(self, epoch: Int) -> Int:
        """Which epoch's number the samplers have: workers that outlive an epoch keep the first one's."""
        return choose(equal(self.processes, 0), epoch, 0) if self.persistent else epoch

    @property
    def has_workers(self) -> bool:
        """Whether a rank has more than one lane."""
        return self.workers is not number(1)

    def exists(self, rank: Int = RANK, worker: Int = WORKER) -> Bool:
        """The lane exists."""
        inside = within(0, worker, self.workers) if self.has_workers else both()
        return both(within(0, rank, self.ranks), inside)

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
        padding = [stage for stage in self.stages if stage.pads()]
        laps = zip(padding, self.laps(p, lane), strict=True)
        return either(*(lap >= 1 for stage, lap in laps if not stage.repeats()))

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

    def draws(self) -> bool:
        """Whether some stage gives a record further draws, which are no padding."""
        return any(stage.repeats() and not stage.mixes for stage in self.stages)

    def below_draws(self) -> Plan | None:
        """The plan over what its last draw gives: the same positions, steps and padding below it.

        `None` where a stage above deals, pads or groups what is drawn from.
        """
        drawing = [at for at, stage in enumerate(self.stages) if stage.repeats() and not stage.mixes]
        at = max(drawing, default=-1)
        above = self.stages[: at + 1]
        if any(stage.axes() or stage.regroups or (stage.pads() and not stage.repeats()) for stage in above):
            return None
        return replace(self, size=self.heres(self.lane())[at + 1].n, stages=self.stages[at + 1 :])

    def dealt(self) -> frozenset[str]:
        """The axes along which some stage deals; along the others every lane reads everything."""
        return frozenset(axis for stage in self.stages for axis in stage.axes())

    def copies(self, *, of_a_rank: bool = False) -> Int:
        """On how many lanes each place is delivered, of all ranks or of one."""
        dealt = self.dealt()
        ranks = number(1) if of_a_rank or "rank" in dealt else self.ranks
        return ranks * (number(1) if "worker" in dealt else self.workers)

    def witness(
        self, record: Int, laps: Sequence[Int], rank: Int, epoch: Int = EPOCH, worker: Int | None = None
    ) -> Witness:
        """The place of the record whose laps at the padding stages are `laps`.

        `rank` and `worker` are the lane as long as no stage has dealt the record along that axis.
        """
        lane, holds, q = self.lane(_UNBOUND["rank"], epoch, _UNBOUND["worker"]), [], record
        here, remaining = Here(self.size, lane, SINGLE), list(laps)
        for stage in self.stages:
            place = stage.place(q, remaining.pop(0) if stage.pads() else number(0), here)
            holds.append(place.holds)
            for axis, index in (("rank", place.rank), ("worker", place.worker)):
                if index is not None:
                    lane, condition = _bind(lane, axis, index)
                    holds.append(condition)
            here = replace(here, lane=lane)
            here = Here(stage.length(here), lane, stage.grouped(here))
            q = place.position
        values = {"rank?": rank, "worker?": number(0) if worker is None else worker}
        return Witness(
            substitute(lane.rank, values),
            substitute(lane.worker, values),
            substitute(both(*holds), values),
            substitute(q, values),
        )

    @property
    def mixing(self) -> Mixing | None:
        """The mix that it reads, if it reads one."""
        drawing = self.drawing()
        if not drawing:
            return None
        from epochproof.stage._mixing import Mixing  # noqa: PLC0415 -- most plans read no mix

        return drawing[-1] if isinstance(drawing[-1], Mixing) else None

    def drawing(self) -> tuple[Stage, ...]:
        """Its first stages, as far as they draw from a mix."""
        return tuple(takewhile(lambda stage: stage.mixes, self.stages))

    def repeats(self) -> bool:
        """Whether a source of its mix may start again, so that a record is read twice that is no padding."""
        return any(stage.pads() for stage in self.drawing())

    def drawn(self, epoch: Int = EPOCH) -> Plan:
        """The plan over the positions that its mix draws, as if they were a dataset of their own."""
        many = len(self.drawing())
        size = self.heres(self.lane(epoch=epoch))[many].n
        return replace(self, size=size, stages=self.stages[many:]) if many else self

    def part(self, name: str) -> tuple[Int, Int]:
        """The first record of a source of its mix, and how many it has; everything without a name."""
        found = self.mixing.part(name) if self.mixing and name else None
        return found or (_NONE, self.size)

    def base(self) -> Plan:
        """The plan without its leading shuffles that all ranks share: no count changes under a bijection."""
        return replace(self, stages=self.stages[len(self.leading()) :])

    def leading(self) -> tuple[Stage, ...]:
        """Its first stages, as far as they are shuffles that all ranks share."""
        return tuple(takewhile(lambda stage: stage.bijective(), self.stages))

    def kept(self, lane: Lane) -> Interval | None:
        """The records whose first places are delivered, if the stages' hints make them an interval."""
        span: Interval | None = Interval(number(0), None)
        for stage, here in zip(reversed(self.stages), reversed(self.heres(lane)[:-1]), strict=True):
            span = span and stage.kept(span, here)
        if span is None or (span.high is not None and {"rank", "worker"} & variables(span.high)):
            return None
        return Interval(span.low, self.size if span.high is None else span.high)

    def parameters(self) -> set[str]:
        """The parameters on which its lists depend."""
        lane, p = self.lane(), variable("p")
        inside = (self.record(p, lane), self.step(p, lane), self.length(lane), self.steps(lane))
        return variables(self.size, self.ranks, self.workers, *inside) - {"p", "rank", "worker", "epoch"}

    def epoch_free(self) -> bool:
        """Whether every epoch delivers the same, in the same order and steps."""
        lane, p = self.lane(), variable("p")
        return "epoch" not in variables(self.record(p, lane), self.steps(lane))

    def order_free(self) -> bool:
        """Whether no order is left open."""
        return not any(stage.moves for stage in self.stages)


def _bind(lane: Lane, axis: str, index: Int) -> tuple[Lane, Bool]:
    """The lane with its `axis` bound. A second deal, or one of an order of its own, is an equation."""
    bound: Int = getattr(lane, axis)
    if bound is not _UNBOUND[axis] or f"{axis}?" in variables(index):
        return lane, equal(bound, index)
    return replace(lane, **{axis: index}), both()


def plan_of(loader: Loader, values: Mapping[str, Int] | None = None) -> Plan:
    """The plan of a loader, with other terms in place of some parameters."""
    loader = loader.with_values(values) if values else loader
    return Plan(
        loader.population.size,
        loader.ranks,
        tuple(each.stage for each in loader.stages),
        loader.lanes,
        loader.workers,
        loader.iterable,
        loader.start_epoch,
        loader.persistent,
    )
