"""`shard(…, layout = any)`: each position goes to one lane, and nothing else is known."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import ClassVar

from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Bool, Int, apply, equal, number, within


class Anyhow(Stage):
    """Work stealing and load balancing: `dealing` stands for every way to deal the positions to lanes.

    A lane keeps the order of the stream. Whose a position is, its turn there, which position a turn is,
    and how many a lane gets are functions about which only this is known.
    """

    moves: ClassVar[bool] = True

    deal: Stage
    dealing: Int

    def axes(self) -> frozenset[str]:
        return self.deal.axes()

    def _apply(self, function: str, here: Here, *arguments: Int) -> Int:
        return apply(function, self.dealing, self.deal.lanes_dealt_to(here), here.n, *arguments)

    def lanes_dealt_to(self, here: Here) -> Int:
        return self.deal.lanes_dealt_to(here)

    def lane_index(self, here: Here) -> Int:
        return self.deal.lane_index(here)

    def length(self, here: Here) -> Int:
        return self._apply("share", here, self.lane_index(here))

    def dealt(self, here: Here) -> Int:
        return here.n

    def source(self, p: Int, here: Here) -> Int:
        return self._apply("which", here, self.lane_index(here), p)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        whose, turn = self._apply("whose", here, q), self._apply("turn", here, q)
        return self.deal.on_lane(whose, first(lap), turn, here)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        return span if span.high is None and span.low is number(0) else None

    def assumes(self) -> tuple[str, ...]:
        return ("each position is given to exactly one lane",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        return [("no records", equal(here.n, 0)), ("some", within(1, here.n, here.n + 1))]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        lanes = reality.ranks * reality.workers if len(self.axes()) > 1 else reality.ranks
        lane = reality.rank * reality.workers + reality.worker if len(self.axes()) > 1 else reality.rank
        whose = dealt(reality.options["dealing"], lanes, len(stream))
        return [item for item, owner in zip(stream, whose, strict=True) if owner == lane]


@lru_cache(maxsize=512)
def dealt(dealing: int, lanes: int, n: int) -> tuple[int, ...]:
    """Whose each position is, in one way to deal: in turn, all to one end, or by chance."""
    if dealing == 0:
        return tuple(at % lanes for at in range(n))
    if dealing <= 2:
        return (0 if dealing == 1 else lanes - 1,) * n
    chance = Random(dealing)  # noqa: S311 -- any choice is as good as another
    return tuple(chance.randrange(lanes) for _ in range(n))


def whose(dealing: int, lanes: int, n: int, q: int) -> int:
    """The lane of position `q`."""
    return dealt(dealing, lanes, n)[q] if 0 <= q < n else 0


def turn(dealing: int, lanes: int, n: int, q: int) -> int:
    """How many positions before `q` go to the same lane."""
    owners = dealt(dealing, lanes, n)
    return owners[:q].count(owners[q]) if 0 <= q < n else 0


def share(dealing: int, lanes: int, n: int, lane: int) -> int:
    """How many positions the lane gets."""
    return dealt(dealing, lanes, n).count(lane)


def which(dealing: int, lanes: int, n: int, lane: int, p: int) -> int:
    """The position that is turn `p` of the lane."""
    own = [at for at, owner in enumerate(dealt(dealing, lanes, n)) if owner == lane]
    return own[p] if 0 <= p < len(own) else 0
