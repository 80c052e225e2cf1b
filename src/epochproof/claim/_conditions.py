"""Conditions in formulas: comparisons of numbers and sets, and what joins them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, Use, World
from epochproof.claim._quotient import Value
from epochproof.claim._sets import Literal
from epochproof.claim._sided import ALWAYS, NEVER, Sided, exactly
from epochproof.diagnostics import InternalError
from epochproof.model.values import compare
from epochproof.term.node import Bool, Int, both, either

HOLDS: Mapping[str, Callable[[Value, Value], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, eq=False, repr=False)
class Compare(Condition):
    """Two numbers compared."""

    operator: str
    left: NumberNode
    right: NumberNode

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def sided(self, symbols: Symbols) -> Sided:
        if self.left.fractional(symbols) or self.right.fractional(symbols):
            a, b = self.left.quotient(symbols), self.right.quotient(symbols)
            return exactly(_compared(self.operator, a.above * b.below, b.above * a.below))
        found = _by_reach(self.operator, self.left, self.right, symbols)
        found = found or _by_reach(_OPPOSITE[self.operator], self.right, self.left, symbols)
        if found is not None:
            return found
        return exactly(_compared(self.operator, self.left.term(symbols), self.right.term(symbols)))

    def holds(self, world: World) -> bool:
        return HOLDS[self.operator](self.left.value(world), self.right.value(world))


def _compared(operator: str, a: Int, b: Int) -> Bool:
    found = compare(operator, a, b)
    if found is None:
        raise InternalError("a formula compares with an operator that means nothing")
    return found


def _by_reach(operator: str, left: NumberNode, right: NumberNode, symbols: Symbols) -> Sided | None:
    """The comparison by what `left` reaches, if it knows that better than its own value."""
    if any(isinstance(each, Use) and each.quantity.per_record for each in right.walk()):
        return None
    bound = right.term(symbols)
    above, up_to = left.reaches(symbols, bound + 1), left.reaches(symbols, bound)
    if above is None or up_to is None:
        return None
    if operator in ("==", "!="):
        found = up_to & ~above
        return found if operator == "==" else ~found
    return {"<": ~up_to, "<=": ~above, ">": above, ">=": up_to}[operator]


@dataclass(frozen=True, eq=False, repr=False)
class CompareSets(Condition):
    """Two sets compared: `==`, `!=`, or `<=` and `>=` for inclusion."""

    operator: str
    left: SetNode
    right: SetNode

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def shows(self, world: World) -> frozenset[int]:
        start = max(each.start(world) for each in (self.left, self.right))
        return frozenset(start + each for each in self.left.members(world) ^ self.right.members(world))

    def tells_records(self) -> bool:
        return not any(isinstance(side, Literal) and not side.items for side in self.parts())

    def sided(self, symbols: Symbols) -> Sided:
        below, above = (
            self._within(self.left, self.right, symbols),
            self._within(self.right, self.left, symbols),
        )
        equal = below & above
        return {"==": equal, "!=": ~equal, "<=": below, ">=": above}[self.operator]

    def _within(self, inner: SetNode, outer: SetNode, symbols: Symbols) -> Sided:
        """Every member of `inner` is one of `outer`: for any record, or not for one of the candidates."""
        any_record = symbols.question.fresh("u")
        inside, outside = inner.member(symbols, any_record), outer.member(symbols, any_record)
        apart = [
            both(inner.member(symbols, each).yes, outer.member(symbols, each).no)
            for each in [*self.left.candidates(symbols), *self.right.candidates(symbols)]
        ]
        return Sided(either(inside.no, outside.yes), either(*apart))

    def holds(self, world: World) -> bool:
        left, right = self.left.members(world), self.right.members(world)
        return {
            "==": left == right,
            "!=": left != right,
            "<=": left <= right,
            ">=": left >= right,
        }[self.operator]


@dataclass(frozen=True, eq=False, repr=False)
class Not(Condition):
    """The contrary."""

    operand: Condition

    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def sided(self, symbols: Symbols) -> Sided:
        return ~self.operand.sided(symbols)

    def holds(self, world: World) -> bool:
        return not self.operand.holds(world)


@dataclass(frozen=True, eq=False, repr=False)
class All(Condition):
    """All of them hold."""

    operands: tuple[Condition, ...]

    def parts(self) -> tuple[Node, ...]:
        return self.operands

    def sided(self, symbols: Symbols) -> Sided:
        found = ALWAYS
        for operand in self.operands:
            found &= operand.sided(symbols)
        return found

    def holds(self, world: World) -> bool:
        return all(operand.holds(world) for operand in self.operands)


@dataclass(frozen=True, eq=False, repr=False)
class Some(Condition):
    """One of them holds."""

    operands: tuple[Condition, ...]

    def parts(self) -> tuple[Node, ...]:
        return self.operands

    def sided(self, symbols: Symbols) -> Sided:
        found = NEVER
        for operand in self.operands:
            found |= operand.sided(symbols)
        return found

    def holds(self, world: World) -> bool:
        return any(operand.holds(world) for operand in self.operands)
