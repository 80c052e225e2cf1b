"""Walking terms: one fold for every reading, free variables, substitution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Protocol, TypeVar, assert_never, cast

from epochproof.term import node
from epochproof.term.node import Bool, Int, Op, Term

T = TypeVar("T")


class Reading(Protocol[T]):
    """What each head means; a reading that forgets one does not type-check."""

    def number(self, value: int) -> T: ...
    def variable(self, name: str) -> T: ...
    def add(self, parts: list[T]) -> T: ...
    def multiply(self, a: T, b: T) -> T: ...
    def floor_divide(self, a: T, b: T) -> T: ...
    def modulo(self, a: T, b: T) -> T: ...
    def choose(self, condition: T, then: T, otherwise: T) -> T: ...
    def apply(self, function: str, arguments: list[T]) -> T: ...
    def truth(self, value: bool) -> T: ...
    def equal(self, a: T, b: T) -> T: ...
    def less_equal(self, a: T, b: T) -> T: ...
    def negate(self, condition: T) -> T: ...
    def both(self, conditions: list[T]) -> T: ...
    def either(self, conditions: list[T]) -> T: ...


def postorder(*roots: Term, known: Mapping[Term, object] | None = None) -> Iterator[Term]:
    """Every node below the roots once, arguments first; what is `known` is neither given nor entered."""
    seen = set(known or ())
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack.extend((each, False) for each in reversed(term.args) if each not in seen)


def fold(term: Term, reading: Reading[T], memo: MutableMapping[Term, T] | None = None) -> T:
    """The term as the reading reads it; `memo` keeps what was read, for terms that share parts."""
    memo = {} if memo is None else memo
    for each in postorder(term, known=memo):
        memo[each] = read(each, [memo[arg] for arg in each.args], reading)
    return memo[term]


def read(term: Term, args: list[T], reading: Reading[T]) -> T:  # noqa: C901, PLR0911, PLR0912 -- one arm a head
    """One node whose arguments were read already."""
    match term.op:
        case Op.NUMBER:
            return reading.number(cast("int", term.value))
        case Op.VARIABLE:
            return reading.variable(cast("str", term.value))
        case Op.ADD:
            return reading.add(args)
        case Op.MULTIPLY:
            return reading.multiply(args[0], args[1])
        case Op.FLOOR_DIVIDE:
            return reading.floor_divide(args[0], args[1])
        case Op.MODULO:
            return reading.modulo(args[0], args[1])
        case Op.CHOOSE:
            return reading.choose(args[0], args[1], args[2])
        case Op.APPLY:
            return reading.apply(cast("str", term.value), args)
        case Op.TRUTH:
            return reading.truth(bool(term.value))
        case Op.EQUAL:
            return reading.equal(args[0], args[1])
        case Op.LESS_EQUAL:
            return reading.less_equal(args[0], args[1])
        case Op.NOT:
            return reading.negate(args[0])
        case Op.ALL:
            return reading.both(args)
        case Op.ANY:
            return reading.either(args)
    assert_never(term.op)


def variables(*terms: Term) -> set[str]:
    """The names of the free integers in the terms."""
    return {cast("str", each.value) for each in postorder(*terms) if each.op is Op.VARIABLE}


def without(name: str, *terms: Term) -> Iterator[Term]:
    """The nodes below the terms in which the free integer `name` does not occur, arguments first."""
    held = set[Term]()
    for each in postorder(*terms):
        if (each.value == name and each.op is Op.VARIABLE) or not held.isdisjoint(each.args):
            held.add(each)
        else:
            yield each


class _Substitute:
    """Builds the same term anew with other terms in place of variables."""

    def __init__(self, values: Mapping[str, Int]) -> None:
        self._values = values

    number = staticmethod(node.number)
    truth = staticmethod(node.truth)

    def variable(self, name: str) -> Term:
        return self._values[name] if name in self._values else node.variable(name)

    def add(self, parts: list[Term]) -> Term:
        return node.add(*cast("list[Int]", parts))

    def multiply(self, a: Term, b: Term) -> Term:
        return node.multiply(cast("Int", a), cast("Int", b))

    def floor_divide(self, a: Term, b: Term) -> Term:
        return node.floor_divide(cast("Int", a), cast("Int", b))

    def modulo(self, a: Term, b: Term) -> Term:
        return node.modulo(cast("Int", a), cast("Int", b))

    def choose(self, condition: Term, then: Term, otherwise: Term) -> Term:
        return node.choose(cast("Bool", condition), cast("Int", then), cast("Int", otherwise))

    def apply(self, function: str, arguments: list[Term]) -> Term:
        return node.apply(function, *cast("list[Int]", arguments))

    def equal(self, a: Term, b: Term) -> Term:
        return node.equal(cast("Int", a), cast("Int", b))

    def less_equal(self, a: Term, b: Term) -> Term:
        return node.less_equal(cast("Int", a), cast("Int", b))

    def negate(self, condition: Term) -> Term:
        return node.negate(cast("Bool", condition))

    def both(self, conditions: list[Term]) -> Term:
        return node.both(*cast("list[Bool]", conditions))

    def either(self, conditions: list[Term]) -> Term:
        return node.either(*cast("list[Bool]", conditions))


def rebuilt(term: Term, args: list[Term]) -> Term:
    """The node with other arguments; constants fold."""
    return read(term, args, _Substitute({}))


A = TypeVar("A", Int, Bool)


def substitute(term: A, values: Mapping[str, Int]) -> A:
    """The term with `values[name]` for each variable that is named there; constants fold."""
    return cast("A", fold(term, _Substitute(values)))
