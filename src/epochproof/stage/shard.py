"""`shard(ranks, layout, tail)`: deals the positions of one stream to the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from epochproof.stage._options import Lanes
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import (
    Bool,
    Int,
    both,
    ceil_divide,
    choose,
    equal,
    maximum,
    minimum,
    negate,
    number,
    within,
)

RANK, WORKER, BOTH = frozenset({"rank"}), frozenset({"worker"}), frozenset({"rank", "worker"})


class Shard(Stage):
    """Strided: rank i takes i, i + L, …; blocked: rank i takes the i-th run of `per` positions.

    Balanced: rank i takes the i-th run, and the first n mod L of them have one position more.
    """

    lanes: Annotated[frozenset[str], Lanes()]
    layout: Literal["strided", "blocked", "balanced", "any"] = "strided"
    tail: Literal["pad", "drop", "uneven"] = "pad"
    id: Literal["rank_major", "worker_major"] = "rank_major"
    by: Literal["record", "file"] = "record"

    @classmethod
    def defaults(cls, given: Mapping[str, object], *, iterable: bool) -> Mapping[str, object]:
        if "tail" in given:
            return {}
        return {"tail": "uneven" if iterable or given.get("lanes") != RANK else "pad"}

    def axes(self) -> frozenset[str]:
        return self.lanes

    def lanes_dealt_to(self, here: Here) -> Int:
        lane = here.lane
        return {RANK: lane.ranks, WORKER: lane.workers, BOTH: lane.ranks * lane.workers}[self.lanes]

    def lane_index(self, here: Here) -> Int:
        lane = here.lane
        if self.lanes != BOTH:
            return lane.rank if self.lanes == RANK else lane.worker
        if self.id == "rank_major":
            return lane.rank * lane.workers + lane.worker
        return lane.worker * lane.ranks + lane.rank

    def on_lane(self, index: Int, holds: Bool, position: Int, here: Here) -> Place:
        """The place on lane number `index`."""
        lane = here.lane
        if self.lanes != BOTH:
            return Place(holds, position, **{next(iter(self.lanes)): index})
        if self.id == "rank_major":
            return Place(holds, position, rank=index // lane.workers, worker=index % lane.workers)
        return Place(holds, position, rank=index % lane.ranks, worker=index // lane.ranks)

    def longer(self, here: Here) -> Int | None:
        lane, threshold = here.lane, self.threshold(here)
        if threshold is None or "worker" not in self.lanes:
            return None
        if self.lanes == WORKER:
            return threshold
        if self.id == "rank_major":
            own = threshold - lane.rank * lane.workers
        else:
            own = ceil_divide(threshold - lane.rank, lane.ranks)
        return minimum(maximum(own, 0), lane.workers)

    def pads(self) -> bool:
        return self.tail == "pad"

    def per(self, here: Here) -> Int:
        """Positions of a full lane: the floor when the tail is dropped, else the ceiling."""
        return (
            here.n // self.lanes_dealt_to(here)
            if self.tail == "drop"
            else ceil_divide(here.n, self.lanes_dealt_to(here))
        )

    def length(self, here: Here) -> Int:
        if self.tail != "uneven":
            return self.per(here)
        if self.layout != "blocked":
            return ceil_divide(here.n - self.lane_index(here), self.lanes_dealt_to(here))
        return maximum(0, minimum(self.per(here), here.n - self.lane_index(here) * self.per(here)))

    def unpadded(self, here: Here) -> Int:
        if self.layout == "strided":
            return ceil_divide(here.n - self.lane_index(here), self.lanes_dealt_to(here))
        return minimum(self.per(here), maximum(0, here.n - self.lane_index(here) * self.per(here)))

    def dealt(self, here: Here) -> Int:
        return here.n if self.tail == "uneven" else self.lanes_dealt_to(here) * self.per(here)

    def threshold(self, here: Here) -> Int | None:
        return here.n % self.lanes_dealt_to(here) if self.layout != "blocked" else None

    def _unequal(self) -> bool:
        """Are there runs of two lengths, the first ones longer by one?"""
        return self.layout == "balanced" and self.tail == "uneven"

    def _shorter(self, here: Here) -> tuple[Int, Int]:
        """The positions of a shorter run, and how many runs are longer."""
        return here.n // self.lanes_dealt_to(here), here.n % self.lanes_dealt_to(here)

    def _flat(self, p: Int, here: Here) -> Int:
        if self.layout == "strided":
            return p * self.lanes_dealt_to(here) + self.lane_index(here)
        if self._unequal():
            short, longer = self._shorter(here)
            return self.lane_index(here) * short + minimum(self.lane_index(here), longer) + p
        return self.lane_index(here) * self.per(here) + p

    def source(self, p: Int, here: Here) -> Int:
        flat = self._flat(p, here)
        return flat % here.n if self.tail == "pad" else flat

    def lap(self, p: Int, here: Here) -> Int:
        return self._flat(p, here) // here.n if self.tail == "pad" else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        flat = q + lap * here.n if self.tail == "pad" else q
        holds = both(lap >= 0 if self.tail == "pad" else first(lap), flat < self.dealt(here))
        if self.layout == "strided":
            return self.on_lane(
                flat % self.lanes_dealt_to(here), holds, flat // self.lanes_dealt_to(here), here
            )
        # Runs are empty only where nothing holds, so that a divisor of 0 changes no place.
        if self._unequal():
            short, longer = self._shorter(here)
            early, late = flat < longer * (short + 1), flat - longer
            run = choose(early, flat // (short + 1), late // short)
            return self.on_lane(run, holds, choose(early, flat % (short + 1), late % short), here)
        return self.on_lane(flat // self.per(here), holds, flat % self.per(here), here)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        everything = self.lanes_dealt_to(here) * self.per(here) if self.tail == "drop" else None
        if span.high is None:
            return Interval(span.low * self.lanes_dealt_to(here), everything) if self._whole(span) else None
        if self.layout != "strided":
            return None
        high = span.high * self.lanes_dealt_to(here)
        return Interval(
            span.low * self.lanes_dealt_to(here), minimum(high, here.n) if self.tail != "drop" else high
        )

    def _whole(self, span: Interval) -> bool:
        return self.layout == "strided" or span.low is number(0)

    def assumes(self) -> tuple[str, ...]:
        who = "ranks" if "rank" in self.lanes else "workers"
        return (f"all {who} agree on the order of the stream",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        divides = equal(here.n % self.lanes_dealt_to(here), 0)
        few = within(1, here.n, self.lanes_dealt_to(here))
        some = [
            ("no records", equal(here.n, 0)),
            ("divides", both(here.n >= 1, divides)),
            ("tail", both(here.n > self.lanes_dealt_to(here), negate(divides))),
        ]
        if self.tail == "pad":
            most = 2 * here.n < self.lanes_dealt_to(here)
            return [
                *some,
                ("fewer than ranks", both(few, negate(most))),
                ("pads more than all", both(few, most)),
            ]
        return [*some, ("fewer than ranks", few)]

    def _real_lane(self, reality: Reality) -> tuple[int, int]:
        """How many lanes there are, and which one this is, as `__iter__` computes them."""
        rank, ranks, worker, workers = reality.rank, reality.ranks, reality.worker, reality.workers
        if self.lanes == RANK:
            return ranks, rank
        if self.lanes == WORKER:
            return workers, worker
        return ranks * workers, rank * workers + worker if self.id == "rank_major" else worker * ranks + rank

    def real(self, stream: Stream, reality: Reality) -> Stream:
        lanes, lane = self._real_lane(reality)
        if self.layout != "strided":
            return self._run(stream, reality.torch, lanes, lane)
        if self.tail == "uneven":
            return stream[lane::lanes]
        sampler = reality.torch.utils.data.DistributedSampler(
            stream, lanes, lane, shuffle=False, drop_last=self.tail == "drop"
        )
        return [stream[at] for at in sampler]

    def _run(self, stream: Stream, torch: Any, lanes: int, lane: int) -> Stream:  # noqa: ANN401 -- torch is not imported here
        """Torch's `tensor_split`, or its `chunk`: runs of ceil(n / lanes) positions, perhaps fewer runs."""
        dealt = torch.tensor(stream, dtype=torch.int64)
        missing = -len(dealt) % lanes
        if self.tail == "drop":
            dealt = dealt[: len(dealt) // lanes * lanes]
        elif self.tail == "pad" and len(dealt):
            dealt = torch.cat([dealt, dealt.repeat(missing // len(dealt) + 1)[:missing]])
        split = dealt.tensor_split if self._unequal() else dealt.chunk
        runs = split(lanes) if len(dealt) else ()
        return runs[lane].tolist() if lane < len(runs) else []
