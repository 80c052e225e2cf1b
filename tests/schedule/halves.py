"""Worlds of interrupted runs as a person would run them: slices of lists, for all options of `resume`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.plan import Plan
from epochproof.stage._permutation import randperm
from epochproof.term.node import number
from tests.schedule.loaders import plan
from tests.worlds import Marked, batched, sharded

NAMES = (
    "d.size",
    "l.ranks",
    "l.seed",
    "l.batch",
    "l.fetch",
    "l.prefetch",
    "l.after",
    "l.resumed.ranks",
    "l.resumed.batch",
    "l.resumed.seed",
)
"""The free parameters of the loader of all worlds."""


@dataclass(frozen=True)
class Half:
    """One half of a run, every number fixed."""

    ranks: int
    batch: int
    seed: int = 3


@dataclass(frozen=True)
class World:
    """A loader that stops after so many steps, and goes on as another half."""

    size: int
    old: Half
    new: Half
    after: int
    position: str = "consumed"
    counter: str = "rank"
    order: str = "same"
    dealt: str = "pad"
    tail: str = "keep"
    workers: int = 2
    prefetch: int = 2

    @property
    def values(self) -> tuple[int, ...]:
        """The values of `NAMES`."""
        old, new = self.old, self.new
        half = (new.ranks, new.batch, new.seed)
        return (self.size, old.ranks, old.seed, old.batch, self.workers, self.prefetch, self.after, *half)

    def free(self) -> Plan:
        """The plan of all worlds that differ from this one in numbers alone, written as a spec."""
        half = "ranks in 1.., batch in 1.., seed in 0.."
        how = f"position = {self.position}, order = {self.order}, counter = {self.counter}"
        return plan(
            None,
            "ranks in 1..",
            "shuffle(seed in 0..)",
            f"shard(ranks, tail = {self.dealt})",
            f"batch(in 1.., tail = {self.tail})",
            "fetch(in 0.., prefetch in 1..)",
            f"resume({how}, after in 0.., {half})",
        )

    def order_of(self, half: Half, epoch: int) -> Marked:
        """The shuffled records, none of them padding."""
        seed = half.seed if self.order == "fresh" else self.old.seed
        return [(record, False) for record in randperm(self.size, seed + epoch)]

    def before(self, epoch: int) -> list[list[Marked]]:
        """For each rank the batches that it read: the first ones of its lane."""
        return [lane[: self.after] for lane in self.whole(epoch)]

    def whole(self, epoch: int) -> list[list[Marked]]:
        """For each rank the batches of the run that nothing interrupts."""
        order = [(record, False) for record in randperm(self.size, self.old.seed + epoch)]
        lanes = sharded(order, self.old.ranks, "strided", self.dealt)
        return [batched(lane, self.old.batch, self.tail) for lane in lanes]

    def resumed(self, epoch: int) -> list[list[Marked]]:
        """For each rank the batches that it goes on with."""
        most = max(len(lane) for lane in self.whole(epoch))
        steps = {
            "consumed": self.after,
            "fetched": min(most, self.after + self.workers * self.prefetch),
            "epoch_start": 0,
        }[self.position]
        records, order = steps * self.old.batch, self.order_of(self.new, epoch)
        if self.counter == "global":
            lanes = sharded(order[records * self.old.ranks :], self.new.ranks, "strided", self.dealt)
        else:
            lanes = [lane[records:] for lane in sharded(order, self.new.ranks, "strided", self.dealt)]
        return [batched(lane, self.new.batch, self.tail) for lane in lanes]


def marked(lane: Delivered) -> list[Marked]:
    """The records of each step, each with whether it is padding."""
    found: dict[int, Marked] = {}
    for record, padded, step in zip(lane.records, lane.padded, lane.step, strict=True):
        found.setdefault(step, []).append((record, padded))
    return [found[step] for step in sorted(found)]


def read(of: Plan, epoch: int = 0, world: World | None = None) -> list[list[Marked]]:
    """For each rank what the plan delivers: its numbers are fixed, or those of a world."""
    names, values = (NAMES, world.values) if world else ((), ())
    found = _compiled(of, names).run(values)
    return [marked(found.lane(epoch, rank)) for rank in range(found.ranks)]


@cache
def _compiled(of: Plan, names: tuple[str, ...]) -> Compiled:
    return Compiled(of, number(1), names)
