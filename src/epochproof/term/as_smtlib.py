"""A condition read as SMT-LIB 2.6 text: our own print, the same text for the same terms."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Script:
    """Conditions as text: what is declared and defined for them, and each of them as an expression."""

    declarations: tuple[str, ...]
    definitions: tuple[str, ...]
    expressions: tuple[str, ...]


def as_smtlib(*conditions: Term) -> str:
    """Declarations and one assertion for each condition; shared parts are defined once.

    Divisors are at least 1 wherever they matter, so `div` and `mod` agree with floor division.
    """
    found = script(*conditions)
    asserted = [f"(assert {each})" for each in found.expressions]
    return "\n".join([*found.declarations, *found.definitions, *asserted]) + "\n"


def script(*conditions: Term) -> Script:
    """The parts of the text of the conditions; shared parts of them are defined once."""
    sexpr, memo, definitions = _Sexpr(), dict[Term, str](), list[str]()
    nodes = list(postorder(*conditions))
    used = Counter(arg for each in nodes for arg in each.args)
    declared = [
        f"(declare-const {_symbol(cast('str', each.value))} Int)" for each in nodes if each.op is Op.VARIABLE
    ]
    functions = {(cast("str", each.value), len(each.args)) for each in nodes if each.op is Op.APPLY}
    declared += [
        f"(declare-fun {name} ({' '.join(['Int'] * arity)}) Int)" for name, arity in sorted(functions)
    ]
    for each in nodes:
        text = read(each, [memo[arg] for arg in each.args], sexpr)
        if used[each] > 1 and each.op not in _LEAVES:
            sort, name = "Int" if isinstance(each, Int) else "Bool", f"s{len(definitions)}!"
            definitions.append(f"(define-fun {name} () {sort} {text})")
            text = name
        memo[each] = text
    return Script(tuple(declared), tuple(definitions), tuple(memo[each] for each in conditions))


def logic(*conditions: Term) -> str:
    """The smallest logic of SMT-LIB that has all that the conditions say."""
    nodes = list(postorder(*conditions))
    functions = "UF" if any(each.op is Op.APPLY for each in nodes) else ""
    return f"QF_{functions}{'NIA' if any(map(_is_product, nodes)) else 'LIA'}"


def _is_product(term: Term) -> bool:
    """Whether it multiplies, or divides by, what is no number."""
    match term.op:
        case Op.MULTIPLY:
            return all(each.op is not Op.NUMBER for each in term.args)
        case Op.FLOOR_DIVIDE | Op.MODULO:
            return term.args[1].op is not Op.NUMBER or term.args[1].value == 0
        case _:
            return False
