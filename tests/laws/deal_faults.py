"""Deals in blocks and balanced runs with one fault each, as a hurried engineer would write them."""

from __future__ import annotations

from epochproof.stage._stage import Here
from epochproof.stage.deal import Deal
from epochproof.stage.shard import Shard
from epochproof.term.node import Int, ceil_divide, maximum


class LongerRunsLast(Shard):
    """The last runs are one longer, not the first ones."""

    def length(self, here: Here) -> Int:
        return (here.n + self.lane_index(here)) // self.lanes_dealt_to(here)


class ShorterByTheLanes(Shard):
    """The longer runs before a run are forgotten where it begins."""

    def _flat(self, p: Int, here: Here) -> Int:
        short, _ = self._shorter(here)
        return self.lane_index(here) * short + p


class RoundForgotten(Deal):
    """The next block of a rank is the next one of the stream."""

    def _flat(self, p: Int, here: Here) -> Int:
        return here.lane.rank * self.block + p


class RestOfTheRank(Deal):
    """A rank may get more than a block of what is left."""

    def length(self, here: Here) -> Int:
        left = here.n % self._round(here) - here.lane.rank * self.block
        return self.block * self._rounds(here) + maximum(0, left)


class LastRoundNotFilled(Deal):
    """The rounds are rounded down."""

    def _rounds(self, here: Here) -> Int:
        return here.n // self._round(here)


class BlocksFilled(Deal):
    """The last block is filled, and the rest of its round is left out."""

    def dealt(self, here: Here) -> Int:
        return self.block * ceil_divide(here.n, self.block)


class BlockForRound(Deal):
    """A round is one block."""

    def _round(self, here: Here) -> Int:
        return self.block


class ShareRoundedDown(Deal):
    """What is left and cannot be shared equally is lost."""

    def _share(self, here: Here) -> Int:
        return here.n % self._round(here) // here.lane.ranks
