"""A mix inside a mix as a stage: a part of the stream is drawn from, the rest stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from epochproof.stage._mixing import Mixing
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Int, both, choose, either, negate, within


class Segment(Stage):
    """A mix inside a mix: `inner` turns the `size` positions from `low` on into what it draws from them."""

    mixes: ClassVar[bool] = True

    inner: Mixing
    low: Int
    size: Int

    def pads(self) -> bool:
        return self.inner.pads()

    def repeats(self) -> bool:
        return self.pads()

    def _inner(self, here: Here) -> Here:
        return replace(here, n=self.size)

    def _high(self, here: Here) -> Int:
        """The end of what is drawn."""
        return self.low + self.inner.length(self._inner(here))

    def length(self, here: Here) -> Int:
        return here.n - self.size + self.inner.length(self._inner(here))

    def source(self, p: Int, here: Here) -> Int:
        drawn = self.low + self.inner.source(p - self.low, self._inner(here))
        after = p - self._high(here) + self.low + self.size
        return choose(p < self.low, p, choose(p < self._high(here), drawn, after))

    def lap(self, p: Int, here: Here) -> Int:
        lap = self.inner.lap(p - self.low, self._inner(here))
        return choose(within(self.low, p, self._high(here)), lap, 0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        drawn = self.inner.place(q - self.low, lap, self._inner(here))
        inside = within(self.low, q, self.low + self.size)
        after = q - self.low - self.size + self._high(here)
        beside = choose(q < self.low, q, after)
        holds = either(both(inside, drawn.holds), both(negate(inside), first(lap)))
        return Place(holds, choose(inside, self.low + drawn.position, beside))

    def kept(self, span: Interval, here: Here) -> Interval | None:
        return self.inner.kept(span, here)

    def numbers(self) -> dict[str, Int]:
        return {**self.inner.numbers(), "low": self.low, "size": self.size}

    def real(self, stream: Stream, reality: Reality) -> Stream:
        low = reality.options["low"]
        high = low + reality.options["size"]
        return [*stream[:low], *self.inner.real(stream[low:high], reality), *stream[high:]]


class RandomSegment(Segment):
    """A mix inside a mix, whose picks nobody fixes."""

    moves: ClassVar[bool] = True
