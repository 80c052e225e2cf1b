"""From a formula as written to its nodes: names resolved, kinds checked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim import _room
from epochproof.claim._conditions import All, Compare, CompareSets, Not, Some
from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Use
from epochproof.claim._numbers import Arithmetic, Choice, Count, Exact, Extremum, Given, UseNumber
from epochproof.claim._quantity import NumberQuantity, SetQuantity
from epochproof.claim._sets import Literal, UseSequence, UseSet
from epochproof.claim.across import across_ranks
from epochproof.claim.equal import equal
from epochproof.claim.unaffected import unaffected_by
from epochproof.diagnostics import Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import CALLS, FUNCTIONS, functions, has_options
from epochproof.schedule.read import Schedule
from epochproof.term.node import number

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_INCLUSIONS = ("==", "!=", "<=", ">=")
_WINDOWS = ("run", "rank")
CHANCES = ("expected", "probability")
_COUNT = "write `count(train.omitted)`, or the like for another set"


@dataclass(frozen=True, eq=False, repr=False)
class FormulaReader:
    """Reads the formulas of one schedule."""

    schedule: Schedule

    def formula(self, written: tree.Expression) -> Condition:
        """The formula of a claim, which alone may be about all lengths, groups and assignments."""
        if isinstance(written, tree.Disjoint):
            from epochproof.claim.disjoint import disjoint  # noqa: PLC0415 -- rarely written

            return disjoint(written, self.schedule)
        return self.condition(written)

    def condition(self, written: tree.Expression) -> Condition:
        """The formula as a condition."""
        node = self._node(written)
        if not isinstance(node, Condition):
            raise fail("E302", "a condition is needed here", written.span, help="compare it with something")
        return node

    def _number(self, written: tree.Expression) -> NumberNode:
        node = self._node(written)
        if not isinstance(node, NumberNode):
            raise fail("E302", "a number is needed here", written.span, help=_rather(node))
        return node

    def _whole(self, written: tree.Expression) -> NumberNode:
        """The number, which is written without decimals."""
        if isinstance(written, tree.Number):
            self.schedule.scope.term(written)
        return self._number(written)

    def _node(self, written: tree.Expression) -> Node:  # noqa: C901, PLR0911, PLR0912 -- one arm a kind
        if isinstance(written, tree.Relation):
            return self._relation(written)
        match written:
            case tree.Binary(operator="and"):
                return All((self.condition(written.left), self.condition(written.right)))
            case tree.Binary(operator="or"):
                return Some((self.condition(written.left), self.condition(written.right)))
            case tree.Binary() if written.operator in _COMPARISONS:
                return self._comparison(written)
            case tree.Binary():
                return self._arithmetic(written)
            case tree.Negate(operator="not"):
                return Not(self.condition(written.operand))
            case tree.Negate():
                return _joined(
                    "-", Given(self.schedule.scope.term(_zero(written.span))), self._number(written.operand)
                )
            case tree.Set():
                return Literal(tuple(self._whole(item) for item in written.items))
            case tree.Name():
                return self._name(written, ())
            case tree.Call():
                return self._call(written)
            case tree.Conditional():
                return Choice(
                    self.condition(written.condition),
                    self._number(written.then),
                    self._number(written.otherwise),
                )
            case tree.Number(value=Fraction() as decimal):
                return Exact(decimal) if decimal.denominator > 1 else Given(number(decimal.numerator))
            case tree.Number():
                return Given(self.schedule.scope.term(written))
            case _:
                raise _meaningless(written)

    def _relation(self, written: tree.Relation) -> Condition:
        match written:
            case tree.Equal():
                return equal(self._node(written.left), self._node(written.right), written.span)
            case tree.Across():
                return self._across(written)
            case tree.Distinct():
                from epochproof.claim.distinct_across import distinct_across  # noqa: PLC0415 -- rarely written

                return distinct_across(self._node(written.operand), written.axis, written.span)
            case tree.Disjoint():
                raise fail(
                    "E332",
                    "`disjoint from` is a claim of its own",
                    written.span,
                    help="make two claims; for its contrary write `refute`",
                )
            case tree.Unaffected():
                return unaffected_by(self._node(written.operand), written, self.schedule)
            case tree.Per():
                from epochproof.claim.per import per  # noqa: PLC0415 -- rarely written

                return per(self.condition(written.operand), written)

    def _comparison(self, written: tree.Binary) -> Condition:
        if any(map(_chance, (written.left, written.right))):
            from epochproof.claim._read_chance import comparison  # noqa: PLC0415 -- rarely written

            return comparison(written, (self._node, self.schedule.loaders))
        left, right = self._node(written.left), self._node(written.right)
        if isinstance(left, NumberNode) and isinstance(right, NumberNode):
            return Compare(written.operator, left, right)
        if isinstance(left, SetNode) and isinstance(right, SetNode):
            if written.operator not in _INCLUSIONS:
                raise fail(
                    "E302",
                    f"sets are not compared by `{written.operator}`",
                    written.span,
                    help="write `<=` for inclusion, or `count(…)` of both",
                )
            return CompareSets(written.operator, left, right)
        raise fail(
            "E303",
            f"`{written.operator}` compares two numbers or two sets",
            written.span,
            help=_rather(right if isinstance(left, NumberNode) else left),
        )

    def _arithmetic(self, written: tree.Binary) -> NumberNode:
        left, right = self._number(written.left), self._number(written.right)
        if written.operator in ("//", "%", "ceil"):
            self._whole(written.right)
            if not isinstance(right, Given):
                raise fail(
                    "E206",
                    "this divisor can be zero",
                    written.right.span,
                    help="divide by a parameter or a number",
                )
            self.schedule.scope.check_divisor(right.given, written.right.span)
        return _joined(written.operator, left, right)

    def _name(self, name: tree.Name, windows: tuple[tree.Argument, ...]) -> Node:
        loader = self.schedule.loaders.get(name.parts[0])
        if loader is not None and len(name.parts) == 2 and (found := _room.quantity(name.parts[1])):
            known = found.parts(loader)
            chosen = [_window(each, found.windows, known) for each in windows]
            found, part = found.of(loader, _one_source(name, [each for each in chosen if each in known]))
            use = Use(loader.name, found, "run" in chosen, "rank" in chosen, name.span, part)
            if isinstance(found, NumberQuantity):
                return UseNumber(use, found)
            return UseSet(use, found) if isinstance(found, SetQuantity) else UseSequence(use, found)  # type: ignore[arg-type]
        try:
            given = Given(self.schedule.scope.lookup(name))
        except SpecError:
            if str(name) in self.schedule.scope.twice:
                raise
            raise self._unknown(name) from None
        if windows:
            raise fail("E301", f"`{name}` has no windows", name.span, help=f"write `{name}` alone")
        return given

    def _unknown(self, name: tree.Name) -> SpecError:
        scope, first = self.schedule.scope, name.parts[0]
        if first in self.schedule.loaders and len(name.parts) > 1:
            own = [each.split(".", 1)[1] for each in scope.names if each.startswith(f"{first}.")]
            last = ".".join(name.parts[1:])
            known = [*_room.names(), *own]
            return fail(
                "E300",
                f"loader `{first}` has no `{last}`",
                name.span,
                help=suggest(last, known) or f"it has {', '.join(known)}",
            )
        if first in self.schedule.loaders:
            cure = f"name something that it has, as in `{first}.steps`"
            return fail("E302", f"`{first}` is a loader, not a value", name.span, help=cure)
        known = [*self.schedule.loaders, *scope.names]
        near = suggest(first, known) or suggest(str(name), known)
        cure = near or f"known here are {', '.join(known) or 'no names'}"
        return fail("E300", f"unknown name `{name}`", name.span, help=cure)

    def _call(self, call: tree.Call) -> Node:
        if len(call.name.parts) > 1:
            return self._name(call.name, call.arguments)
        name, values = str(call.name), [each.value for each in call.arguments]
        known = {**FUNCTIONS, "count": "one set"}
        if name in CHANCES:
            cure = f"write `{name}(…) <= 0.5`, or the like; only `+`, `-` and `*` may join it"
            raise fail("E302", f"`{name}` stands on one side of a comparison", call.span, help=cure)
        if name not in known:
            raise fail("E300", f"unknown function `{name}`", call.name.span, help=functions(name, known))
        if not values or has_options(call) or (len(values) > 1 and name in ("abs", "count")):
            cure = _COUNT if name == "count" else CALLS
            raise fail("E302", f"`{name}` takes {known[name]}", call.span, help=cure)
        if name != "count":
            return Extremum(name, tuple(self._number(each) for each in values))
        node = self._node(values[0])
        if not isinstance(node, SetNode):
            raise fail("E302", "`count` takes one set", values[0].span, help=_COUNT)
        return Count(node)

    def _across(self, written: tree.Across) -> Condition:
        if str(written.axis) != "ranks":
            raise fail(
                "E301",
                f"there is no `equal across {written.axis}`",
                written.axis.span,
                help="write `equal across ranks`",
            )
        return across_ranks(self._node(written.operand), written.span)


def _one_source(name: tree.Name, named: list[str]) -> str:
    """The source among the windows; empty without one."""
    if len(named) > 1:
        raise fail("E301", "one source is meant at a time", name.span, help="add them up, one by one")
    return named[0] if named else ""


def _window(argument: tree.Argument, known: frozenset[str], sources: frozenset[str]) -> str:
    offered = ", ".join(f"`{each}`" for each in (*_WINDOWS, *sorted(sources)) if each in known | sources)
    known |= sources
    name = str(argument.value) if isinstance(argument.value, tree.Name) else ""
    if argument.name is not None or argument.free or name not in known:
        raise fail(
            "E301",
            f"unknown window `{name}`" if name else "a window is a word",
            argument.span,
            help=suggest(name, sorted(known))
            or (f"windows are {offered}" if offered else "it has no windows"),
        )
    return name


def _rather(node: Node) -> str:
    """What to write in place of the node where numbers, or sets, are compared."""
    if isinstance(node, SetNode):
        return "write `count(…)` for the size of a set"
    if isinstance(node, UseSequence):
        return "compare orders and batches of two loaders by `equal`"
    return "write `if … then 1 else 0` for the number of a condition"


def _meaningless(written: tree.Expression) -> SpecError:
    if isinstance(written, tree.Range):
        cure = "compare with both ends, as in `1 <= x and x <= 64`"
        return fail("E302", "a range means nothing in a formula", written.span, help=cure)
    what = "a list" if isinstance(written, tree.List) else "a text"
    return fail("E302", f"{what} means nothing in a formula", written.span, help="write a number or a set")


def _chance(written: tree.Expression) -> bool:
    """Whether the expression is arithmetic with an expectation or a probability in it."""
    match written:
        case tree.Call():
            return str(written.name) in CHANCES
        case tree.Binary():
            return _chance(written.left) or _chance(written.right)
        case tree.Negate():
            return _chance(written.operand)
        case _:
            return False


def _joined(operator: str, left: NumberNode, right: NumberNode) -> NumberNode:
    joined = Arithmetic(operator, left, right)
    if isinstance(left, Given) and isinstance(right, Given):
        return Given(joined.of(left.given, right.given))
    return joined


def _zero(span: Span) -> tree.Number:
    return tree.Number(0, span)
