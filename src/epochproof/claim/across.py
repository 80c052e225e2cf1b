"""`X equal across ranks`: the same on any two ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, Use, World
from epochproof.claim._sided import Sided
from epochproof.diagnostics import Span, fail
from epochproof.term.node import FALSE, Bool, both, either, equal, implies, variable, within

_OTHER = variable("rank.other")


@dataclass(frozen=True, eq=False, repr=False)
class AcrossRanks(Condition):
    """A number or a set of a rank is the same on every rank."""

    operand: NumberNode | SetNode

    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def tells_records(self) -> bool:
        return not isinstance(self.operand, NumberNode)

    def ranges_over_ranks(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        other = replace(symbols, rank=_OTHER)
        ranks = [symbols.view(each).plan.ranks for each in self.walk() if isinstance(each, Use)]
        exists = both(*(within(0, _OTHER, each) for each in ranks))
        if isinstance(self.operand, SetNode):
            record = symbols.question.fresh("u")
            one, two = self.operand.member(symbols, record), self.operand.member(other, record)
            return Sided(implies(exists, both(_implied(one, two), _implied(two, one))), FALSE)
        one_number, two_number = self.operand.term(symbols), self.operand.term(other)
        return Sided(implies(exists, equal(one_number, two_number)), FALSE)

    def holds(self, world: World) -> bool:
        key = (self, world.epoch, world.record)
        if key not in world.known:
            ranks = min(world.lists[each.loader].ranks for each in self.walk() if isinstance(each, Use))
            first = self._here(world.at(rank=0))
            world.known[key] = all(self._here(world.at(rank=rank)) == first for rank in range(1, ranks))
        return world.known[key]

    def _here(self, world: World) -> object:
        if isinstance(self.operand, SetNode):
            return self.operand.members(world)
        return self.operand.value(world)


def _implied(one: Sided, two: Sided) -> Bool:
    return either(one.no, two.yes)


def across_ranks(operand: Node, span: Span) -> Condition:
    """The condition that the operand, a number or a set, is the same on every rank."""
    if not any(isinstance(each, Use) for each in operand.walk()):
        cure = "compare something that a loader has, as in `train.steps equal across ranks`"
        raise fail("E303", "this is the same on every rank by itself", span, help=cure)
    if isinstance(operand, NumberNode | SetNode):
        return AcrossRanks(operand)
    cure = "compare `steps`, or a set over the window `rank`, as in `train.covered(rank)`"
    raise fail("E303", "only numbers and sets can be `equal across ranks`", span, help=cure)
