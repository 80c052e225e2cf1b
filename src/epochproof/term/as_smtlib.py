"""A condition read as SMT-LIB 2.6 text: our own print, the same text for the same terms."""

from __future__ import annotations

from collections import Counter
from typing import cast

from epochproof.term.fold import postorder, read
from epochproof.term.node import Int, Op, Term


def _symbol(name: str) -> str:
    """The name as a symbol: the second run's parameters end in a quote, which only stands between bars."""
    return f"|{name}|" if "'" in name else name


class _Sexpr:
    def number(self, value: int) -> str:
        return str(value) if value >= 0 else f"(- {-value})"

    def variable(self, name: str) -> str:
        return _symbol(name)

    def add(self, parts: list[str]) -> str:
        return f"(+ {' '.join(parts)})"

    def multiply(self, a: str, b: str) -> str:
        return f"(* {a} {b})"

    def floor_divide(self, a: str, b: str) -> str:
        return f"(div {a} {b})"

    def modulo(self, a: str, b: str) -> str:
        return f"(mod {a} {b})"

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        return f"(ite {condition} {then} {otherwise})"

    def apply(self, function: str, arguments: list[str]) -> str:
        return f"({function} {' '.join(arguments)})"

    def truth(self, value: bool) -> str:
        return str(value).lower()

    def equal(self, a: str, b: str) -> str:
        return f"(= {a} {b})"

    def less_equal(self, a: str, b: str) -> str:
        return f"(<= {a} {b})"

    def negate(self, condition: str) -> str:
        return f"(not {condition})"

    def both(self, conditions: list[str]) -> str:
        return f"(and {' '.join(conditions)})"

    def either(self, conditions: list[str]) -> str:
        return f"(or {' '.join(conditions)})"


_LEAVES = (Op.NUMBER, Op.VARIABLE, Op.TRUTH)


def as_smtlib(*conditions: Term) -> str:
    """Declarations and one assertion for each condition; shared parts are defined once.

    Divisors are at least 1 wherever they matter, so `div` and `mod` agree with floor division.
    """
    sexpr, memo, lines, names = _Sexpr(), dict[Term, str](), list[str](), 0
    nodes = list(postorder(*conditions))
    used = Counter(arg for each in nodes for arg in each.args)
    lines += [
        f"(declare-const {_symbol(cast('str', each.value))} Int)" for each in nodes if each.op is Op.VARIABLE
    ]
    functions = {(cast("str", each.value), len(each.args)) for each in nodes if each.op is Op.APPLY}
    lines += [f"(declare-fun {name} ({' '.join(['Int'] * arity)}) Int)" for name, arity in sorted(functions)]
    for each in nodes:
        text = read(each, [memo[arg] for arg in each.args], sexpr)
        if used[each] > 1 and each.op not in _LEAVES:
            sort = "Int" if isinstance(each, Int) else "Bool"
            lines.append(f"(define-fun s{names}! () {sort} {text})")
            text, names = f"s{names}!", names + 1
        memo[each] = text
    lines += [f"(assert {memo[each]})" for each in conditions]
    return "\n".join(lines) + "\n"
