"""A timed portion of an epoch: the steps from one to another, as a stage below all others."""

from __future__ import annotations

from epochproof.stage._stage import Here, Interval, Place, Stage, Stream, first
from epochproof.term.node import Int, both, maximum, minimum, number, within


class Portion(Stage):
    """Steps `start` to `end` of each rank, both included; what lies before and after is left out."""

    start: Int
    end: Int

    def _from(self, here: Here) -> Int:
        return minimum(here.n, maximum(0, here.steps.before(self.start)))

    def _to(self, here: Here) -> Int:
        return minimum(here.n, here.steps.before(self.end + 1))

    def length(self, here: Here) -> Int:
        return maximum(0, self._to(here) - self._from(here))

    def source(self, p: Int, here: Here) -> Int:
        return p + self._from(here)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(first(lap), within(self._from(here), q, self._to(here))), q - self._from(here))

    def kept(self, span: Interval, here: Here) -> Interval | None:
        whole = Interval(here.steps.before(self.start), here.steps.before(self.end + 1))
        return whole if span.high is None and span.low is number(0) else None

    def real(self, stream: Stream, reality: object) -> Stream:
        return stream
