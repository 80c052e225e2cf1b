"""Tree nodes from what the parser has recognised: one method for each rule of the grammar."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, cast

from lark import Token

from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.language.preset import Choice, Preset, Use

Part = Any
"""A token, or the node of a part that was recognised before."""


def span_of(part: Part) -> Span:
    """Where a token or a node stands."""
    if isinstance(part, Token):
        return Span(cast("int", part.start_pos), cast("int", part.end_pos))
    return cast("Span", part.span)


def _whole(parts: list[Part]) -> Span:
    return span_of(parts[0]).to(span_of(parts[-1]))


def _nodes(parts: list[Part]) -> tuple[Any, ...]:
    return tuple(part for part in parts if not isinstance(part, Token))


class Builder:
    """What each rule builds. Every method takes the parts of its rule, punctuation included."""

    @staticmethod
    def start(parts: list[Part]) -> tuple[int, tuple[tree.Statement, ...]]:
        """The edition and the statements of a file."""
        return int(parts[1]), tuple(parts[2:])

    @staticmethod
    def binding(parts: list[Part]) -> tree.Binding:
        """`bind name = reader("path", env.NAME = value)`."""
        name, reader, path = parts[1], parts[3], parts[5]
        spans = (span_of(name), span_of(reader), span_of(path))
        given = _nodes(parts[6:])
        return tree.Binding(str(name), str(reader), str(path[1:-1]), given, _whole(parts), *spans)

    @staticmethod
    def dataset(parts: list[Part]) -> tree.Dataset:
        """`dataset name { settings }`, or `dataset name from source { settings }`."""
        nodes = _nodes(parts)
        source = nodes[0] if nodes and isinstance(nodes[0], tree.Name) else None
        settings = nodes if source is None else nodes[1:]
        return tree.Dataset(str(parts[1]), source, settings, _whole(parts), span_of(parts[1]))

    @staticmethod
    def split(parts: list[Part]) -> tree.Split:
        """`split name of whole by key { part = 0.8, rest = 0.2 }`."""
        whole, key, *settings = _nodes(parts)
        return tree.Split(str(parts[1]), whole, key, tuple(settings), _whole(parts), span_of(parts[1]))

    @staticmethod
    def mix(parts: list[Part]) -> tree.Mix:
        """`mix name { source = weight, pick = round_robin }`."""
        return tree.Mix(str(parts[1]), _nodes(parts), _whole(parts), span_of(parts[1]))

    @staticmethod
    def loader(parts: list[Part]) -> tree.Loader:
        """`loader name over population { entries }`."""
        over, *entries = _nodes(parts)
        return tree.Loader(str(parts[1]), over, tuple(entries), _whole(parts), span_of(parts[1]))

    @staticmethod
    def claim(parts: list[Part]) -> tree.Claim:
        """`prove "text" : formula given premise`, or `refute`."""
        formula, given = (*_nodes(parts), None)[:2]
        kind = cast("Literal['prove', 'refute']", str(parts[0]))
        return tree.Claim(kind, parts[1][1:-1], formula, given, _whole(parts), span_of(parts[1]))

    @staticmethod
    def assumption(parts: list[Part]) -> tree.Assumption:
        """`assume "text" : formula`."""
        return tree.Assumption(parts[1][1:-1], parts[3], _whole(parts), span_of(parts[1]))

    @staticmethod
    def setting(parts: list[Part]) -> tree.Setting:
        """`name = value`, or `name in domain`."""
        name, sign, value = parts
        return tree.Setting(str(name), sign == "in", value, _whole(parts), span_of(name))

    @staticmethod
    def stage(parts: list[Part]) -> tree.Stage:
        """`name(arguments)` in a loader."""
        return tree.Stage(str(parts[0]), _nodes(parts), _whole(parts), span_of(parts[0]))

    @staticmethod
    def use(parts: list[Part]) -> Use:
        """`use name(arguments)` in a loader or a preset."""
        name, *arguments = _nodes(parts)
        return Use(name, tuple(arguments), _whole(parts))

    @staticmethod
    def choice(parts: list[Part]) -> Choice:
        """`if condition { parts }`, or with `else` and other parts."""
        at = next((at for at, each in enumerate(parts) if each == "else"), len(parts))
        condition, *then = _nodes(parts[:at])
        return Choice(condition, tuple(then), _nodes(parts[at:]), _whole(parts))

    @staticmethod
    def preset(parts: list[Part]) -> Preset:
        """`preset name(parameters) { entries }`."""
        name, *others = _nodes(parts)
        parameters = tuple(each for each in others if isinstance(each, tree.Argument))
        entries = tuple(others[len(parameters) :])
        return Preset(str(name), parameters, entries, _whole(parts), span_of(name))

    @staticmethod
    def argument(parts: list[Part]) -> tree.Argument:
        """`4`, `in 1..4`, `batch in 1..4` or `tail = pad`."""
        *before, value = parts
        name = str(before[0]) if before[1:] else None
        return tree.Argument(name, before[-1:] == ["in"], value, _whole(parts))

    @staticmethod
    def conditional(parts: list[Part]) -> tree.Conditional:
        """`if condition then a else b`."""
        return tree.Conditional(parts[1], parts[3], parts[5], _whole(parts))

    @staticmethod
    def fallback(parts: list[Part]) -> tree.Fallback:
        """`value ?? otherwise`."""
        return tree.Fallback(parts[0], parts[2], _whole(parts))

    @staticmethod
    def binary(parts: list[Part]) -> tree.Binary:
        """Two operands and the operator between them."""
        operator = cast("tree.BinaryOperator", str(parts[1]))
        return tree.Binary(operator, parts[0], parts[2], _whole(parts))

    @staticmethod
    def negate(parts: list[Part]) -> tree.Negate:
        """`-x` or `not x`."""
        operator = cast("Literal['-', 'not']", str(parts[0]))
        return tree.Negate(operator, parts[1], _whole(parts))

    @staticmethod
    def equal(parts: list[Part]) -> tree.Equal:
        """`X equal Y`."""
        return tree.Equal(parts[0], parts[2], _whole(parts))

    @staticmethod
    def across(parts: list[Part]) -> tree.Across:
        """`X equal across ranks`."""
        return tree.Across(parts[0], parts[3], _whole(parts))

    @staticmethod
    def distinct(parts: list[Part]) -> tree.Distinct:
        """`X distinct across workers`."""
        return tree.Distinct(parts[0], parts[3], _whole(parts))

    @staticmethod
    def disjoint(parts: list[Part]) -> tree.Disjoint:
        """`A disjoint from B by KEY`."""
        left, right, key = _nodes(parts)
        return tree.Disjoint(left, right, key, _whole(parts))

    @staticmethod
    def per(parts: list[Part]) -> tree.Per:
        """`formula per prefix`."""
        return tree.Per(parts[0], str(parts[2]), _whole(parts), span_of(parts[2]))

    @staticmethod
    def unaffected(parts: list[Part]) -> tree.Unaffected:
        """`X unaffected by a, b`."""
        operand, *by = _nodes(parts)
        return tree.Unaffected(operand, tuple(by), _whole(parts))

    @staticmethod
    def range(parts: list[Part]) -> tree.Range:
        """`low..high`, or `low..`."""
        low, _, *high = parts
        return tree.Range(low, high[0] if high else None, _whole(parts))

    @staticmethod
    def number(parts: list[Part]) -> tree.Number:
        """An integer, or a decimal as an exact fraction."""
        digits = parts[0].replace("_", "")
        return tree.Number(Fraction(digits) if "." in digits else int(digits), span_of(parts[0]))

    @staticmethod
    def text(parts: list[Part]) -> tree.Text:
        """A string without its quotes."""
        return tree.Text(str(parts[0][1:-1]), span_of(parts[0]))

    @staticmethod
    def name(parts: list[Part]) -> tree.Name:
        """A name with its dots."""
        return tree.Name(tuple(parts[0].split(".")), span_of(parts[0]))

    @staticmethod
    def call(parts: list[Part]) -> tree.Call:
        """`name(arguments)` in an expression."""
        name, *arguments = _nodes(parts)
        return tree.Call(name, tuple(arguments), _whole(parts))

    @staticmethod
    def ceil(parts: list[Part]) -> tree.Binary:
        """`ceil(a / b)`."""
        return tree.Binary("ceil", parts[2], parts[4], _whole(parts))

    @staticmethod
    def parenthesised(parts: list[Part]) -> tree.Expression:
        """The expression between parentheses, which its span takes in."""
        inner: tree.Expression = parts[1]
        return inner.at(_whole(parts))

    @staticmethod
    def set(parts: list[Part]) -> tree.Set:
        """`{a, b}`."""
        return tree.Set(_nodes(parts), _whole(parts))

    @staticmethod
    def list(parts: list[Part]) -> tree.List:
        """`[a, b]`."""
        return tree.List(_nodes(parts), _whole(parts))
