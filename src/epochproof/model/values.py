"""Values of settings and options: expressions over parameters, read as terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from epochproof.diagnostics import Label, Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.domain import Domain, Parameter
from epochproof.term import node
from epochproof.term.bounds import Interval, interval
from epochproof.term.node import Bool, Int, constant

_COMPARISONS: Mapping[str, Callable[[Int, Int], Bool]] = {
    "==": node.equal,
    "!=": node.differ,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC: Mapping[str, Callable[[Int, Int], Int]] = {
    "+": node.add,
    "-": lambda a, b: a - b,
    "*": node.multiply,
    "//": node.floor_divide,
    "%": node.modulo,
    "ceil": node.ceil_divide,
}


def compare(operator: str, a: Int, b: Int) -> Bool | None:
    """`a operator b`, or `None` where the operator compares nothing."""
    return _COMPARISONS[operator](a, b) if operator in _COMPARISONS else None


def combine(operator: str, a: Int, b: Int) -> Int | None:
    """`a operator b`, or `None` where the operator is no arithmetic."""
    return _ARITHMETIC[operator](a, b) if operator in _ARITHMETIC else None


@dataclass
class Scope:
    """The names that a value may use, and the free parameters met so far, in order of declaration."""

    names: dict[str, Int] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    twice: dict[str, tuple[Span, Span]] = field(default_factory=dict)
    _named: dict[str, Span] = field(default_factory=dict)

    def name(self, name: str, value: Int, span: Span) -> None:
        """Lets `name` stand for the value; a name given two values may be used no more."""
        if name in self._named and self.names[name] is not value:
            self.twice[name] = (self._named[name], span)
        self.names[name] = value
        self._named[name] = span

    def ranges(self) -> dict[str, Interval]:
        """Least and greatest value of each parameter."""
        return {
            name: (
                each.domain.low,
                each.domain.high if each.domain.values is None else max(each.domain.values),
            )
            for name, each in self.parameters.items()
        }

    def free(self, name: str, value: tree.Expression, *, least: int, span: Span, seed: bool = False) -> Int:
        """A new parameter called `name` whose domain is written as `value`; errors below `least`."""
        if name in self.parameters:
            raise fail(
                "E210",
                f"two free values would both be called `{name}`",
                span,
                label="the second one",
                secondary=(Label(self.parameters[name].span, "the first one"),),
                help="fix one of them with `=` or a plain number",
            )
        domain = self.domain(value)
        if domain.low < least:
            found = f"`{name}` must be at least {least}, and can be {domain.low} here"
            raise fail("E205", found, value.span, help=f"begin the domain at {least}")
        self.parameters[name] = Parameter(name, domain, span, seed=seed)
        return self.parameters[name].term

    def unread(self, value: tree.Unread, least: int, *, seed: bool = False) -> Int:
        """A parameter for what cannot be read: no claim that depends on it is decided."""
        known = self.parameters.get(value.name)
        low = least if known is None else max(least, known.domain.low)
        span = value.span if known is None else known.span
        self.parameters[value.name] = Parameter(
            value.name,
            Domain(low, None),
            span,
            seed=seed and (known is None or known.seed),
            unread=value.reason,
        )
        return self.parameters[value.name].term

    def setting(self, owner: str, setting: tree.Setting, least: int) -> Int:
        """The number that a setting gives, `least` or more; it joins the scope as `<owner>.<setting>`."""
        name = f"{owner}.{setting.name}"
        if setting.free:
            self.names[name] = self.free(name, setting.value, least=least, span=setting.span)
        else:
            self.names[name] = self.at_least(setting.value, least, setting.name)
        return self.names[name]

    def domain(self, value: tree.Expression) -> Domain:
        """The domain that `1..64`, `1..`, `{0, 2}` or a single number stands for."""
        if isinstance(value, tree.Range):
            low = self.fixed(value.low)
            high = None if value.high is None else self.fixed(value.high)
            if high is not None and high < low:
                raise fail(
                    "E212",
                    f"the range `{low}..{high}` is empty",
                    value.span,
                    help="put the smaller end first",
                )
            return Domain(low, high)
        if isinstance(value, tree.Set):
            values = tuple(sorted({self.fixed(each) for each in value.items}))
            if not values:
                raise fail("E212", "an empty set leaves no value", value.span, help="name at least one value")
            return Domain(values[0], values[-1], values)
        raise fail(
            "E214",
            "`in` takes a range or a set",
            value.span,
            help="write `in 1..64`, `in 1..`, `in {0, 2}`, or `= value`",
        )

    def fixed(self, value: tree.Expression) -> int:
        """A whole number without free parameters."""
        found = constant(self.term(value))
        if found is None:
            raise fail(
                "E213",
                "a domain is written with fixed numbers",
                value.span,
                label="depends on a free value",
                help="write a number here; how free values relate is a premise, after `given` or `assume`",
            )
        return found

    def whole(self, value: tree.Expression, *, least: int, name: str) -> int:
        """A whole number without free parameters, `least` or more."""
        found = self.fixed(value)
        if found < least:
            cure = f"write {least} or more"
            raise fail(
                "E205", f"`{name}` must be at least {least}, and is {found} here", value.span, help=cure
            )
        return found

    def at_least(self, value: tree.Expression, least: int, name: str) -> Int:
        """The value as a term of which the ranges show that it is at least `least`."""
        if isinstance(value, tree.Unread):
            return self.unread(value, least)
        term = self.term(value)
        low = interval(term, self.ranges())[0]
        if low is not None and low >= least:
            return term
        fixed = constant(term) is not None
        found = "nothing keeps it there" if low is None else f"{'is' if fixed else 'can be'} {low} here"
        cure = f"write {least} or more" if fixed else f"write `max(…, {least})`, or narrow a domain"
        raise fail("E205", f"`{name}` must be at least {least}, and {found}", value.span, help=cure)

    def term(self, value: tree.Expression) -> Int:
        """The value as an integer term."""
        match value:
            case tree.Number(value=int(number)):
                return node.number(number)
            case tree.Number(value=Fraction()):
                raise fail(
                    "E213",
                    "a whole number is needed here",
                    value.span,
                    label="not whole",
                    help="write a part of a number as a rounded quotient: `n * 4 // 5` for 0.8 of `n`",
                )
            case tree.Name():
                return self.lookup(value)
            case tree.Negate(operator="-"):
                return -self.term(value.operand)
            case tree.Binary() if value.operator in _ARITHMETIC:
                return self._arithmetic(value)
            case tree.Conditional():
                return node.choose(
                    self.condition(value.condition), self.term(value.then), self.term(value.otherwise)
                )
            case tree.Call():
                return self._call(value)
            case _:
                raise _no_number(value)

    def condition(self, value: tree.Expression) -> Bool:
        """The value as a condition over parameters."""
        match value:
            case tree.Negate(operator="not"):
                return node.negate(self.condition(value.operand))
            case tree.Binary(operator="and"):
                return node.both(self.condition(value.left), self.condition(value.right))
            case tree.Binary(operator="or"):
                return node.either(self.condition(value.left), self.condition(value.right))
            case tree.Binary() if value.operator in _COMPARISONS:
                return _COMPARISONS[value.operator](self.term(value.left), self.term(value.right))
            case _:
                raise fail("E214", "a condition is needed here", value.span, help="compare two numbers")

    def lookup(self, name: tree.Name) -> Int:
        """The term of a name; unknown names get a suggestion."""
        if isinstance(name, tree.Word):
            cure = "correct the config, or name another value"
            raise fail("E214", f"a number is needed here, not the text `{name}`", name.span, help=cure)
        if str(name) in self.twice:
            one, other = self.twice[str(name)]
            raise fail(
                "E210",
                f"`{name}` could mean two values",
                name.span,
                secondary=(Label(one, "this one"), Label(other, "or this one")),
                help="write the number",
            )
        found = self.names.get(str(name))
        if found is None:
            known = ", ".join(self.names) or "no names"
            cure = suggest(str(name), self.names) or f"known here are {known}"
            raise fail("E207", f"unknown name `{name}`", name.span, help=cure)
        return found

    def check_divisor(self, divisor: Int, span: Span) -> None:
        """Refuses a divisor that the ranges of the parameters allow to be 0 or less."""
        if (interval(divisor, self.ranges())[0] or 0) < 1:
            raise fail(
                "E206",
                "this divisor can be zero",
                span,
                help="write `max(…, 1)`, or narrow a domain",
            )

    def _arithmetic(self, value: tree.Binary) -> Int:
        left, right = self.term(value.left), self.term(value.right)
        if value.operator in ("//", "%", "ceil"):
            self.check_divisor(right, value.right.span)
        return _ARITHMETIC[value.operator](left, right)

    def _call(self, call: tree.Call) -> Int:
        name = str(call.name)
        if name not in FUNCTIONS:
            raise fail("E207", f"unknown function `{name}`", call.name.span, help=functions(name, FUNCTIONS))
        parts = [self.term(each.value) for each in call.arguments]
        found = None if has_options(call) else extremum(name, parts)
        if found is None:
            raise fail("E214", f"`{name}` takes {FUNCTIONS[name]}", call.span, help=CALLS)
        return found


def _no_number(value: tree.Expression) -> SpecError:
    if isinstance(value, tree.Unread):
        return fail("E709", value.reason, value.span, help="write the value in the spec, or `--set` it")
    domain = isinstance(value, tree.Range | tree.Set)
    cure = "leave a value free with `in`" if domain else "write a number or arithmetic"
    return fail("E214", "a number is needed here", value.span, help=cure)


FUNCTIONS = {"min": "one number or more", "max": "one number or more", "abs": "one number"}
"""Each function of numbers and what it takes."""

CALLS = "write `min(a, b)`, `max(a, b)` or `abs(a - b)`"


def functions(name: str, known: Iterable[str]) -> str:
    """Help for a name that is none of the known functions."""
    return suggest(name, known) or f"functions are {', '.join(known)}, and `ceil(a / b)`"


def has_options(call: tree.Call) -> bool:
    """Whether an argument has a name or is left free, as only those of stages may."""
    return any(each.name is not None or each.free for each in call.arguments)


def extremum(name: str, parts: list[Int]) -> Int | None:
    """`min`, `max` or `abs` of the parts; `None` where name or number of parts does not fit."""
    if name == "abs" and len(parts) == 1:
        return node.maximum(parts[0], -parts[0])
    if name not in ("min", "max") or not parts:
        return None
    join, total = (node.minimum if name == "min" else node.maximum), parts[0]
    for part in parts[1:]:
        total = join(total, part)
    return total
