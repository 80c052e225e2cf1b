"""Deals to the workers of all ranks with one fault each, as a hurried engineer would write them."""

from __future__ import annotations

from epochproof.stage._stage import Here, Place
from epochproof.stage.shard import Shard
from epochproof.term.node import Bool, Int, ceil_divide, minimum


class WorkerForgotten(Shard):
    """Every worker of a rank takes the part of its first one."""

    def lane_index(self, here: Here) -> Int:
        return here.lane.rank * here.lane.workers


class RankForgottenByWorkers(Shard):
    """Workers are numbered alike on every rank."""

    def lane_index(self, here: Here) -> Int:
        return here.lane.worker


class WrongFactor(Shard):
    """The ranks' count stands where that of the workers belongs."""

    def lane_index(self, here: Here) -> Int:
        return here.lane.rank * here.lane.ranks + here.lane.worker


class WrongMajor(Shard):
    """Lanes are read rank by rank, but records are placed worker by worker."""

    def on_lane(self, index: Int, holds: Bool, position: Int, here: Here) -> Place:
        ranks = here.lane.ranks
        return Place(holds, position, rank=index % ranks, worker=index // ranks)


class MajorsSwapped(WrongMajor):
    """Rank-major is worker-major, everywhere."""

    def lane_index(self, here: Here) -> Int:
        return here.lane.worker * here.lane.ranks + here.lane.rank


class LanesForgotten(Shard):
    """The tail is counted for the ranks, not for all lanes."""

    def threshold(self, here: Here) -> Int | None:
        return here.n % here.lane.ranks


class LongerOffByOne(Shard):
    """One worker too many is said to read a record more."""

    def longer(self, here: Here) -> Int | None:
        return ceil_divide(
            here.n % self.lanes_dealt_to(here) + here.lane.ranks - here.lane.rank, here.lane.ranks
        )


class LongerUnbounded(Shard):
    """More workers than there are, or fewer than none, are said to read a record more."""

    def longer(self, here: Here) -> Int | None:
        return here.n % self.lanes_dealt_to(here) - here.lane.rank * here.lane.workers


class UnpaddedOffByOne(Shard):
    """The first padding is said to be none."""

    def unpadded(self, here: Here) -> Int:
        return minimum(self.per(here), super().unpadded(here) + 1)
