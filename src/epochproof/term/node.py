"""Terms: hash-consed integers and conditions, built by operators and by the functions below."""

from __future__ import annotations

from enum import Enum, auto
from typing import TypeVar, cast
from weakref import WeakValueDictionary


class Op(Enum):
    """The closed set of heads; every reading answers each of them."""

    NUMBER = auto()
    VARIABLE = auto()
    ADD = auto()
    MULTIPLY = auto()
    FLOOR_DIVIDE = auto()
    MODULO = auto()
    CHOOSE = auto()
    APPLY = auto()
    TRUTH = auto()
    EQUAL = auto()
    LESS_EQUAL = auto()
    NOT = auto()
    ALL = auto()
    ANY = auto()


class Term:
    """One node. Equal terms are the same object, so `is` and `==` agree and hashing is by identity."""

    __slots__ = ("__weakref__", "args", "op", "value")

    op: Op
    args: tuple[Term, ...]
    value: int | str | bool | None

    def __bool__(self) -> bool:
        """Refuses: a term has no truth value in Python; use `both`, `either`, `choose`."""
        raise TypeError("a term has no truth value")


class Int(Term):
    """An integer term."""

    __slots__ = ()

    def __add__(self, other: Int | int) -> Int:
        return add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Int | int) -> Int:
        return add(self, multiply(-1, other))

    def __rsub__(self, other: Int | int) -> Int:
        return add(other, multiply(-1, self))

    def __neg__(self) -> Int:
        return multiply(-1, self)

    def __mul__(self, other: Int | int) -> Int:
        return multiply(self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Int | int) -> Int:
        return floor_divide(self, other)

    def __mod__(self, other: Int | int) -> Int:
        return modulo(self, other)

    def __le__(self, other: Int | int) -> Bool:
        return less_equal(self, other)

    def __lt__(self, other: Int | int) -> Bool:
        return less_equal(add(self, 1), other)

    def __ge__(self, other: Int | int) -> Bool:
        return less_equal(other, self)

    def __gt__(self, other: Int | int) -> Bool:
        return less_equal(add(other, 1), self)


class Bool(Term):
    """A condition."""

    __slots__ = ()


_nodes: WeakValueDictionary[object, Term] = WeakValueDictionary()
_T = TypeVar("_T", Int, Bool)


def _node(kind: type[_T], op: Op, args: tuple[Term, ...], value: int | str | bool | None = None) -> _T:
    # `value.__class__` keeps 1 and True apart.
    key = (op, args, value, value.__class__)
    found = _nodes.get(key)
    if found is None:
        found = kind.__new__(kind)
        found.op, found.args, found.value = op, args, value
        _nodes[key] = found
    return cast("_T", found)


def number(value: int) -> Int:
    """The constant `value`."""
    return _node(Int, Op.NUMBER, (), value)


def variable(name: str) -> Int:
    """The free integer called `name`."""
    return _node(Int, Op.VARIABLE, (), name)


def apply(function: str, *arguments: Int | int) -> Int:
    """`function(arguments)`, a function about which nothing else is known."""
    return _node(Int, Op.APPLY, tuple(_int(each) for each in arguments), function)


def _int(value: Int | int) -> Int:
    return value if isinstance(value, Int) else number(value)


def constant(term: Term) -> int | None:
    """The value of a constant integer, else `None`."""
    return cast("int", term.value) if term.op is Op.NUMBER else None


def add(*parts: Int | int) -> Int:
    """The sum of the parts; constants are summed, nested sums are flattened."""
    total, rest = 0, []
    for part in parts:
        for each in _summands(part):
            if isinstance(each, int):
                total += each
            else:
                rest.append(each)
    if total or not rest:
        rest.append(number(total))
    return rest[0] if len(rest) == 1 else _node(Int, Op.ADD, tuple(rest))


def _summands(part: Int | int) -> list[Int | int]:
    if isinstance(part, int):
        return [part]
    if part.op is Op.ADD:
        return [cast("int", each.value) if each.op is Op.NUMBER else cast("Int", each) for each in part.args]
    return [cast("int", part.value) if part.op is Op.NUMBER else part]


def multiply(a: Int | int, b: Int | int) -> Int:
    """The product; constants fold and are put first."""
    a, b = _int(a), _int(b)
    x, y = constant(a), constant(b)
    if x is None and y is not None:
        a, b, x, y = b, a, y, x
    if x is None:
        return _node(Int, Op.MULTIPLY, (a, b))
    if y is not None:
        return number(x * y)
    if x in (0, 1):
        return b if x else a
    if b.op is Op.MULTIPLY and (inner := constant(b.args[0])) is not None:
        return multiply(x * inner, cast("Int", b.args[1]))
    return _node(Int, Op.MULTIPLY, (a, b))


def floor_divide(a: Int | int, b: Int | int) -> Int:
    """The quotient, rounded down. The divisor must be at least 1 wherever the result matters."""
    a, b = _int(a), _int(b)
    x, y = constant(a), constant(b)
    if y == 1 or x == 0:
        return a
    if x is not None and y is not None and y > 0:
        return number(x // y)
    return _node(Int, Op.FLOOR_DIVIDE, (a, b))


def modulo(a: Int | int, b: Int | int) -> Int:
    """What `floor_divide` leaves, from 0 to the divisor exclusive."""
    a, b = _int(a), _int(b)
    x, y = constant(a), constant(b)
    if y == 1 or x == 0:
        return number(0)
    if x is not None and y is not None and y > 0:
        return number(x % y)
    return _node(Int, Op.MODULO, (a, b))


def ceil_divide(a: Int | int, b: Int | int) -> Int:
    """The quotient, rounded up."""
    return floor_divide(add(a, b, -1), b)


def choose(condition: Bool, then: Int | int, otherwise: Int | int) -> Int:
    """`then` where the condition holds, else `otherwise`."""
    then, otherwise = _int(then), _int(otherwise)
    if condition.op is Op.TRUTH:
        return then if condition.value else otherwise
    return then if then is otherwise else _node(Int, Op.CHOOSE, (condition, then, otherwise))


def minimum(a: Int | int, b: Int | int) -> Int:
    """The smaller one."""
    return choose(less_equal(a, b), a, b)


def maximum(a: Int | int, b: Int | int) -> Int:
    """The larger one."""
    return choose(less_equal(b, a), a, b)


def truth(value: bool) -> Bool:
    """The condition that always, or never, holds."""
    return _node(Bool, Op.TRUTH, (), value)


TRUE, FALSE = truth(value=True), truth(value=False)


def equal(a: Int | int, b: Int | int) -> Bool:
    """`a` is `b`."""
    a, b = _int(a), _int(b)
    x, y = constant(a), constant(b)
    if a is b or (x is not None and y is not None):
        return truth(a is b)
    return _node(Bool, Op.EQUAL, (a, b))


def differ(a: Int | int, b: Int | int) -> Bool:
    """`a` is not `b`."""
    return negate(equal(a, b))


def less_equal(a: Int | int, b: Int | int) -> Bool:
    """`a` is at most `b`."""
    a, b = _int(a), _int(b)
    x, y = constant(a), constant(b)
    if a is b or (x is not None and y is not None):
        return truth(a is b or cast("int", x) <= cast("int", y))
    return _node(Bool, Op.LESS_EQUAL, (a, b))


def within(low: Int | int, value: Int | int, high: Int | int) -> Bool:
    """`low <= value < high`."""
    return both(less_equal(low, value), less_equal(add(value, 1), high))


def negate(condition: Bool) -> Bool:
    """The condition does not hold."""
    if condition.op is Op.TRUTH:
        return truth(not condition.value)
    return cast("Bool", condition.args[0]) if condition.op is Op.NOT else _node(Bool, Op.NOT, (condition,))


def both(*conditions: Bool) -> Bool:
    """All of them hold; nothing to hold is true."""
    return _join(Op.ALL, conditions, neutral=True)


def either(*conditions: Bool) -> Bool:
    """One of them holds; nothing to hold is false."""
    return _join(Op.ANY, conditions, neutral=False)


def _join(op: Op, conditions: tuple[Bool, ...], *, neutral: bool) -> Bool:
    rest: dict[Bool, None] = {}
    for condition in conditions:
        for each in cast("tuple[Bool, ...]", condition.args) if condition.op is op else (condition,):
            if each.op is not Op.TRUTH:
                rest[each] = None
            elif each.value is not neutral:
                return each
    if not rest:
        return truth(neutral)
    return next(iter(rest)) if len(rest) == 1 else _node(Bool, op, tuple(rest))


def implies(a: Bool, b: Bool) -> Bool:
    """`b` holds wherever `a` does."""
    return either(negate(a), b)


def iff(a: Bool, b: Bool) -> Bool:
    """Both hold, or neither."""
    return both(implies(a, b), implies(b, a))
