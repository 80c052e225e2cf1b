"""The tree of a spec, as written: every node keeps its span, nothing is resolved yet."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from epochproof.diagnostics import Source, Span
from epochproof.language.node import Node
from epochproof.language.preset import Choice, Preset, Use

BinaryOperator = Literal["+", "-", "*", "//", "%", "ceil", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
"""`ceil` is the quotient of `ceil(a / b)`."""


class Number(Node):
    """An integer or an exact decimal: `1_000`, `0.8`."""

    value: int | Fraction
    span: Span


class Text(Node):
    """A string in double quotes."""

    value: str
    span: Span


class Name(Node):
    """A name with its dots: `ranks`, `train.batch`, `train.resumed.ranks`."""

    parts: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return ".".join(self.parts)


class Argument(Node):
    """`4`, `tail = pad`, `in 1..64` or `batch in 1..64` between the parentheses of a call or a stage."""

    name: str | None
    free: bool
    value: Expression
    span: Span


class Call(Node):
    """`count(train.omitted)`, `train.omitted(run)`, `min(a, b)`."""

    name: Name
    arguments: tuple[Argument, ...]
    span: Span


class Negate(Node):
    """`-x`, or `not x` for a condition."""

    operator: Literal["-", "not"]
    operand: Expression
    span: Span


class Binary(Node):
    """Two operands and what joins them."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span


class Conditional(Node):
    """`if condition then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


class Fallback(Node):
    """`value ?? otherwise`: the second where the first, a bound value, is absent or null."""

    value: Expression
    otherwise: Expression
    span: Span


class Word(Name):
    """A word that stands in a bound file: never the name of anything in the spec."""

    parts: tuple[str, ...]
    span: Span


class Unread(Node):
    """In place of what depends on a bound value that cannot be read: its name, and why."""

    name: str
    reason: str
    span: Span


class Set(Node):
    """`{0, 1}`, or `{}` for the empty set."""

    items: tuple[Expression, ...]
    span: Span


class List(Node):
    """`[3, 5, 2]`: values in order, of which some may be equal."""

    items: tuple[Expression, ...]
    span: Span


class Range(Node):
    """`low..high`, both ends included, or `low..` without an upper end."""

    low: Expression
    high: Expression | None
    span: Span


class Equal(Node):
    """`X equal Y`, of two loaders."""

    left: Expression
    right: Expression
    span: Span


class Across(Node):
    """`X equal across ranks`."""

    operand: Expression
    axis: Name
    span: Span


class Distinct(Node):
    """`X distinct across workers`."""

    operand: Expression
    axis: Name
    span: Span


class Disjoint(Node):
    """`A disjoint from B by KEY`; the key may be a name, or a name and a number: `frames + 16`."""

    left: Expression
    right: Expression
    key: Expression
    span: Span


class Per(Node):
    """`formula per prefix`."""

    operand: Expression
    what: str
    span: Span
    what_span: Span


class Unaffected(Node):
    """`X unaffected by a, b`."""

    operand: Expression
    by: tuple[Name, ...]
    span: Span


Relation = Equal | Across | Distinct | Disjoint | Per | Unaffected

Bound = Fallback | Unread

Expression = (
    Number | Text | Name | Call | Negate | Binary | Conditional | Set | List | Range | Relation | Bound
)


class Setting(Node):
    """`name = value`, or `name in domain` when `free`. `name_span` covers the name alone."""

    name: str
    free: bool
    value: Expression
    span: Span
    name_span: Span


class Stage(Node):
    """`name(arguments)` in a loader. `name_span` covers the name alone."""

    name: str
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span


Part = Stage | Use | Choice
"""What stands in a preset for stages."""


class Binding(Node):
    """`bind name = reader("path", env.NAME = value)`.

    `name_span`, `reader_span` and `path_span` cover these alone.
    """

    name: str
    reader: str
    path: str
    given: tuple[Setting, ...]
    span: Span
    name_span: Span
    reader_span: Span
    path_span: Span


class Dataset(Node):
    """`dataset name { settings }`, or `dataset name from source { settings }`."""

    name: str
    source: Name | None
    settings: tuple[Setting, ...]
    span: Span
    name_span: Span


class Split(Node):
    """`split name of whole by key { part = 0.8, rest = 0.2 }`."""

    name: str
    whole: Name
    key: Name
    settings: tuple[Setting, ...]
    span: Span
    name_span: Span


class Mix(Node):
    """`mix name { source = weight, pick = round_robin }`."""

    name: str
    settings: tuple[Setting, ...]
    span: Span
    name_span: Span


class Loader(Node):
    """`loader name over population { entries }`, entries in the order in which they are written."""

    name: str
    over: Name
    entries: tuple[Setting | Stage | Use, ...]
    span: Span
    name_span: Span


class Claim(Node):
    """`prove "text" : formula given premise`, or `refute`."""

    kind: Literal["prove", "refute"]
    text: str
    formula: Expression
    given: Expression | None
    span: Span
    text_span: Span


class Assumption(Node):
    """`assume "text" : formula`."""

    text: str
    formula: Expression
    span: Span
    text_span: Span


Block = Dataset | Split | Mix | Loader

Statement = Binding | Preset | Block | Claim | Assumption


class Spec(Node):
    """A whole file: its edition and its statements in order."""

    source: Source
    edition: int
    statements: tuple[Statement, ...]
