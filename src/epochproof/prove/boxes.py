"""Far counterexamples: the box of least maximum that holds one, then each parameter as small as it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from epochproof.model.domain import Parameter
from epochproof.prove.answer import Answer
from epochproof.prove.solver import Solver, at_most
from epochproof.prove.worlds import Values
from epochproof.term.node import Bool, both, less_equal, variable

MOST_ASKED, MOST_UNKNOWN = 500, 2
"""So often the solver is asked for a smaller solution, and so many times without an answer."""

Replay = Callable[[Values], bool]
"""Whether the claim is false in the world with these parameters: checked on lists."""


@dataclass
class Boxes:
    """Searches the parameters `free` for a smallest solution of `false` that replays.

    `exact` turns false once an answer was unknown, or a smaller candidate did not replay.
    """

    solver: Solver
    free: list[Parameter]
    false: Bool
    replay: Replay
    exact: bool = True
    _trusting: bool = True
    _asked: int = 0
    _unknown: int = 0

    def smallest(self, start: Values) -> Values | None:
        """The smallest solution found from `start` on, which is one that may not replay; `None` if none does.

        Every world in which the claim is false is a solution: the smallest one of all, if it replays, is the
        smallest counterexample. Only if it does not, each one is replayed on the way.
        """
        found = self._search(start)
        if self.replay(found):
            return found
        self._trusting = self.exact = False
        self._asked = 0
        return self._search(start) if self.replay(start) else None

    def _search(self, start: Values) -> Values:
        best: Values = start
        names = tuple(each.name for each in self.free)
        low = max((each.domain.low for each in self.free), default=0)
        high = max((best[name] for name in names), default=0)
        while low < high:
            middle = _between(low, high)
            found = self._ask(at_most(names, middle))
            if found is None:
                low = middle + 1
            else:
                best, high = found, max(found[name] for name in names)
        return self._lexicographic(best, at_most(names, high))

    def _lexicographic(self, best: Values, box: Bool) -> Values:
        for parameter in self.free:
            low, high = parameter.domain.low, best[parameter.name]
            while low < high:
                middle = (low + high) // 2
                found = self._ask(both(box, less_equal(variable(parameter.name), middle)))
                if found is None:
                    low = middle + 1
                else:
                    best, high = found, found[parameter.name]
            box = both(box, less_equal(variable(parameter.name), high))
        return best

    def _ask(self, inside: Bool) -> Values | None:
        if self._asked == MOST_ASKED or self._unknown == MOST_UNKNOWN:
            self.exact = False
            return None
        self._asked += 1
        answer: Answer = self.solver.find(self.false, inside)
        if answer.status == "none":
            return None
        self._unknown += answer.status == "unknown"
        if answer.status == "found":
            values = self.complete(answer.values)
            if self._trusting or self.replay(values):
                return values
        self.exact = False
        return None

    def complete(self, found: Values) -> dict[str, int]:
        """The solution with a value for each free parameter, the least one where none matters."""
        return {each.name: found.get(each.name, each.domain.low) for each in self.free}


def _between(low: int, high: int) -> int:
    """Doubling from below, so that small answers are asked about in small boxes."""
    return min(max(2 * low, 1), (low + high) // 2)
