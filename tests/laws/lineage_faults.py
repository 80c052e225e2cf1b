"""Windows, splits and pairs of records with one fault each; each stands in the place of a method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from epochproof.claim._pair import Pair
from epochproof.model.lineage import Record, Windows, _below, same
from epochproof.model.split import Split
from epochproof.term.node import (
    Bool,
    Int,
    add,
    both,
    ceil_divide,
    choose,
    floor_divide,
    maximum,
    negate,
    number,
)

_CUT, _MADE = Split.cut, Windows.made


def stride_for_window(windows: Windows, record: Record, name: str, index: Int) -> Record:
    """Window and stride are swapped."""
    return _MADE(Windows(windows.of, windows.stride, windows.window), record, name, index)


def tail_kept(windows: Windows, record: Record, name: str, index: Int) -> Record:
    """A window that begins inside its source exists, whole or not."""
    start = record.start + index * windows.stride
    inside = both(index >= 0, start + 1 <= record.end)
    made = _below(record, windows.of, name, index, inside)
    return replace(made, start=start, end=start + windows.window)


def last_forgotten(windows: Windows, record: Record, name: str, index: Int) -> Record:
    """A window that ends with its source does not exist."""
    made = _MADE(windows, record, name, index)
    return replace(made, exists=both(made.exists, made.end + 1 <= record.end))


def counted_up(windows: Windows, frames: Int) -> Int:
    """Windows are counted rounding up."""
    return maximum(ceil_divide(frames - windows.window, windows.stride) + 1, 0)


def uncounted(windows: Windows, frames: Int) -> Int:
    """One window too few is counted."""
    return maximum(floor_divide(frames - windows.window, windows.stride), 0)


def floored(split: Split, at: int, values: Int) -> Int:
    """What is left of the shares is in no part."""
    share = split.shares[at][1]
    return floor_divide(values * share.numerator, share.denominator)


def rounded(split: Split, at: int, values: Int) -> Int:
    """Shares are rounded to the nearest."""
    share = split.shares[at][1]
    return floor_divide(values * (2 * share.numerator) + share.denominator, 2 * share.denominator)


def rest_to_the_last(split: Split, at: int, values: Int) -> Int:
    """The last part has all that is left."""
    floors = [floored(split, each, values) for each in range(len(split.shares))]
    return floors[at] + (values - add(*floors) if at == len(floors) - 1 else 0)


def rest_from_the_end(split: Split, at: int, values: Int) -> Int:
    """What is left goes to the last parts first."""
    floors = [floored(split, each, values) for each in range(len(split.shares))]
    return floors[at] + choose(values - add(*floors) >= len(floors) - at, 1, 0)


def gap_one_less(split: Split, at: int, length: Int) -> tuple[Int, Int]:
    """The gap is one frame too small."""
    low, high = _CUT(split, at, length)
    return (low - 1 if at else low), high


def gap_before(split: Split, at: int, length: Int) -> tuple[Int, Int]:
    """The gap is left out behind the last part, not before it."""
    low, high = _CUT(replace(split, gap=number(0)), at, length)
    return low, (high - split.gap if at == len(split.shares) - 1 else high)


def overlap_at_the_end(pair: Pair) -> Bool:
    """Frames that only touch overlap."""
    one, other = pair.records
    if pair.key.kind != "frames":
        return same(pair.key.of(one), pair.key.of(other))
    near = both(one.start <= other.end + pair.margin, other.start <= one.end + pair.margin)
    return both(pair.one_source, near)


def margin_forgotten(pair: Pair) -> Bool:
    """Frames have no margin."""
    return _MEETS(replace(pair, margin=number(0)))


def other_sources(pair: Pair) -> Bool:
    """Frames of different sources overlap."""
    one, other = pair.records
    if pair.key.kind != "frames":
        return same(pair.key.of(one), pair.key.of(other))
    return both(one.start + 1 <= other.end + pair.margin, other.start + 1 <= one.end + pair.margin)


def sides_of_records(pair: Pair) -> Iterator[Bool]:
    """Each record is on one side, not all that share its key."""
    one, other = pair.records
    yield negate(both(*(same(one.indices[name], other.indices[name]) for name in one.indices)))


def sides_forgotten(pair: Pair) -> Iterator[Bool]:
    """A value may be in two parts."""
    yield from ()


def shares_forgotten(pair: Pair) -> Bool:
    """Parts that have no values leak."""
    return both()


_MEETS = Pair.meets
