"""Leaving out the first positions: what a resumed run does."""

from __future__ import annotations

from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Int, both, maximum


class Skip(Stage):
    """The first `count` positions of every lane are left out."""

    count: Int

    def length(self, here: Here) -> Int:
        return maximum(0, here.n - self.count)

    def source(self, p: Int, here: Here) -> Int:
        return p + self.count

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(first(lap), self.count <= q), q - self.count)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        high = None if span.high is None else span.high + self.count
        return Interval(span.low + self.count, high)

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
