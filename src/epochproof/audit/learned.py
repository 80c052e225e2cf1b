"""An order that the spec leaves open, learned from the trace: it has to be one, and everywhere the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ibis

from epochproof.audit.compare import PLACE
from epochproof.audit.engine import Engine, bit_count, bit_or
from epochproof.audit.kinds import FIRST
from epochproof.audit.scheduled import Scheduled, bit, chunk
from epochproof.term.node import constant

NOBODY = -(2**62)
"""From here downwards stand for the records of positions that nobody read."""


@dataclass(frozen=True)
class Twice:
    """How often a record stands at a further position of one order, and the first `row` that shows it."""

    count: int
    row: dict[str, Any]


class Learned:
    """`Scheduled` with the order that the trace shows in place of the one that is open.

    Args:
        engine: Where queries run.
        scheduled: What is due, by positions in the order.
        rows: The rows of the trace.
    """

    def __init__(self, engine: Engine, scheduled: Scheduled, rows: Any) -> None:
        self._engine, self._scheduled, self._size = engine, scheduled, scheduled.world.size
        self._at = engine.view(scheduled.seen(rows))
        self._order: Any | None = None if self._is_one() else self._learned()

    def seen(self) -> Any:
        """The rows with the record that is due where they stand, if the trace shows one."""
        at = self._at
        if self._order is None:
            return at.mutate(due=at.record)
        return self._with_order(at, unread=ibis.null("int64"))

    def places(self, chunks: Any) -> Any:
        """Every place of some chunks; see `Scheduled`."""
        found = self._scheduled.places(chunks)
        if self._order is None:
            self._order = self._learned()
        return self._with_order(found, unread=NOBODY - ibis._.due)

    def twice(self) -> Twice | None:
        """A record that stands at two positions of one order; `None` where it is an order."""
        if self._order is None:
            return None
        order = self._order.mutate(key=self._key(self._order.at))
        many = order.group_by(["key", "item"]).agg(many=order.count(), least=order.at.min())
        many = self._engine.kept(many.filter(many.many > 1))
        extra = int(self._engine.rows((many.many - 1).sum().coalesce(0).name("n").as_table())[0]["n"])
        if not extra:
            return None
        at = self._at.filter(self._at.fits).mutate(key=self._key(self._at.due))
        later = at.inner_join(many, [at.key == many.key, at.record == many.item])
        later = later.filter(later.due > later.least).order_by(*FIRST).limit(1)
        return Twice(extra, self._engine.rows(later.select(*PLACE, "record"))[0])

    def _key(self, at: Any) -> Any:
        """The number of the order to which a position belongs."""
        return ((at - at % self._size) / self._size).cast("int64")

    def _is_one(self) -> bool:
        """Whether no two first places show one record, all are of the dataset, and padding repeats them.

        Two rows at one place are found by whoever counts the places.
        """
        at, plan = self._at, self._scheduled.world.plan
        if constant(plan.copies()) != 1 or plan.draws():
            return False
        first = at.fits & ~at.pads
        known = first & at.record.between(0, self._size - 1)
        record = ibis.ifelse(known, at.record, 0)
        keyed = at.mutate(
            key=self._key(ibis.ifelse(at.fits, at.due, 0)),
            chunk=chunk(record),
            bit=ibis.ifelse(known, bit(record), 0),
            is_first=first.cast("int64"),
            is_pad=(at.fits & at.pads).cast("int64"),
        )
        sums = keyed.group_by(["key", "chunk"]).agg(
            bits=bit_or(keyed.bit), first=keyed.is_first.sum(), pads=keyed.is_pad.sum()
        )
        query = sums.agg(n=bit_count(sums.bits).sum(), first=sums["first"].sum(), pads=sums.pads.sum())
        found = {name: int(value or 0) for name, value in self._engine.rows(query)[0].items()}
        return found["n"] == found["first"] and (not found["pads"] or self._padding_repeats(at.filter(first)))

    def _padding_repeats(self, first: Any) -> bool:
        pads = self._at.filter(self._at.fits & self._at.pads).select(place_="due", again="record")
        both = pads.left_join(first.select("due", "record"), pads.place_ == first.due)
        same = (both.again == both.record).coalesce(ibis.literal(value=False))
        return not self._engine.rows(both.filter(~same).count().name("n").as_table())[0]["n"]

    def _learned(self) -> Any:
        """At each position the record that the first place shows, on the first rank that reads it."""
        at = self._at.filter(self._at.fits)
        turn = at.pads.cast("int64") * self._scheduled.world.ranks + at.rank
        return self._engine.kept(at.group_by(at=at.due).agg(item=at.record.argmin(turn)))

    def _with_order(self, rows: Any, *, unread: Any) -> Any:
        """The rows with the record that stands at the position that is due, or what stands for `unread`."""
        order: Any = self._order
        found = rows.left_join(order, rows.due == order.at)
        columns = {name: found[name] for name in rows.columns}
        return found.select(**columns, item=found.item).mutate(due=ibis._.item.coalesce(unread)).drop("item")
