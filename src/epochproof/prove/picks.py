"""What is known of a sequence of picks: each source is taken again and again, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import cast

from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, add, apply, both, equal, iff, implies, maximum, within


def known(condition: Term) -> Iterator[Bool]:
    """Facts about the picks that the condition names: they are the laws of a cycle.

    That a source is taken again after the end of a mix changes nothing.
    """
    before, turns = _applied(condition, "picks_before"), _applied(condition, "pick_of")
    yield from _counted(before)
    yield from _ordered(before, turns)
    for turn in turns:
        yield from _one_pick(turn)
    for taken in _applied(condition, "source_of"):
        yield from _one_turn(taken)


def _counted(before: list[Int]) -> Iterator[Bool]:
    """A source is not taken more often than there are picks; all together, where all are named, as often."""
    alike: dict[tuple[Term, ...], list[Int]] = {}
    for taken in before:
        yield within(0, taken, maximum(_last(taken), 0) + 1)
        alike.setdefault((*taken.args[:-2], taken.args[-1]), []).append(taken)
    for (*key, t), each in alike.items():
        if len(each) == len(key) - 2:
            yield implies(cast("Int", t) >= 0, equal(add(*each), cast("Int", t)))


def _ordered(before: list[Int], turns: list[Int]) -> Iterator[Bool]:
    """Turns of a source rise, and as many come before a pick as it was taken by then."""
    for turn in turns:
        yield implies(_last(turn) >= 0, turn >= _last(turn))
        for taken in before:
            if taken.args[:-1] == turn.args[:-1]:
                once = iff(_last(turn) < taken, turn < _last(taken))
                again = implies(_last(turn) + 1 < taken, turn + 1 < _last(taken))
                yield implies(both(_last(turn) >= 0, _last(taken) >= 0), both(once, again))
    for one, other in combinations(turns, 2):
        if one.args[:-1] == other.args[:-1]:
            rising = iff(_last(one) < _last(other), one < other)
            yield implies(both(_last(one) >= 0, _last(other) >= 0), rising)


def _one_pick(turn: Int) -> Iterator[Bool]:
    """A turn of a source is a pick of it, and the source was taken so often before."""
    *key, source, j = cast("tuple[Int, ...]", turn.args)
    before = apply("picks_before", *key, source, turn)
    yield implies(j >= 0, both(equal(apply("source_of", *key, turn), source), equal(before, j)))


def _one_turn(taken: Int) -> Iterator[Bool]:
    """A pick takes one of the sources, and is the turn that comes after those before it."""
    *key, p = cast("tuple[Int, ...]", taken.args)
    sources = range(len(key) - 2)
    turns = [apply("pick_of", *key, each, apply("picks_before", *key, each, p)) for each in sources]
    back = both(*(implies(equal(taken, each), equal(turns[each], p)) for each in sources))
    yield implies(p >= 0, both(within(0, taken, len(sources)), back))


def _applied(condition: Term, function: str) -> list[Int]:
    found = [each for each in postorder(condition) if each.op is Op.APPLY and each.value == function]
    return cast("list[Int]", found)


def _last(term: Int) -> Int:
    return cast("Int", term.args[-1])
