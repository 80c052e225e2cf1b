"""A term read as a Python function on integers: compiled once, then microseconds a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from epochproof.term.fold import postorder, read, without
from epochproof.term.node import Int, Op, Term


class _Python:
    """Python source of one node. A divisor of 0 yields 0: such a value is never used, by law 2 of stages."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name: f"v{at}" for at, name in enumerate(names)}

    def number(self, value: int) -> str:
        return f"({value})" if value < 0 else str(value)

    def variable(self, name: str) -> str:
        return self._names[name]

    def add(self, parts: list[str]) -> str:
        return f"({' + '.join(parts)})"

    def multiply(self, a: str, b: str) -> str:
        return f"({a} * {b})"

    def floor_divide(self, a: str, b: str) -> str:
        if b == "0":
            return b
        return f"({a} // {b})" if b.isdigit() else f"({a} // {b} if {b} else 0)"

    def modulo(self, a: str, b: str) -> str:
        if b == "0":
            return b
        return f"({a} % {b})" if b.isdigit() else f"({a} % {b} if {b} else 0)"

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        return f"({then} if {condition} else {otherwise})"

    def apply(self, function: str, arguments: list[str]) -> str:
        return f"{function}({', '.join(arguments)})"

    def truth(self, value: bool) -> str:
        return str(value)

    def equal(self, a: str, b: str) -> str:
        return f"({a} == {b})"

    def less_equal(self, a: str, b: str) -> str:
        return f"({a} <= {b})"

    def negate(self, condition: str) -> str:
        return f"(not {condition})"

    def both(self, conditions: list[str]) -> str:
        return f"({' and '.join(conditions)})"

    def either(self, conditions: list[str]) -> str:
        return f"({' or '.join(conditions)})"


_LEAVES = (Op.NUMBER, Op.VARIABLE, Op.TRUTH)
_Functions = Mapping[str, Callable[..., int]]


def as_int(term: Term, names: Sequence[str], functions: _Functions | None = None) -> Callable[..., Any]:
    """A function of the variables `names`, in that order; `functions` answers each applied function.

    It returns an integer for an integer term and a bool for a condition.
    """
    lines, memo = list[str](), dict[Term, str]()
    _assign((term,), _Python(names), memo, lines, "    ")
    return _compile(names, [*lines, f"    return {memo[term]}"], functions)


def as_rows(
    terms: Sequence[Term], over: str, count: Int, names: Sequence[str], functions: _Functions | None = None
) -> Callable[..., list[tuple[Any, ...]]]:
    """A function of `names` that returns one tuple of the terms for each value `0 <= over < count`.

    What does not depend on `over` is computed once.
    """
    python, lines, memo = _Python([*names, over]), list[str](), dict[Term, str]()
    fixed = list(without(over, count, *terms))
    _assign(fixed, python, memo, lines, "    ")
    lines += ["    rows = []", f"    for v{len(names)} in range({memo[count]}):"]
    _assign(terms, python, memo, lines, "        ")
    lines += [f"        rows.append(({''.join(memo[each] + ', ' for each in terms)}))", "    return rows"]
    return _compile(names, lines, functions)


def _assign(
    terms: Sequence[Term], python: _Python, memo: dict[Term, str], lines: list[str], indent: str
) -> None:
    for each in postorder(*terms, known=memo):
        text = read(each, [memo[arg] for arg in each.args], python)
        if each.op not in _LEAVES:
            name = f"t{len(memo)}"
            lines.append(f"{indent}{name} = {text}")
            text = name
        memo[each] = text


def _compile(names: Sequence[str], lines: list[str], functions: _Functions | None) -> Callable[..., Any]:
    arguments = ", ".join(f"v{at}" for at in range(len(names)))
    scope: dict[str, Any] = dict(functions or {})
    source = "\n".join([f"def compiled({arguments}):", *lines])
    exec(source, scope)  # noqa: S102 -- the source holds our own operators, numbers and v0, v1, … only
    return cast("Callable[..., Any]", scope["compiled"])
