"""`X unaffected by P`: two runs that differ in nothing but P have the same X."""

from __future__ import annotations

from dataclasses import dataclass, replace

from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, World
from epochproof.claim._sets import UseSequence
from epochproof.claim._sided import Sided
from epochproof.term.node import FALSE, Int, both, either, equal, variable


def other(name: str) -> str:
    """What a parameter is called in the second run."""
    return f"{name}'"


@dataclass(frozen=True, eq=False, repr=False)
class Unaffected(Condition):
    """The operand is the same in a second run, in which the parameters `by` have other values."""

    operand: NumberNode | SetNode | UseSequence
    by: tuple[str, ...]

    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def changed(self) -> dict[str, Int]:
        """The values that the second run has in place of the first one's."""
        return {name: variable(other(name)) for name in self.by}

    def tells_records(self) -> bool:
        return not isinstance(self.operand, NumberNode)

    def sided(self, symbols: Symbols) -> Sided:
        second = replace(symbols, changed=self.changed())
        if isinstance(self.operand, UseSequence):
            one, two = symbols.view(self.operand.use), second.view(self.operand.use)
            return Sided(self.operand.quantity.same(one, two).yes, FALSE)
        if isinstance(self.operand, SetNode):
            record = symbols.question.fresh("u")
            a, b = self.operand.member(symbols, record), self.operand.member(second, record)
            return Sided(both(either(a.no, b.yes), either(b.no, a.yes)), FALSE)
        return Sided(equal(self.operand.term(symbols), self.operand.term(second)), FALSE)

    def holds(self, world: World) -> bool:
        return self._here(world) == self._here(world.the_other_run())

    def _here(self, world: World) -> object:
        if isinstance(self.operand, UseSequence):
            return self.operand.listed(world)
        return self.operand.members(world) if isinstance(self.operand, SetNode) else self.operand.value(world)
