"""Where two loaders differ in one world: the first place, and the records not read equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from epochproof.schedule.deliveries import Delivered, Lists
from epochproof.schedule.plan import Plan


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


def drawn_otherwise(old: Plan, new: Plan) -> str:
    """Why a number is another record in the new plan's mix than in the old one's; empty if it is not."""
    one, other = old.mixing, new.mixing
    if one is None or other is None:
        return "" if one is other else "only one of them draws from a mix"
    before, after = one.leaves(), other.leaves()
    names, then = ([name for name, _ in each] for each in (before, after))
    if names != then:
        return f"it draws from {_listed(then)} in place of {_listed(names)}"
    moved = [name for (name, was), (_, size) in zip(before, after, strict=True) if size is not was]
    return f"{_listed(moved)} of its mix has another size" if moved else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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
