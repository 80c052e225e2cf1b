"""`shard(…, by = file)`: deals whole files, each of as many records as the others."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream
from epochproof.term.node import Bool, Int, number


class OfFiles(Stage):
    """What `deal` does with records, done with files; the stream is whole files."""

    deal: Stage

    @abstractmethod
    def _files(self, here: Here) -> Here:
        """The lane, its files counted."""

    def axes(self) -> frozenset[str]:
        return self.deal.axes()

    def pads(self) -> bool:
        return self.deal.pads()

    def assumes(self) -> tuple[str, ...]:
        return (*self.deal.assumes(), "every file holds as many records as the spec says")

    def lanes_dealt_to(self, here: Here) -> Int:
        return self.deal.lanes_dealt_to(here)

    def lane_index(self, here: Here) -> Int:
        return self.deal.lane_index(here)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        return self.deal.cases(self._files(here))


class Files(OfFiles):
    """Files of `rows` records each."""

    rows: Int

    def _files(self, here: Here) -> Here:
        return replace(here, n=here.n // self.rows)

    def threshold(self, here: Here) -> Int | None:
        return self.deal.threshold(self._files(here))

    def longer(self, here: Here) -> Int | None:
        return self.deal.longer(self._files(here))

    def length(self, here: Here) -> Int:
        return self.rows * self.deal.length(self._files(here))

    def unpadded(self, here: Here) -> Int:
        return self.rows * self.deal.unpadded(self._files(here))

    def dealt(self, here: Here) -> Int:
        return self.rows * self.deal.dealt(self._files(here))

    def source(self, p: Int, here: Here) -> Int:
        return self.rows * self.deal.source(p // self.rows, self._files(here)) + p % self.rows

    def lap(self, p: Int, here: Here) -> Int:
        return self.deal.lap(p // self.rows, self._files(here)) if self.pads() else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        place = self.deal.place(q // self.rows, lap, self._files(here))
        return replace(place, position=self.rows * place.position + q % self.rows)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        whole = (
            self.deal.kept(span, self._files(here)) if span.high is None and span.low is number(0) else None
        )
        if whole is None or whole.high is None:
            return whole
        return Interval(whole.low, self.rows * whole.high)

    def real(self, stream: Stream, reality: Reality) -> Stream:
        rows = reality.options["rows"]
        files = range(len(stream) // rows)
        return [
            record
            for file in self.deal.real(files, reality)
            for record in stream[file * rows : file * rows + rows]
        ]
