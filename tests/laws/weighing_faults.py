"""What occurrences weigh, with one fault each; each stands in the place of a function of `_weighing`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from epochproof.claim import _weighing
from epochproof.claim._quantity import Seen
from epochproof.claim._quotient import Value

_MASKED, _SHARES = _weighing._masked, _weighing._shares

Weights = Iterator[tuple[int, Value]]


def like_anything(seen: Seen, padding: Fraction) -> Weights:
    """Padding weighs as much as anything."""
    return _MASKED(seen, Fraction(1))


def the_last_ones(seen: Seen, padding: Fraction) -> Weights:
    """The last position of each rank is taken for padding."""
    for epoch in seen.epochs():
        for lane in seen.lanes(epoch):
            last = len(lane.records) - 1
            yield from ((each, padding if at == last else 1) for at, each in enumerate(lane.records))


def any_repeat(seen: Seen, padding: Fraction) -> Weights:
    """A record that padding repeats weighs nothing at all."""
    padded = {
        record
        for epoch in seen.epochs()
        for lane in seen.lanes(epoch)
        for record, pads in zip(lane.records, lane.padded, strict=True)
        if pads
    }
    return ((record, 0 if record in padded else weight) for record, weight in _MASKED(seen, padding))


def on_one_rank(seen: Seen) -> Weights:
    """Only the first rank is summed over."""
    return _SHARES(replace(seen, rank=True, this_rank=0))


def before_the_last_stage(seen: Seen) -> Weights:
    """The multiplicity is that before the last stage."""
    short = seen.lists.variant(replace(seen.lists.plan, stages=seen.lists.plan.stages[:-2]))
    return _by(seen, short.counts(seen.this_epoch))


def of_the_rank(seen: Seen) -> Weights:
    """The multiplicity is that on the rank."""
    for epoch in seen.epochs():
        for lane in seen.lanes(epoch):
            yield from ((record, Fraction(1)) for record in set(lane.records))


def of_the_run(seen: Seen) -> Weights:
    """The multiplicity is that of all epochs."""
    return _by(seen, seen.lists.run_counts)


def _by(seen: Seen, every: Counter[int]) -> Weights:
    for epoch in seen.epochs():
        for lane in seen.lanes(epoch):
            yield from ((record, Fraction(1, every[record] or 1)) for record in lane.records)
