"""`deal(ranks, block, tail)`: deals the positions of one stream to the ranks in blocks, in turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, cycle, islice
from typing import Annotated, Literal

from epochproof.stage._options import AtLeast, Lanes
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
    number,
    within,
)


class Deal(Stage):
    """Rank i takes the blocks i, i + ranks, …; a round is one block for each rank.

    What is left after the last whole round is filled up to a round (`pad`; `even` leaves the stream as it is
    where there is one rank), cut off (`drop`), dealt as it is (`uneven`), or shared in equal runs, with less
    than one padding a rank (`spread`).
    """

    lanes: Annotated[frozenset[str], Lanes()]
    block: Annotated[Int, AtLeast(1)]
    tail: Literal["pad", "even", "drop", "uneven", "spread"] = "pad"

    def axes(self) -> frozenset[str]:
        return frozenset({"rank"})

    def lanes_dealt_to(self, here: Here) -> Int:
        return here.lane.ranks

    def lane_index(self, here: Here) -> Int:
        return here.lane.rank

    def on_lane(self, index: Int, holds: Bool, position: Int, here: Here) -> Place:
        return Place(holds, position, rank=index)

    def pads(self) -> bool:
        return self.tail in ("pad", "even", "spread")

    def _round(self, here: Here) -> Int:
        """Positions of one round."""
        return here.lane.ranks * self.block

    def _rounds(self, here: Here) -> Int:
        """Whole rounds, with the one that is filled up."""
        if self.tail in ("pad", "even"):
            return ceil_divide(here.n, self._round(here))
        return here.n // self._round(here)

    def _share(self, here: Here) -> Int:
        """How much of what is left after the whole rounds is one rank's, where it is shared."""
        return ceil_divide(here.n % self._round(here), here.lane.ranks)

    def length(self, here: Here) -> Int:
        whole = self.block * self._rounds(here)
        if self.tail == "uneven":
            left = here.n % self._round(here) - here.lane.rank * self.block
            return whole + maximum(0, minimum(left, self.block))
        if self.tail == "even":
            return choose(equal(here.lane.ranks, 1), here.n, whole)
        return whole + self._share(here) if self.tail == "spread" else whole

    def unpadded(self, here: Here) -> Int:
        whole, left = self.block * (here.n // self._round(here)), here.n % self._round(here)
        each = self._share(here) if self.tail == "spread" else self.block
        return whole + maximum(0, minimum(left - here.lane.rank * each, each))

    def dealt(self, here: Here) -> Int:
        if self.tail == "uneven":
            return here.n
        whole = self._round(here) * self._rounds(here)
        if self.tail == "even":
            return choose(equal(here.lane.ranks, 1), here.n, whole)
        return whole + here.lane.ranks * self._share(here) if self.tail == "spread" else whole

    def _flat(self, p: Int, here: Here) -> Int:
        turn = (p // self.block) * self._round(here) + here.lane.rank * self.block + p % self.block
        if self.tail != "spread":
            return turn
        rounds, share = self._rounds(here), self._share(here)
        rest = rounds * self._round(here) + here.lane.rank * share + p - rounds * self.block
        return choose(p < rounds * self.block, turn, rest)

    def source(self, p: Int, here: Here) -> Int:
        flat = self._flat(p, here)
        return flat % here.n if self.pads() else flat

    def lap(self, p: Int, here: Here) -> Int:
        return self._flat(p, here) // here.n if self.pads() else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        flat = q + lap * here.n if self.pads() else q
        holds = both(lap >= 0 if self.pads() else first(lap), flat < self.dealt(here))
        block = flat // self.block
        rank = block % here.lane.ranks
        position = self.block * (flat // self._round(here)) + flat % self.block
        if self.tail == "spread":
            rounds, share = self._rounds(here), self._share(here)
            whole, rest = flat < rounds * self._round(here), flat - rounds * self._round(here)
            # Where nothing is left to share nothing holds, so that a divisor of 0 changes no place.
            rank = choose(whole, rank, rest // share)
            position = choose(whole, position, rounds * self.block + rest % share)
        return Place(holds, position, rank=rank)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        low = span.low * here.lane.ranks
        if span.high is None:
            return Interval(low, self.dealt(here) if self.tail == "drop" else None)
        return Interval(low, minimum(span.high * here.lane.ranks, here.n))

    def assumes(self) -> tuple[str, ...]:
        return ("all ranks agree on the order of the stream",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        left = here.n % self._round(here)
        return [
            ("no records", equal(here.n, 0)),
            ("whole rounds", both(here.n >= 1, equal(left, 0))),
            ("less than a block is left", both(self.block >= 2, within(1, left, self.block))),
            ("whole blocks are left", both(left >= 1, equal(left % self.block, 0))),
            ("a block is broken", both(left > self.block, left % self.block >= 1)),
        ]

    def refuses(self, above: Sequence[Stage]) -> str:
        if self.lanes != {"rank"}:
            return "blocks are dealt to ranks alone"
        return super().refuses(above)

    def cure(self) -> str:
        return "" if self.lanes == {"rank"} else "write `deal(ranks, block = 4)`"

    def real(self, stream: Stream, reality: Reality) -> Stream:
        size, ranks, rank = reality.options["block"], reality.ranks, reality.rank
        data = reality.torch.utils.data
        if self.tail == "even" and ranks == 1:
            return stream
        if self.tail in ("pad", "even", "drop"):
            # A sampler for each place in a block: all of them together cut or extend to whole rounds.
            places = (
                data.DistributedSampler(
                    stream, ranks * size, at, shuffle=False, drop_last=self.tail == "drop"
                )
                for at in range(rank * size, (rank + 1) * size)
            )
            return [stream[at] for block in zip(*places, strict=True) for at in block]
        whole = len(stream) // (ranks * size) * ranks * size if self.tail == "spread" else len(stream)
        blocks = list(data.BatchSampler(stream[:whole], size, drop_last=False))[rank::ranks]
        rest = stream[whole:]
        filled = [*rest, *islice(cycle(stream), -len(rest) % ranks)]
        share = len(filled) // ranks
        return [*chain(*blocks), *filled[rank * share : (rank + 1) * share]]
