"""`shard(ranks, layout, tail)`: deals the positions of one stream to the ranks."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from epochproof.stage._options import Lanes
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import (
    Bool,
    Int,
    both,
    ceil_divide,
    equal,
    maximum,
    minimum,
    negate,
    number,
    within,
)


class Shard(Stage):
    """Strided: rank i takes i, i + L, …; blocked: rank i takes the i-th run of `per` positions."""

    deals: ClassVar[bool] = True

    lanes: Annotated[str, Lanes()]
    layout: Literal["strided", "blocked"] = "strided"
    tail: Literal["pad", "drop", "uneven"] = "pad"

    def pads(self) -> bool:
        return self.tail == "pad"

    def per(self, here: Here) -> Int:
        """Positions of a full lane: the floor when the tail is dropped, else the ceiling."""
        return here.n // here.lane.ranks if self.tail == "drop" else ceil_divide(here.n, here.lane.ranks)

    def length(self, here: Here) -> Int:
        if self.tail != "uneven":
            return self.per(here)
        if self.layout == "strided":
            return ceil_divide(here.n - here.lane.rank, here.lane.ranks)
        return maximum(0, minimum(self.per(here), here.n - here.lane.rank * self.per(here)))

    def dealt(self, here: Here) -> Int:
        return here.n if self.tail == "uneven" else here.lane.ranks * self.per(here)

    def threshold(self, here: Here) -> Int | None:
        return here.n % here.lane.ranks if self.layout == "strided" else None

    def _flat(self, p: Int, here: Here) -> Int:
        if self.layout == "strided":
            return p * here.lane.ranks + here.lane.rank
        return here.lane.rank * self.per(here) + p

    def source(self, p: Int, here: Here) -> Int:
        flat = self._flat(p, here)
        return flat % here.n if self.tail == "pad" else flat

    def lap(self, p: Int, here: Here) -> Int:
        return self._flat(p, here) // here.n if self.tail == "pad" else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        flat = q + lap * here.n if self.tail == "pad" else q
        holds = both(lap >= 0 if self.tail == "pad" else first(lap), flat < self.dealt(here))
        if self.layout == "strided":
            return Place(flat % here.lane.ranks, holds, flat // here.lane.ranks)
        # Runs are empty only where nothing holds, so that a divisor of 0 changes no place.
        return Place(flat // self.per(here), holds, flat % self.per(here))

    def kept(self, span: Interval, here: Here) -> Interval | None:
        everything = here.lane.ranks * self.per(here) if self.tail == "drop" else None
        if span.high is None:
            return Interval(span.low * here.lane.ranks, everything) if self._whole(span) else None
        if self.layout == "blocked":
            return None
        high = span.high * here.lane.ranks
        return Interval(span.low * here.lane.ranks, minimum(high, here.n) if self.tail != "drop" else high)

    def _whole(self, span: Interval) -> bool:
        return self.layout == "strided" or span.low is number(0)

    def assumes(self) -> tuple[str, ...]:
        return ("all ranks agree on the order of the stream",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        divides = equal(here.n % here.lane.ranks, 0)
        few = within(1, here.n, here.lane.ranks)
        some = [
            ("no records", equal(here.n, 0)),
            ("divides", both(here.n >= 1, divides)),
            ("tail", both(here.n > here.lane.ranks, negate(divides))),
        ]
        if self.tail == "pad":
            most = 2 * here.n < here.lane.ranks
            return [
                *some,
                ("fewer than ranks", both(few, negate(most))),
                ("pads more than all", both(few, most)),
            ]
        return [*some, ("fewer than ranks", few)]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        if self.layout == "blocked":
            return self._run(stream, reality)
        if self.tail == "uneven":
            return stream[reality.rank :: reality.ranks]
        sampler = reality.torch.utils.data.DistributedSampler(
            stream, reality.ranks, reality.rank, shuffle=False, drop_last=self.tail == "drop"
        )
        return [stream[at] for at in sampler]

    def _run(self, stream: Stream, reality: Reality) -> Stream:
        """Torch's `chunk`: runs of ceil(n / ranks) positions, perhaps fewer runs than ranks."""
        torch, ranks = reality.torch, reality.ranks
        dealt = torch.tensor(stream, dtype=torch.int64)
        missing = -len(dealt) % ranks
        if self.tail == "drop":
            dealt = dealt[: len(dealt) // ranks * ranks]
        elif self.tail == "pad" and len(dealt):
            dealt = torch.cat([dealt, dealt.repeat(missing // len(dealt) + 1)[:missing]])
        runs = dealt.chunk(ranks) if len(dealt) else ()
        return runs[reality.rank].tolist() if reality.rank < len(runs) else []
