"""`X equal Y`: the same of two loaders."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.claim._conditions import Compare, CompareSets
from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, World
from epochproof.claim._sets import UseSequence
from epochproof.claim._sided import Sided
from epochproof.diagnostics import Span, fail


@dataclass(frozen=True, eq=False, repr=False)
class SameSequence(Condition):
    """Two sequences are equal."""

    left: UseSequence
    right: UseSequence

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def tells_records(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        return self.left.quantity.same(symbols.view(self.left.use), symbols.view(self.right.use))

    def holds(self, world: World) -> bool:
        return self.left.listed(world) == self.right.listed(world)


def equal(left: Node, right: Node, span: Span) -> Condition:
    """The condition that both sides, of one kind, are the same."""
    if isinstance(left, NumberNode) and isinstance(right, NumberNode):
        return Compare("==", left, right)
    if isinstance(left, SetNode) and isinstance(right, SetNode):
        return CompareSets("==", left, right)
    if isinstance(left, UseSequence) and isinstance(right, UseSequence) and left.quantity is right.quantity:
        return SameSequence(left, right)
    raise fail(
        "E303",
        "the two sides of `equal` are of different kinds",
        span,
        help="compare numbers with numbers, sets with sets, one sequence with the same of another loader",
    )
