"""What is known of a sequence of picks: each source is taken again and again, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, add, both, equal, iff, implies, maximum, within


def known(condition: Term) -> Iterator[Bool]:
    """Facts about the picks that the condition names.

    Source s is taken for the time j before pick t exactly if it was taken more than j times by then; all
    sources together were taken t times. That a source is taken again after the end of a mix changes nothing.
    """
    before, turns = _applied(condition, "picks_before"), _applied(condition, "pick_of")
    for taken in before:
        yield within(0, taken, maximum(_last(taken), 0) + 1)
    for turn in turns:
        yield implies(_last(turn) >= 0, turn >= _last(turn))
        for taken in before:
            if taken.args[:-1] == turn.args[:-1]:
                once = iff(_last(turn) < taken, turn < _last(taken))
                again = implies(_last(turn) + 1 < taken, turn + 1 < _last(taken))
                yield implies(both(_last(turn) >= 0, _last(taken) >= 0), both(once, again))
    yield from _together(before)


def _together(before: list[Int]) -> Iterator[Bool]:
    """The sources of one sequence were taken as often as there were picks, where all are named."""
    alike: dict[tuple[Term, ...], list[Int]] = {}
    for taken in before:
        alike.setdefault((*taken.args[:-2], taken.args[-1]), []).append(taken)
    for (*key, t), each in alike.items():
        if len(each) == len(key) - 2:
            yield implies(cast("Int", t) >= 0, equal(add(*each), cast("Int", t)))


def _applied(condition: Term, function: str) -> list[Int]:
    found = [each for each in postorder(condition) if each.op is Op.APPLY and each.value == function]
    return cast("list[Int]", found)


def _last(term: Int) -> Int:
    return cast("Int", term.args[-1])
