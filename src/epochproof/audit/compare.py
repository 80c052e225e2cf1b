"""A trace beside its schedule: lane by lane in counts, and place by place where the counts differ.

What was read is compared with what was due as multisets of (epoch, record, rank, step, slot), of which ever
more coordinates are left out: what is equal without the slot but not with it is in another order, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import ibis
import numpy as np
import pyarrow as pa

from epochproof.audit.engine import Engine, bit_count, bit_or
from epochproof.audit.lanes import Lane, Lanes
from epochproof.audit.scheduled import WIDTH, bit, chunk

LANE = ("epoch", "rank", "lane")
PLACE = ("epoch", "rank", "step", "slot")
_SUMS = ("rows", "places", "right", "unmarked", "marked", "wrong_worker")


class Expected(Protocol):
    """Says what is due: `Scheduled` or `Enumerated`."""

    def places(self, chunks: Any) -> Any:
        """Every place of some chunks, with what is due there."""


@dataclass(frozen=True)
class Totals:
    """What was counted on a lane: `rows`, the `places` where they stand, and how many are right."""

    rows: int = 0
    places: int = 0
    right: int = 0
    unmarked: int = 0
    marked: int = 0
    wrong_worker: int = 0


class Comparison:
    """One trace beside what is expected of it; `seen` are its rows with what is due where they stand."""

    def __init__(self, engine: Engine, expected: Expected, lanes: Lanes, seen: Any) -> None:
        self.engine, self.expected, self.lanes, self.seen = engine, expected, lanes, seen
        self._chunks = _chunked(seen)
        self.totals = self._totals()
        self.bad = tuple(each for each in lanes.every if not self._is_right(each))

    @property
    def strays(self) -> int:
        """How many rows stand where the schedule has no place."""
        return self._of(None).rows

    @property
    def equal(self) -> bool:
        """Whether each place was read once, with the record that is due there, and nothing else was."""
        return not self.bad and not self.strays

    @property
    def doubled(self) -> int:
        """How many rows stand at a place that another row has, too."""
        return sum(each.rows - each.places for each in self.totals.values()) - self.strays

    def total(self, name: str) -> int:
        """A sum over all lanes."""
        return sum(getattr(each, name) for each in self.totals.values())

    def _totals(self) -> Mapping[tuple[int, int, int], Totals]:
        chunks = self._chunks.mutate(places=bit_count(self._chunks.bits))
        query = chunks.group_by(LANE).agg(**{name: chunks[name].sum() for name in _SUMS})
        return {
            tuple(row[name] for name in LANE): Totals(**{name: int(row[name]) for name in _SUMS})
            for row in self.engine.rows(query)
        }

    def _of(self, lane: Lane | None) -> Totals:
        key = (-1, -1, -1) if lane is None else (lane.epoch, lane.rank, lane.worker)
        return self.totals.get(key, Totals())

    def _is_right(self, lane: Lane) -> bool:
        found = self._of(lane)
        return found.rows == found.places == found.right == lane.due

    def unequal(self) -> Any:
        """The places and records that were read more or less often than they were due.

        Returns:
            Columns of the place, `record`, how often it was `found` there and how often it was `due`.
        """
        chunks = self.engine.kept(self._bad_chunks())
        due = self.expected.places(chunks)
        due = due.select(*PLACE, record=due.due, found=_zero(), due=_zero() + 1)
        seen = self.seen.mutate(chunk=chunk(self.seen.place))
        there = seen.semi_join(chunks, [*LANE, "chunk"])
        rows = there.union(seen.filter(~seen.fits)) if self.strays else there
        rows = rows.select(*PLACE, "record", found=_zero() + 1, due=_zero())
        every = rows.union(due)
        sums = every.group_by([*PLACE, "record"]).agg(found=every.found.sum(), due=every.due.sum())
        return self.engine.kept(sums.filter(sums.found != sums.due))

    def _bad_chunks(self) -> Any:
        due = self.engine.table(_chunks_of(self.bad))
        found = self._chunks.select(*LANE, "chunk", "rows", "right", "bits")
        both = due.left_join(found, [*LANE, "chunk"])
        whole = (both.rows == both.size) & (both.right == both.size) & (bit_count(both.bits) == both.size)
        return both.filter(~whole.coalesce(ibis.literal(value=False))).select(*LANE, "chunk", "low", "high")


def _zero() -> Any:
    return ibis.literal(0, type="int64")


def _chunked(seen: Any) -> Any:
    """The rows counted by chunks of their lane; those that fit nowhere are one chunk of no lane."""
    right = (seen.fits & (seen.record == seen.due)).coalesce(ibis.literal(value=False))
    wrong = (seen.worker >= 0) & (seen.worker != seen.by) & (seen.segment == 0)
    flags = {
        "right": right,
        "unmarked": right & seen.pads & ~seen.padded,
        "marked": right & ~seen.pads & seen.padded,
        "wrong_worker": seen.fits & wrong,
    }
    keyed = seen.mutate(
        **{name: ibis.ifelse(seen.fits, seen[name], -1) for name in ("epoch", "rank")},
        chunk=chunk(seen.place),
        bit=ibis.ifelse(seen.fits, bit(seen.place), 0),
        **{f"is_{name}": each for name, each in flags.items()},
    )
    return keyed.group_by([*LANE, "chunk"]).agg(
        rows=keyed.count(),
        bits=bit_or(keyed.bit),
        **{name: keyed[f"is_{name}"].sum().coalesce(0).cast("int64") for name in flags},
    )


def _chunks_of(lanes: tuple[Lane, ...]) -> pa.Table:
    """The chunks of some lanes, and how many places of each are due."""
    columns: dict[str, list[Any]] = {name: [] for name in (*LANE, "low", "high", "chunk", "size")}
    for lane in lanes:
        chunks = np.arange(lane.low // WIDTH, -(-lane.high // WIDTH), dtype=np.int64)
        ends = np.minimum(lane.high, (chunks + 1) * WIDTH)
        columns["chunk"].append(chunks)
        columns["size"].append(ends - np.maximum(lane.low, chunks * WIDTH))
        for name, value in zip((*LANE, "low", "high"), _values(lane), strict=True):
            columns[name].append(np.full(len(chunks), value, dtype=np.int64))
    empty = np.empty(0, dtype=np.int64)
    return pa.table({name: np.concatenate([empty, *each]) for name, each in columns.items()})


def _values(lane: Lane) -> Iterator[int]:
    yield from (lane.epoch, lane.rank, lane.worker, lane.low, lane.high)
