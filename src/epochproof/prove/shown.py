"""What a solver showed on the way to a verdict: conditions that no values satisfy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from epochproof.term.node import FALSE, Bool, both, negate


@dataclass(frozen=True)
class Shown:
    """That `goal` follows from what is `given`: no values satisfy `whole`.

    `domains` say which values the parameters have, and `facts` what is known of applied functions.
    Without a goal, what is given contradicts itself.
    """

    given: Bool
    goal: Bool = FALSE
    domains: tuple[Bool, ...] = ()
    facts: tuple[Bool, ...] = ()

    @property
    def whole(self) -> Bool:
        """The condition as the solver was asked about it."""
        return both(*self.domains, self.given, negate(self.goal), *self.facts)


@dataclass
class Ledger:
    """A prover that writes down what it shows, each once, in the order in which it was asked."""

    show: Callable[[Bool, Bool], Shown | None]
    _shown: dict[Shown, None] = field(default_factory=dict)

    def valid(self, given: Bool, goal: Bool) -> bool:
        """Whether the goal was proved wherever `given` holds."""
        found = self.show(given, goal)
        if found is not None:
            self._shown[found] = None
        return found is not None

    @property
    def shown(self) -> tuple[Shown, ...]:
        """All that was shown so far."""
        return tuple(self._shown)
