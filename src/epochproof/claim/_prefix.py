"""The first occurrences of an epoch, in the order in which all ranks read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from epochproof.schedule.deliveries import Delivered, Lists


class Prefix:
    """The first occurrences of an epoch; `grow` adds the next one, and what was asked before is kept."""

    def __init__(self, lists: Lists, epoch: int) -> None:
        self._records, self.length = in_order(lists.epoch(epoch)), 0
        self._read: dict[range, tuple[int, int]] = {}
        self._counted, self._counts = 0, Counter[int]()

    def grow(self) -> bool:
        """Adds the next occurrence, and says whether there was one."""
        more = self.length < len(self._records)
        self.length += more
        return more

    @property
    def records(self) -> list[int]:
        """The records that were read."""
        return self._records[: self.length]

    def read(self, members: range | None) -> int:
        """How many of the occurrences hold one of the members, all of them without any."""
        if members is None:
            return self.length
        at, found = self._read.get(members, (0, 0))
        found += sum(record in members for record in self._records[at : self.length])
        self._read[members] = self.length, found
        return found

    def counts(self) -> Counter[int]:
        """How often each record was read."""
        self._counts.update(self._records[self._counted : self.length])
        self._counted = self.length
        return self._counts


def in_order(lanes: list[Delivered]) -> list[int]:
    """The records of the ranks of an epoch by step, slot and rank."""
    places = sorted(place for rank, lane in enumerate(lanes) for place in _places(rank, lane))
    return [record for *_, record in places]


def _places(rank: int, lane: Delivered) -> Iterator[tuple[int, int, int, int]]:
    slot, before = 0, -1
    for step, record in zip(lane.step, lane.records, strict=True):
        slot = slot + 1 if step == before else 0
        before = step
        yield step, slot, rank, record
