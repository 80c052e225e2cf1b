"""Deals of listed files with one fault each."""

from __future__ import annotations

from epochproof.stage._listed_files import ListedFiles, _entry
from epochproof.stage._stage import Here
from epochproof.term.node import Int, choose, number


class FilesOfOneSize(ListedFiles):
    """Every file is taken to hold as many records as the first one."""

    def _ends(self, here: Here) -> list[Int]:
        turns = self.deal.length(self._files(here))
        return [
            choose(number(turn) <= turns, turn, turns) * self.rows[0] for turn in range(len(self.rows) + 1)
        ]


class StartsAtTheEnd(ListedFiles):
    """A file begins where the next one does."""

    def _start(self, file: Int) -> Int:
        return _entry(self._starts()[1:], file)


class TurnsOfTheFirstLane(ListedFiles):
    """Every lane is as far in its files as the first one."""

    def _ends(self, here: Here) -> list[Int]:
        ends, files = [number(0)], self._files(here)
        for turn in range(len(self.rows)):
            own = self.deal.source(number(turn) - number(0), files) - self.deal.lane_index(here)
            ends.append(ends[-1] + choose(turn < self.deal.length(files), _entry(self.rows, own), 0))
        return ends
