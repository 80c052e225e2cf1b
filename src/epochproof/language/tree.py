"""The tree of a spec, as written: every node keeps its span, nothing is resolved yet."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from epochproof.diagnostics import Source, Span

BinaryOperator = Literal["+", "-", "*", "//", "%", "ceil", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
"""`ceil` is the quotient of `ceil(a / b)`."""


@dataclass(frozen=True)
class Number:
    """An integer or an exact decimal: `1_000`, `0.8`."""

    value: int | Fraction
    span: Span


@dataclass(frozen=True)
class Text:
    """A string in double quotes."""

    value: str
    span: Span


@dataclass(frozen=True)
class Name:
    """A name with its dots: `ranks`, `train.batch`, `train.resumed.ranks`."""

    parts: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True)
class Argument:
    """`4`, `tail = pad`, `in 1..64` or `batch in 1..64` between the parentheses of a call or a stage."""

    name: str | None
    free: bool
    value: Expression
    span: Span


@dataclass(frozen=True)
class Call:
    """`count(train.omitted)`, `train.omitted(run)`, `min(a, b)`."""

    name: Name
    arguments: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True)
class Negate:
    """`-x`, or `not x` for a condition."""

    operator: Literal["-", "not"]
    operand: Expression
    span: Span


@dataclass(frozen=True)
class Binary:
    """Two operands and what joins them."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True)
class Conditional:
    """`if condition then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


@dataclass(frozen=True)
class Set:
    """`{0, 1}`, or `{}` for the empty set."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True)
class Range:
    """`low..high`, both ends included, or `low..` without an upper end."""

    low: Expression
    high: Expression | None
    span: Span


@dataclass(frozen=True)
class Equal:
    """`X equal Y`, of two loaders."""

    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True)
class Across:
    """`X equal across ranks`."""

    operand: Expression
    axis: Name
    span: Span


@dataclass(frozen=True)
class Unaffected:
    """`X unaffected by a, b`."""

    operand: Expression
    by: tuple[Name, ...]
    span: Span


Expression = (
    Number | Text | Name | Call | Negate | Binary | Conditional | Set | Range | Equal | Across | Unaffected
)


@dataclass(frozen=True)
class Setting:
    """`name = value`, or `name in domain` when `free`. `name_span` covers the name alone."""

    name: str
    free: bool
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True)
class Stage:
    """`name(arguments)` in a loader. `name_span` covers the name alone."""

    name: str
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True)
class Dataset:
    """`dataset name { settings }`."""

    name: str
    settings: tuple[Setting, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True)
class Loader:
    """`loader name over population { entries }`, entries in the order in which they are written."""

    name: str
    over: Name
    entries: tuple[Setting | Stage, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True)
class Claim:
    """`prove "text" : formula given premise`, or `refute`."""

    kind: Literal["prove", "refute"]
    text: str
    formula: Expression
    given: Expression | None
    span: Span
    text_span: Span


@dataclass(frozen=True)
class Assumption:
    """`assume "text" : formula`."""

    text: str
    formula: Expression
    span: Span
    text_span: Span


Statement = Dataset | Loader | Claim | Assumption


@dataclass(frozen=True)
class Spec:
    """A whole file: its edition and its statements in order."""

    source: Source
    edition: int
    statements: tuple[Statement, ...]
