"""Random terms, each with its value as plain Python computes it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from epochproof.term import node
from epochproof.term.node import Bool, Int, Term

Values = Mapping[str, int]
NAMES = ("a", "b", "c", "d")
POSITIVE = ("c", "d")
"""Those of the names that are divisors, so always at least 1."""


@dataclass(frozen=True)
class Sample:
    """A term, and the value it should have."""

    term: Term
    value: Callable[[Values], Any]

    @property
    def int(self) -> Int:
        return cast("Int", self.term)

    @property
    def bool(self) -> Bool:
        return cast("Bool", self.term)


def world(pick: Random, most: int = 12) -> dict[str, int]:
    """A value for each name."""
    return {name: pick.randint(1 if name in POSITIVE else -most, most) for name in NAMES}


def integer(pick: Random, depth: int, constants: int = 6) -> Sample:
    """A random integer; constants are at most `constants` away from 0."""
    if depth == 0 or pick.random() < 0.15:
        return _leaf(pick, constants)
    head = pick.choice(("+", "+", "-", "*", "//", "%", "choose", "min", "max", "ceil", "negative"))
    one = integer(pick, depth - 1, constants)
    if head in ("//", "%", "ceil"):
        return _divided(head, one, divisor(pick))
    if head == "negative":
        return Sample(-one.int, lambda at: -one.value(at))
    other = integer(pick, depth - 1, constants)
    if head == "choose":
        when = condition(pick, depth - 1, constants)
        return Sample(
            node.choose(when.bool, one.int, other.int),
            lambda at: one.value(at) if when.value(at) else other.value(at),
        )
    return _joined(head, one, other)


def _leaf(pick: Random, constants: int) -> Sample:
    if pick.random() < 0.6:
        name = pick.choice(NAMES)
        return Sample(node.variable(name), lambda at: at[name])
    value = pick.randint(-constants, constants)
    return Sample(node.number(value), lambda _: value)


def divisor(pick: Random) -> Sample:
    """An integer that is at least 1: a number, a name, or a product of two."""
    name, other, value = pick.choice(POSITIVE), pick.choice(POSITIVE), pick.randint(1, 5)
    return pick.choice((
        Sample(node.number(value), lambda _: value),
        Sample(node.variable(name), lambda at: at[name]),
        Sample(node.variable(name) * node.variable(other), lambda at: at[name] * at[other]),
    ))  # fmt: skip


def _divided(head: str, one: Sample, by: Sample) -> Sample:
    if head == "//":
        return Sample(one.int // by.int, lambda at: one.value(at) // by.value(at))
    if head == "%":
        return Sample(one.int % by.int, lambda at: one.value(at) % by.value(at))
    return Sample(node.ceil_divide(one.int, by.int), lambda at: -(-one.value(at) // by.value(at)))


def _joined(head: str, one: Sample, other: Sample) -> Sample:
    if head == "+":
        return Sample(one.int + other.int, lambda at: one.value(at) + other.value(at))
    if head == "-":
        return Sample(one.int - other.int, lambda at: one.value(at) - other.value(at))
    if head == "*":
        return Sample(one.int * other.int, lambda at: one.value(at) * other.value(at))
    if head == "min":
        return Sample(node.minimum(one.int, other.int), lambda at: min(one.value(at), other.value(at)))
    return Sample(node.maximum(one.int, other.int), lambda at: max(one.value(at), other.value(at)))


def condition(pick: Random, depth: int, constants: int = 6) -> Sample:
    """A random condition."""
    if depth <= 1 or pick.random() < 0.4:
        return _comparison(pick, max(depth - 1, 0), constants)
    one, other = condition(pick, depth - 1, constants), condition(pick, depth - 1, constants)
    head = pick.choice(("both", "either", "not", "implies", "iff"))
    if head == "both":
        return Sample(node.both(one.bool, other.bool), lambda at: one.value(at) and other.value(at))
    if head == "either":
        return Sample(node.either(one.bool, other.bool), lambda at: one.value(at) or other.value(at))
    if head == "not":
        return Sample(node.negate(one.bool), lambda at: not one.value(at))
    if head == "implies":
        return Sample(node.implies(one.bool, other.bool), lambda at: not one.value(at) or other.value(at))
    return Sample(node.iff(one.bool, other.bool), lambda at: one.value(at) == other.value(at))


COMPARISONS: tuple[tuple[Callable[[Int, Int], Bool], Callable[[int, int], bool]], ...] = (
    (operator.le, operator.le),
    (operator.lt, operator.lt),
    (operator.ge, operator.ge),
    (operator.gt, operator.gt),
    (node.equal, operator.eq),
    (node.differ, operator.ne),
    (lambda a, b: node.within(0, a, b), lambda a, b: 0 <= a < b),
)


def _comparison(pick: Random, depth: int, constants: int) -> Sample:
    one, other = integer(pick, depth, constants), integer(pick, depth, constants)
    built, holds = pick.choice(COMPARISONS)
    return Sample(built(one.int, other.int), lambda at: holds(one.value(at), other.value(at)))
