"""`shard(…, by = file)` where the dataset lists how many records each file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from epochproof.stage._files import OfFiles
from epochproof.stage._stage import Here, Interval, Place, Reality, Stream
from epochproof.term.node import Int, choose, equal, number


class ListedFiles(OfFiles):
    """Files of which file i holds `rows[i]` records, one after the other.

    A lane is gone through file by file: before turn t it holds `ends[t]` positions.
    """

    rows: tuple[int, ...]

    def _files(self, here: Here) -> Here:
        return replace(here, n=number(len(self.rows)))

    def _starts(self) -> list[int]:
        """Where each file begins in the stream, and last where the stream ends."""
        return [0, *accumulate(self.rows)]

    def _start(self, file: Int) -> Int:
        return _entry(self._starts(), file)

    def _turns(self, here: Here) -> list[Int]:
        """The file at each turn of the lane, as many as it can have."""
        return [self.deal.source(number(turn), self._files(here)) for turn in range(len(self.rows))]

    def _ends(self, here: Here) -> list[Int]:
        """Positions of the lane before each turn, and last all of them."""
        turns = self.deal.length(self._files(here))
        ends = [number(0)]
        for turn, file in enumerate(self._turns(here)):
            ends.append(ends[-1] + choose(turn < turns, _entry(self.rows, file), 0))
        return ends

    def length(self, here: Here) -> Int:
        return self._ends(here)[-1]

    def unpadded(self, here: Here) -> Int:
        return _of(self._ends(here), self.deal.unpadded(self._files(here)))

    def dealt(self, here: Here) -> Int:
        files, count = self.deal.dealt(self._files(here)), len(self.rows)
        if not count:
            return number(0)
        return files // count * sum(self.rows) + self._start(files % count)

    def source(self, p: Int, here: Here) -> Int:
        ends = self._ends(here)
        found = number(0)
        for before, end, file in reversed(list(zip(ends, ends[1:], self._turns(here), strict=False))):
            found = choose(p < end, self._start(file) + p - before, found)
        return found

    def lap(self, p: Int, here: Here) -> Int:
        found = number(0)
        for turn, end in reversed(list(enumerate(self._ends(here)[1:]))):
            found = choose(p < end, self.deal.lap(number(turn), self._files(here)), found)
        return found if self.pads() else number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        file = number(0)
        for at, start in enumerate(self._starts()[1:-1], 1):
            file = choose(start <= q, at, file)
        place = self.deal.place(file, lap, self._files(here))
        lane = replace(
            here.lane,
            rank=here.lane.rank if place.rank is None else place.rank,
            worker=here.lane.worker if place.worker is None else place.worker,
        )
        before = _of(self._ends(replace(here, lane=lane)), place.position)
        return replace(place, position=before + q - self._start(file))

    def kept(self, span: Interval, here: Here) -> Interval | None:
        if span.high is not None or span.low is not number(0):
            return None
        whole = self.deal.kept(span, self._files(here))
        if whole is None or whole.high is None:
            return whole
        return Interval(whole.low, self._start(whole.high))

    def real(self, stream: Stream, reality: Reality) -> Stream:
        starts = self._starts()
        files = self.deal.real(range(len(self.rows)), reality)
        return [record for file in files for record in stream[starts[file] : starts[file + 1]]]


def _entry(table: Sequence[int], at: Int) -> Int:
    """The entry of a table; where there is none, the last one."""
    return _of([number(each) for each in table], at)


def _of(terms: Sequence[Int], at: Int) -> Int:
    found = terms[-1] if terms else number(0)
    for index, term in reversed(list(enumerate(terms[:-1]))):
        found = choose(equal(at, index), term, found)
    return found
