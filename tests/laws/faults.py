"""Stages with one fault each, as a hurried engineer would write them."""

from __future__ import annotations

from epochproof.stage._portion import Portion
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Here, Interval, Place, Steps, afresh
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.copy import Copy
from epochproof.stage.resume import Resume
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.stage.weigh import Weigh
from epochproof.term.node import Int, both, ceil_divide, choose, equal, maximum, minimum, number


class WrongStride(Shard):
    """A rank steps over one position too many."""

    def _flat(self, p: Int, here: Here) -> Int:
        return p * (here.lane.ranks + 1) + here.lane.rank


class RankForgotten(Shard):
    """Every rank starts at 0."""

    def _flat(self, p: Int, here: Here) -> Int:
        return p * here.lane.ranks


class RankFromOne(Shard):
    """Ranks are counted from 1."""

    def _flat(self, p: Int, here: Here) -> Int:
        return p * here.lane.ranks + here.lane.rank + 1


class WrongModulus(Shard):
    """Padding wraps at the padded length, not at the stream's."""

    def source(self, p: Int, here: Here) -> Int:
        return self._flat(p, here) % self.dealt(here)


class PadsFromTheEnd(Shard):
    """Padding repeats the last positions, backwards."""

    def source(self, p: Int, here: Here) -> Int:
        flat = self._flat(p, here)
        return choose(flat < here.n, flat, here.n - 1 - flat % here.n)


class FloorInTheLength(Shard):
    """The length of a padded lane is rounded down, everything else up."""

    def length(self, here: Here) -> Int:
        return here.n // here.lane.ranks


class FloorForCeiling(Shard):
    """A padded lane is rounded down, everywhere."""

    def per(self, here: Here) -> Int:
        return here.n // here.lane.ranks


class CeilingForFloor(Shard):
    """A dropping lane is rounded up, everywhere."""

    def per(self, here: Here) -> Int:
        return ceil_divide(here.n, here.lane.ranks)


class LengthOffByOne(Shard):
    """Each lane has one position too many."""

    def length(self, here: Here) -> Int:
        return self.per(here) + 1


class DropThatKeeps(Shard):
    """The places of the dropped tail still hold."""

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(equal(lap, 0), q < here.n), q // here.lane.ranks, rank=q % here.lane.ranks)


class LapsSwapped(Shard):
    """Padding is called the first place, and the first place padding."""

    def lap(self, p: Int, here: Here) -> Int:
        return 1 - self._flat(p, here) // here.n


class KeptTooWide(Shard):
    """The hint holds one round too many."""

    def kept(self, span: Interval, here: Here) -> Interval | None:
        high = None if span.high is None else minimum((span.high + 1) * here.lane.ranks, here.n)
        return Interval(span.low * here.lane.ranks, high)


class DealtTooLarge(Shard):
    """The total of all lanes is one round too large."""

    def dealt(self, here: Here) -> Int:
        return here.lane.ranks * (self.per(here) + 1)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        flat = q + lap * here.n
        holds = both(lap >= 0, flat < here.lane.ranks * self.per(here))
        return Place(holds, flat // here.lane.ranks, rank=flat % here.lane.ranks)


class ThresholdOffByOne(Shard):
    """One rank too many is said to have a longer lane."""

    def threshold(self, here: Here) -> Int | None:
        return here.n % here.lane.ranks + 1


class BlockedFloor(Shard):
    """Uneven runs are rounded down, so that the last records are in none."""

    def per(self, here: Here) -> Int:
        return here.n // here.lane.ranks


class StepsFloor(Batch):
    """The kept tail is no step."""

    def grouped(self, here: Here) -> Steps:
        return afresh(count=lambda n: n // self.n, of=lambda p: p // self.n, before=lambda k: k * self.n)


class TailKept(Batch):
    """A dropping batch drops nothing."""

    def length(self, here: Here) -> Int:
        return here.n


class LastRepeated(Batch):
    """Padding repeats the last position."""

    def source(self, p: Int, here: Here) -> Int:
        return minimum(p, here.n - 1)


class UnitForgotten(Accumulate):
    """Records are accumulated, not the batches above."""

    def grouped(self, here: Here) -> Steps:
        return afresh(
            count=lambda n: ceil_divide(n, self.n), of=lambda p: p // self.n, before=lambda k: k * self.n
        )


class NothingWaits(Accumulate):
    """Carried batches are forgotten at the end of the epoch."""

    def _waiting(self, here: Here) -> Int:
        return number(0)


class StopsAfterRecords(Stop):
    """Records are counted, not batches."""

    def length(self, here: Here) -> Int:
        return minimum(here.n, self.steps)


class StopsLate(Stop):
    """One step too many is run."""

    def length(self, here: Here) -> Int:
        return minimum(here.n, here.steps.before(self.steps + 1))


class EpochIgnored(Shuffle):
    """The order is the same in every epoch."""

    def key(self, here: Here) -> Int:
        return self.seed


class RanksDisagree(Shuffle):
    """The order that ranks share is each rank's own."""

    def stream(self, here: Here) -> Int:
        return here.lane.rank + 1


class SkipsOneMore(Skip):
    """One position more is left out than was read."""

    def source(self, p: Int, here: Here) -> Int:
        return p + self.count + 1


class SkipsOneLess(Skip):
    """The last position that was read is read again, everywhere."""

    def length(self, here: Here) -> Int:
        return minimum(here.n, maximum(0, here.n - self.count + 1))

    def source(self, p: Int, here: Here) -> Int:
        return p + maximum(0, self.count - 1)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        first = maximum(0, self.count - 1)
        return Place(both(equal(lap, 0), first <= q), q - first)


class SkipOfAFewTooMany(Skip):
    """A lane that is shorter than what is skipped gets a negative length."""

    def length(self, here: Here) -> Int:
        return here.n - self.count


class PortionHalfOpen(Portion):
    """The last step of the portion is left out."""

    def _to(self, here: Here) -> Int:
        return minimum(here.n, here.steps.before(self.end))


class CopyThatDeals(Copy):
    """Each lane reads its part of the stream."""

    def length(self, here: Here) -> Int:
        return here.n // here.lane.workers


class SkipsAtOnce(Resume):
    """The run that nothing stops leaves out what a resumed one does."""

    def source(self, p: Int, here: Here) -> Int:
        return p + self.after


class LeftOutForWeighed(Weigh):
    """Records of the last rank are left out where they should weigh less."""

    def length(self, here: Here) -> Int:
        return choose(equal(here.lane.rank, here.lane.ranks - 1), 0, here.n)
