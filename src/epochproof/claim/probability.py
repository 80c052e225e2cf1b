"""`probability(…)`: how likely it is, over all draws, that so many records are read or left out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim._amounts import Amount, Between, fixed
from epochproof.claim._chance import counted, drawn, weights_drawn
from epochproof.claim._conditions import HOLDS
from epochproof.claim._nodes import Node, NumberNode, Symbols, Use, World
from epochproof.claim._occupancy import TooMany, all_drawn, distinct_odds
from epochproof.claim._question import Undecided
from epochproof.claim._weighted import all_drawn_by_weight, distinct_odds_by_weight
from epochproof.schedule.plan import Plan
from epochproof.term.node import constant


@dataclass(frozen=True, eq=False, repr=False)
class Probability(Amount):
    """That the number of records that are read, or `left_out`, is to `bound` as the operator says."""

    use: Use
    left_out: bool
    operator: str
    bound: NumberNode

    def parts(self) -> tuple[Node, ...]:
        return self.use, self.bound

    def between(self, symbols: Symbols) -> Between:
        view, size, draws = drawn(symbols, self.use)
        n, d, bound = constant(size), constant(draws), constant(self.bound.term(symbols))
        if n is not None and d is not None and bound is not None:
            found = fixed(self._of(view.plan, n, d, bound))
            return Between(found, found)
        weights_drawn(view.plan)
        if self._is_everything(bound) and view.question.settle(view.sane(), draws < size):
            return Between(fixed(Fraction(0)), fixed(Fraction(0)))
        return Between(fixed(Fraction(0)), fixed(Fraction(1)))

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        plan = world.seen(self.use).lists.plan
        found = self._of(plan, *counted(world, self.use), self.bound.value(world))
        return found, found

    def _is_everything(self, bound: int | Fraction | None) -> bool:
        """Whether the event is that nothing is left out."""
        return self.left_out and (self.operator, bound) in (("==", 0), ("<=", 0), ("<", 1))

    def _of(self, plan: Plan, size: int, draws: int, bound: int | Fraction) -> Fraction:
        """The probability for so many records and draws."""
        weights = weights_drawn(plan)
        try:
            if self._is_everything(bound) or (
                not self.left_out and (self.operator, bound) in (("==", size), (">=", size))
            ):
                return all_drawn(size, draws) if weights is None else all_drawn_by_weight(weights, draws)
            odds = distinct_odds(size, draws) if weights is None else distinct_odds_by_weight(weights, draws)
        except TooMany:
            raise Undecided(
                f"the exact probability for {draws:_} draws from {size:_} records takes too long"
            ) from None
        values = ((size - k if self.left_out else k) for k in range(len(odds)))
        compare = HOLDS[self.operator]
        return sum(
            (odd for value, odd in zip(values, odds, strict=True) if compare(value, bound)), Fraction(0)
        )
