"""Runs that are stopped several times in a row, as a person would run them: slices of lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from epochproof.schedule.deliveries import Compiled
from epochproof.schedule.plan import Plan
from epochproof.stage._permutation import randperm
from epochproof.term.node import number
from tests.schedule.halves import Half, marked
from tests.schedule.loaders import plan
from tests.worlds import Marked, batched, sharded

Lanes = list[list[Marked]]
"""For each rank its batches."""


@dataclass(frozen=True)
class Segments:
    """A loader that is stopped after each of the `stops`, and goes on each time under another of the `seeds`.

    It runs as `old` before the first stop and as `new` after it, on the ranks and in the batches of these;
    `budget` is its `stop`, which counts batches, or positions where it stands above them.
    """

    size: int
    old: Half
    new: Half
    stops: tuple[int, ...]
    seeds: tuple[int, ...]
    position: str = "consumed"
    counter: str = "rank"
    order: str = "same"
    dealt: str = "pad"
    tail: str = "keep"
    workers: int = 2
    prefetch: int = 2
    budget: tuple[str, int] = ("", 0)

    def free(self) -> Plan:
        """The plan of all runs that differ from this one in numbers alone, written as a spec."""
        where, _ = self.budget
        how = f"position = {self.position}, order = {self.order}, counter = {self.counter}"
        stop = "stop(steps in 0..)"
        return plan(
            None,
            "ranks in 1..",
            "shuffle(seed in 0..)",
            f"shard(ranks, tail = {self.dealt})",
            *([stop] if where == "positions" else []),
            f"batch(in 1.., tail = {self.tail})",
            *([stop] if where == "batches" else []),
            "fetch(in 0.., prefetch in 1..)",
            f"resume({how}, ranks in 1.., batch in 1.., times = {len(self.stops)})",
        )

    @property
    def values(self) -> dict[str, int]:
        """The values of its parameters."""
        old, new = self.old, self.new
        found = {"d.size": self.size, "l.ranks": old.ranks, "l.seed": old.seed, "l.batch": old.batch}
        found |= {"l.fetch": self.workers, "l.prefetch": self.prefetch, "l.stop": self.budget[1]}
        found |= {"l.resumed.ranks": new.ranks, "l.resumed.batch": new.batch}
        turns = ["", *(f"_{turn}" for turn in range(2, len(self.stops) + 1))]
        for turn, stop, seed in zip(turns, self.stops, self.seeds, strict=True):
            found |= {f"l.after{turn}": stop, f"l.resumed.seed{turn}": seed}
        return found

    def whole(self, epoch: int) -> Lanes:
        """What is read if nothing stops it."""
        return self._run(self.old, self.old.seed, epoch, 0, 0)

    def runs(self, epoch: int) -> Iterator[Lanes]:
        """What is left at each start: at first everything, and last what is read to the end."""
        half, seed, left_out, done = self.old, self.old.seed, 0, 0
        yield (lanes := self.whole(epoch))
        for stop, fresh in zip(self.stops, self.seeds, strict=True):
            most = max(len(lane) for lane in lanes)
            steps = {
                "consumed": stop,
                "fetched": min(most, stop + self.workers * self.prefetch),
                "epoch_start": 0,
            }[self.position]
            left_out += steps * half.batch * (half.ranks if self.counter == "global" else 1)
            if self.position != "epoch_start":
                done += stop * (half.batch if self.budget[0] == "positions" else 1)
            half, seed = self.new, fresh if self.order == "fresh" else seed
            yield (lanes := self._run(half, seed, epoch, left_out, done))

    def parts(self, epoch: int) -> list[Lanes]:
        """What is read from each start to the next stop, and to the end."""
        *stopped, rest = self.runs(epoch)
        pairs = zip(stopped, self.stops, strict=True)
        return [*([lane[:stop] for lane in lanes] for lanes, stop in pairs), rest]

    def _run(self, half: Half, seed: int, epoch: int, left_out: int, done: int) -> Lanes:
        """Its lanes without what is left out, of all together or of each; `done` counts in its budget."""
        order = [(record, False) for record in randperm(self.size, seed + epoch)]
        if self.counter == "global":
            order = order[left_out:]
        lanes: list[Marked] = sharded(order, half.ranks, "strided", self.dealt)
        where, budget = self.budget
        left = max(0, budget - done)
        if where == "positions":
            # The budget is above the position of a rank, and below that of all ranks.
            lanes = [lane[: left if self.counter == "global" else budget] for lane in lanes]
        if self.counter == "rank":
            lanes = [lane[left_out:] for lane in lanes]
        batches = [batched(lane, half.batch, self.tail) for lane in lanes]
        return [lane[:left] for lane in batches] if where == "batches" else batches


def stopped(like: Segments, times: int, random: Random) -> Segments:
    """The run, stopped so often, each time after some of the steps that are left: often none or all."""
    run = replace(like, stops=(), seeds=())
    for turn in range(times):
        *_, left = run.runs(0)
        most = max(len(lane) for lane in left)
        stop = random.choice((0, min(1, most), most, random.randint(0, most)))
        run = replace(run, stops=(*run.stops, stop), seeds=like.seeds[: turn + 1])
    return run


def delivered(of: Plan, run: Segments, epoch: int) -> Lanes:
    """What the plan delivers with the numbers of the run."""
    values = run.values
    lists = _compiled(of, tuple(values)).run(tuple(values.values()))
    return [marked(lists.lane(epoch, rank)) for rank in range(lists.ranks)]


@cache
def _compiled(of: Plan, names: tuple[str, ...]) -> Compiled:
    return Compiled(of, number(1), names)
