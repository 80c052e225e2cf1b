"""`batch(n, tail)`: groups the positions of each lane."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Annotated, ClassVar, Literal

from epochproof.stage._options import AtLeast
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Steps, Stream, afresh, first
from epochproof.term.node import Bool, Int, both, ceil_divide, equal, minimum, negate, number, within


class Batch(Stage):
    """`BatchSampler`: n positions a step; the last, incomplete one is kept, dropped or filled."""

    regroups: ClassVar[bool] = True

    n: Annotated[Int, AtLeast(1)]
    tail: Literal["keep", "drop", "pad"] = "keep"

    def pads(self) -> bool:
        return self.tail == "pad"

    def unpadded(self, here: Here) -> Int:
        return here.n

    def length(self, here: Here) -> Int:
        if self.tail == "keep":
            return here.n
        return self.n * (here.n // self.n if self.tail == "drop" else ceil_divide(here.n, self.n))

    def source(self, p: Int, here: Here) -> Int:
        return p % here.n if self.tail == "pad" else p

    def lap(self, p: Int, here: Here) -> Int:
        return p // here.n if self.tail == "pad" else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        if self.tail != "pad":
            return Place(both(first(lap), q < self.length(here)), q)
        return Place(both(lap >= 0, q + lap * here.n < self.length(here)), q + lap * here.n)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        if span.high is None:
            return Interval(span.low, self.length(here) if self.tail == "drop" else None)
        return Interval(span.low, minimum(span.high, here.n) if self.tail == "pad" else span.high)

    def grouped(self, here: Here) -> Steps:
        return afresh(
            count=lambda n: ceil_divide(n, self.n), of=lambda p: p // self.n, before=lambda k: k * self.n
        )

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        divides = equal(here.n % self.n, 0)
        return [
            ("no batch", equal(here.n, 0)),
            ("full batches", both(here.n >= 1, divides)),
            ("one short of a batch", both(self.n >= 2, equal(here.n % self.n, self.n - 1))),
            ("less than one batch", within(1, here.n, self.n - 1)),
            ("a tail", both(here.n > self.n, negate(divides), here.n % self.n < self.n - 1)),
        ]

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(stage.regroups and not isinstance(stage, Batch) for stage in above):
            return "batches were put into optimizer steps above"
        return ""

    def real(self, stream: Stream, reality: Reality) -> Stream:
        size = reality.options["n"]
        records = [each for group in stream for each in (group if isinstance(group, list) else [group])]
        if self.tail == "pad" and records:
            turns = cycle(tuple(records))
            records += [next(turns) for _ in range(-len(records) % size)]
        return list(reality.torch.utils.data.BatchSampler(records, size, drop_last=self.tail == "drop"))
