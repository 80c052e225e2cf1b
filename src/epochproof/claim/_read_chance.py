"""Comparisons with `expected(…)` or `probability(…)`: the one place where formulas hold fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from epochproof.claim._amounts import Amount, CompareAmounts, Decimal, Product, Sum, Whole
from epochproof.claim._chance import chance_of
from epochproof.claim._conditions import Compare, CompareSets
from epochproof.claim._nodes import Node, NumberNode, Use
from epochproof.claim._numbers import Count, Given, UseNumber
from epochproof.claim._sets import Literal, UseSet
from epochproof.claim.expected import Expected
from epochproof.claim.probability import Probability
from epochproof.diagnostics import fail
from epochproof.language import tree
from epochproof.schedule.loader import Loader
from epochproof.term.node import number

NAMES = ("expected", "probability")

_SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_COUNTED = "write `count(train.omitted)`, `count(train.covered)` or `train.distinct`"
_EVENT = "write `train.omitted == {}`, or compare `count(train.omitted)` or `train.distinct` with a number"

Parts = tuple[Callable[[tree.Expression], Node], dict[str, Loader]]
"""What reads the rest of a formula, and the loaders that there are."""


def comparison(written: tree.Binary, parts: Parts) -> CompareAmounts:
    """The comparison of two amounts."""
    return CompareAmounts(written.operator, _amount(written.left, parts), _amount(written.right, parts))


def _amount(written: tree.Expression, parts: Parts) -> Amount:
    match written:
        case tree.Number():
            return Decimal(Fraction(written.value))
        case tree.Negate(operator="-"):
            return Product(Decimal(Fraction(-1)), _amount(written.operand, parts))
        case tree.Binary(operator="+"):
            return Sum(_amount(written.left, parts), _amount(written.right, parts))
        case tree.Binary(operator="-" | "*"):
            left, right = _amount(written.left, parts), _amount(written.right, parts)
            less = Product(Decimal(Fraction(-1)), right)
            return Product(left, right) if written.operator == "*" else Sum(left, less)
        case tree.Call() if str(written.name) in NAMES:
            return _chance(written, parts)
    node = parts[0](written)
    if not isinstance(node, NumberNode):
        raise fail("E302", "a number is needed here", written.span, help="compare with a number")
    return Whole(node)


def _chance(call: tree.Call, parts: Parts) -> Amount:
    name, cure = str(call.name), _COUNTED if str(call.name) == "expected" else _EVENT
    plain = len(call.arguments) == 1 and call.arguments[0].name is None and not call.arguments[0].free
    if not plain:
        what = "one number" if name == "expected" else "one condition"
        raise fail("E302", f"`{name}` takes {what}", call.span, help=cure)
    argument = call.arguments[0].value
    found = _expected(parts[0](argument), parts) if name == "expected" else _event(parts[0](argument), parts)
    if found is None:
        raise fail("E302", f"`{name}` does not know this", argument.span, help=cure)
    return found


def _expected(node: Node, parts: Parts) -> Expected | None:
    use = _records(node, parts)
    return None if use is None else Expected(*use)


def _event(node: Node, parts: Parts) -> Probability | None:
    sides: tuple[Node, ...] = node.parts()
    if isinstance(node, CompareSets) and node.operator in ("==", "!="):
        found = [each for each in sides if isinstance(each, UseSet)]
        nothing = any(isinstance(each, Literal) and not each.items for each in sides)
        use = _records(Count(found[0]), parts) if found and nothing else None
        return None if use is None else Probability(*use, node.operator, Given(number(0)))
    if not isinstance(node, Compare):
        return None
    for side, other, told in (
        (node.left, node.right, node.operator),
        (node.right, node.left, _SWAPPED[node.operator]),
    ):
        use = _records(side, parts)
        if use is not None and not any(isinstance(each, Use) for each in other.walk()):
            return Probability(*use, told, other)
    return None


def _records(node: Node, parts: Parts) -> tuple[Use, bool] | None:
    """The draws whose records are counted, and whether those that are left out are."""
    if isinstance(node, Count) and isinstance(node.of, UseSet):
        use = node.of.use
    elif isinstance(node, UseNumber):
        use = node.use
    else:
        return None
    if use.quantity.name not in ("omitted", "covered", "distinct"):
        return None
    chance = chance_of(parts[1][use.loader])
    return Use(use.loader, chance, use.run, use.rank, use.span), use.quantity.name == "omitted"
