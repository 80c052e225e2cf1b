"""Random draws with one fault each, as a hurried engineer would write them."""

from __future__ import annotations

from epochproof.stage._stage import Here, Place
from epochproof.stage.draw import Draw
from epochproof.term.node import Int, both, choose, equal, number


class DrawsOneMore(Draw):
    """One record too many is drawn."""

    def length(self, here: Here) -> Int:
        return choose(equal(here.n, 0), 0, self.asked(here) + 1)


class DrawsFromNothing(Draw):
    """Where there are no records, some are drawn all the same."""

    def length(self, here: Here) -> Int:
        return self.asked(here)


class DrawsForEpochZero(Draw):
    """Every epoch draws what the first one does."""

    def key(self, here: Here) -> Int:
        return self.seed


class DrawsOfTheRank(Draw):
    """Ranks that share a sequence draw each their own."""

    def stream(self, here: Here) -> Int:
        return here.lane.rank + 1


class ShufflesOnce(Draw):
    """Each further permutation is the first one again."""

    def _shuffled(self, function: str, here: Here, lap: Int, at: Int) -> Int:
        return super()._shuffled(function, here, number(0), at)


class RestForgotten(Draw):
    """Only whole permutations are drawn."""

    def length(self, here: Here) -> Int:
        return choose(equal(here.n, 0), 0, self.asked(here) // here.n * here.n)


class AlwaysTheFirst(Draw):
    """A record that is drawn again is said to be there for the first time."""

    def lap(self, p: Int, here: Here) -> Int:
        return number(0)


class DrawnForever(Draw):
    """A record is said to be drawn as often as one asks."""

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(lap >= 0), super().place(q, lap, here).position)


class FirstLapOnly(Draw):
    """A record is said to be drawn once at most."""

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        place = super().place(q, lap, here)
        return Place(both(place.holds, equal(lap, 0)), place.position)
