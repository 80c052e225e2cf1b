"""Where two loaders differ in one world: the first place, and the records not read equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.schedule.deliveries import Delivered, Lists


@dataclass(frozen=True)
class Moved:
    """The first place, by step, rank and slot, that holds another record; `None` where there is no place."""

    epoch: int
    rank: int
    step: int
    slot: int
    old: int | None
    new: int | None


@dataclass(frozen=True)
class Counts:
    """How often each record is read, first and then, where that differs."""

    times: Mapping[int, tuple[int, int]]

    @property
    def gone(self) -> dict[int, tuple[int, int]]:
        """Those that are read no more."""
        return {record: each for record, each in self.times.items() if each[1] == 0}

    @property
    def come(self) -> dict[int, tuple[int, int]]:
        """Those that were not read."""
        return {record: each for record, each in self.times.items() if each[0] == 0}

    @property
    def fewer(self) -> dict[int, tuple[int, int]]:
        """Those that are read less often, but read."""
        return {record: each for record, each in self.times.items() if 0 < each[1] < each[0]}

    @property
    def more(self) -> dict[int, tuple[int, int]]:
        """Those that were read, and are read more often."""
        return {record: each for record, each in self.times.items() if 0 < each[0] < each[1]}


def counted_apart(one: Counter[int], other: Counter[int]) -> Counts:
    """The records that are not counted equally often."""
    records = sorted({*one, *other})
    return Counts({each: (one[each], other[each]) for each in records if one[each] != other[each]})


def first_moved(old: Lists, new: Lists, epoch: int) -> Moved | None:
    """The first place of an epoch at which the loaders read different records."""
    one, other = _places(old, epoch), _places(new, epoch)
    for step, rank, slot in sorted({*one, *other}):
        at = step, rank, slot
        if one.get(at) != other.get(at):
            return Moved(epoch, rank, step, slot, one.get(at), other.get(at))
    return None


def _places(lists: Lists, epoch: int) -> dict[tuple[int, int, int], int]:
    return {
        (step, rank, slot): record
        for rank, lane in enumerate(lists.epoch(epoch))
        for step, slot, record in _slots(lane)
    }


def _slots(lane: Delivered) -> list[tuple[int, int, int]]:
    """Step, slot and record of each position."""
    seen: Counter[int] = Counter()
    found = []
    for step, record in zip(lane.step, lane.records, strict=True):
        found.append((step, seen[step], record))
        seen[step] += 1
    return found
