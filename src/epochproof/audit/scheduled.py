"""What is due at each place, as expressions: the schedule's own terms, read where the rows are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.audit.as_ibis import NoExpression, as_ibis
from epochproof.audit.engine import Engine
from epochproof.audit.lanes import Lanes, turns
from epochproof.audit.orders import Positions, order
from epochproof.stage.shuffle import Shuffle
from epochproof.term.as_int import as_int
from epochproof.term.bounds import Interval
from epochproof.term.fold import variables
from epochproof.term.node import Bool, Int, either, variable

WIDTH = 30
"""So many places make a chunk, whose rows are counted together: one bit of a whole number each."""

MOST_LOOKED_UP = 50_000_000
"""So many positions of orders are looked up in memory; more are joined, which can spill to the disk."""

_MOST_TURNS = 5_000_000
"""So many turns of workers are listed."""

_PLACE, _STEP = variable("place"), variable("step")


def chunk(place: Any) -> Any:
    """The number of the chunk of a place."""
    return ((place - place % WIDTH) / WIDTH).cast("int64")


def bit(place: Any) -> Any:
    """The bit of a place in its chunk."""
    return ibis.literal(1) << (place % WIDTH)


class Scheduled:
    """The places of a world, and the record and the worker that are due at each.

    Where the seed of the first shuffle is open, `open_order` holds, and `at` is the position in the order
    instead of the record.

    Raises:
        NoExpression: No expressions say what is due.
    """

    def __init__(self, engine: Engine, lanes: Lanes) -> None:
        self.engine, self.lanes, self.world = engine, lanes, lanes.world
        plan = self.world.plan
        self._lane = plan.lane()
        self._heres = plan.heres(self._lane)
        self._last = self._heres[-1].steps
        self._ranges: dict[str, Interval] = {
            "rank": (0, max(0, self.world.ranks - 1)),
            "worker": (0, max(0, self.world.workers - 1)),
            "epoch": (0, max(0, lanes.epochs - 1)),
            "step": (0, max(0, lanes.most_steps)),
            "place": (0, max(0, lanes.longest)),
        }
        first = plan.stages[0] if plan.stages else None
        self.open_order = isinstance(first, Shuffle) and bool(self._open(first.seed))
        opened = variables(*(term for at, each in enumerate(plan.stages) for term in _seeds(at, each)))
        if opened & self.world.open:
            raise NoExpression("an order that is open is dealt with after other stages")
        self._orders = {
            at: self._order(stage, at)
            for at, stage in enumerate(plan.stages)
            if isinstance(stage, Shuffle) and not (at == 0 and self.open_order)
        }
        self._turns = None if self.world.workers == 1 or lanes.even else self._turn_table()

    def seen(self, rows: Any) -> Any:
        """The rows with what is due where they stand.

        Returns:
            Further columns: `lane` and `place`; `fits`, if there is such a place; `due`, `pads` and `by`.
        """
        world, lanes = self.world, self.lanes
        inside = (
            rows.epoch.between(0, lanes.epochs - 1)
            & rows.rank.between(0, world.ranks - 1)
            & rows.step.between(0, lanes.most_steps - 1)
            & rows.slot.between(0, lanes.longest - 1)
        )
        known = rows.mutate(fits=inside)
        safe = {name: ibis.ifelse(known.fits, known[name], 0) for name in ("epoch", "rank", "step", "slot")}
        known = self._with_turns(known.mutate(**{f"_{name}": each for name, each in safe.items()}))
        columns = self._columns(known)
        start = as_ibis(self._last.before(_STEP), {**columns, "step": known.own}, self._ranges)
        known = known.mutate(place=(start + known["_slot"]).cast("int64"))
        columns = {**self._columns(known), "place": known.place, "step": known.own}
        length = as_ibis(self._heres[-1].n, columns, self._ranges)
        fits = known.fits & (known.place < length)
        if self._heres[-1].n is not self._last.before(_STEP):
            ranges = {**self._ranges, "place": (0, 2 * max(1, lanes.longest))}
            fits = fits & (as_ibis(self._last.of(_PLACE), columns, ranges) == known.own)
        known = known.mutate(fits=fits)
        known = known.mutate(
            place=ibis.ifelse(known.fits, known.place, 0), lane=ibis.ifelse(known.fits, known.lane, -1)
        )
        return self._with_record(known)

    def places(self, chunks: Any) -> Any:
        """Every place of some chunks, with what is due there.

        Args:
            chunks: Columns `epoch`, `rank`, `lane`, `chunk`, and the `low` and `high` end of the lane.
        """
        bits = self.engine.table(pa.table({"bit": pa.array(range(WIDTH), pa.int64())}))
        found = chunks.cross_join(bits)
        found = found.mutate(place=found.chunk * WIDTH + found.bit)
        found = found.filter(found.place >= found.low, found.place < found.high)
        found = found.mutate(_epoch=found.epoch, _rank=found.rank)
        columns = {**self._columns(found), "place": found.place}
        found = found.mutate(own=as_ibis(self._last.of(_PLACE), columns, self._ranges).cast("int64"))
        columns = {**self._columns(found), "step": found.own}
        before = as_ibis(self._last.before(_STEP), columns, self._ranges)
        found = found.mutate(slot=(found.place - before).cast("int64"))
        found = self._with_steps(found)
        return self._with_record(found)

    def _columns(self, table: Any) -> Mapping[str, Any]:
        return {"epoch": table["_epoch"], "rank": table["_rank"], "worker": table.lane}

    def _with_turns(self, rows: Any) -> Any:
        """Whose turn the step of each row is, and which of the worker's `own` steps."""
        workers = self.world.workers
        if workers == 1:
            return rows.mutate(lane=ibis.literal(0, type="int64"), own=rows["_step"])
        if self._turns is None:
            lane = rows["_step"] % workers
            return rows.mutate(lane=lane, own=((rows["_step"] - lane) / workers).cast("int64"))
        turns, shapes = self._turns
        shaped = rows.left_join(shapes, [rows["_epoch"] == shapes.e, rows["_rank"] == shapes.r])
        found = shaped.left_join(turns, [shaped.shape == turns.shape, shaped["_step"] == turns.turn])
        columns = {name: found[name] for name in rows.columns if name != "fits"}
        return found.select(
            **columns,
            fits=found.fits & found.who.notnull(),
            lane=found.who.coalesce(0),
            own=found.mine.coalesce(0),
        )

    def _with_steps(self, places: Any) -> Any:
        """The step of the rank that each worker's own step is."""
        workers = self.world.workers
        if workers == 1:
            return places.mutate(step=places.own)
        if self._turns is None:
            return places.mutate(step=places.own * workers + places.lane)
        turns, shapes = self._turns
        shaped = places.left_join(shapes, [places["_epoch"] == shapes.e, places["_rank"] == shapes.r])
        found = shaped.left_join(
            turns, [shaped.shape == turns.shape, shaped.lane == turns.who, shaped.own == turns.mine]
        )
        return found.select(**{name: found[name] for name in places.columns}, step=found.turn)

    def _turn_table(self) -> tuple[Any, Any]:
        every = self.lanes.shapes()
        many = sum(map(sum, every)) if every else 0
        if many > _MOST_TURNS:
            raise NoExpression("the workers have very different numbers of steps")
        alike = not {"rank", "epoch"} & variables(self.world.plan.steps(self._lane))
        whole = [(epoch, rank) for epoch in range(self.lanes.epochs) for rank in range(self.world.ranks)]
        table = [
            (shape, turn, who, mine)
            for shape, steps in enumerate(every)
            for turn, (who, mine) in enumerate(turns(steps))
        ]
        placed = [
            (epoch, rank, shape)
            for shape, ranks in enumerate(every.values())
            for epoch, rank in (whole if alike else ranks)
        ]
        return _table(self.engine, "shape turn who mine", table), _table(self.engine, "e r shape", placed)

    def _with_record(self, rows: Any) -> Any:
        """The columns `due`, `pads` and `by`: the record, whether it is padding, and the worker."""
        plan, laps = self.world.plan, list[Bool]()
        rows = rows.mutate(**{f"q{len(plan.stages)}": rows.place})
        for at in reversed(range(len(plan.stages))):
            stage, here, after = plan.stages[at], self._heres[at], variable(f"q{at + 1}")
            if stage.pads() and not stage.repeats():
                laps.append(stage.lap(after, here) >= 1)
            rows = self._sourced(rows, at)
        values = {
            **self._columns(rows),
            **{name: rows[name] for name in rows.columns if name.startswith("q")},
        }
        pads = as_ibis(either(*laps), values, self._bounds()) if laps else ibis.literal(value=False)
        kept = {name: rows[name] for name in rows.columns if name not in self._inner()}
        return rows.select(**kept, due=rows.q0, pads=pads, by=self._worker(rows))

    def _inner(self) -> set[str]:
        return {f"q{at}" for at in range(len(self.world.plan.stages) + 1)}

    def _bounds(self) -> dict[str, Interval]:
        most = max(self.lanes.longest, self.world.size, 1) * max(1, self.world.ranks * self.world.workers) * 2
        return self._ranges | {f"q{at}": (0, most) for at in range(len(self.world.plan.stages) + 1)}

    def _sourced(self, rows: Any, at: int) -> Any:
        """The rows with the position as it was before stage `at`."""
        stage, here, after = self.world.plan.stages[at], self._heres[at], f"q{at + 1}"
        if isinstance(stage, Shuffle):
            return self._ordered(rows, stage, at)
        source = stage.source(variable(after), here)
        values = {**self._columns(rows), after: rows[after]}
        return rows.mutate(**{f"q{at}": as_ibis(source, values, self._bounds()).cast("int64")})

    def _ordered(self, rows: Any, stage: Shuffle, at: int) -> Any:
        index = self._index(rows, stage) * self._length(at) + rows[f"q{at + 1}"]
        if at not in self._orders:
            return rows.mutate(q0=index)
        if callable(self._orders[at]):
            return rows.mutate(**{f"q{at}": self._orders[at](index)})
        table = self._orders[at].rename(**{f"k{at}": "at", f"q{at}": "item"})
        joined = rows.mutate(**{f"j{at}": index})
        found = joined.left_join(table, joined[f"j{at}"] == table[f"k{at}"])
        return found.select(**{name: found[name] for name in rows.columns}, **{f"q{at}": found[f"q{at}"]})

    def _index(self, rows: Any, stage: Shuffle) -> Any:
        """The number of the order that is meant: by epoch, and by rank where each has its own."""
        index: Any = ibis.literal(0, type="int64")
        if stage.reseed == "epoch":
            index = as_ibis(self.world.plan.reaches(variable("epoch")), self._columns(rows), self._ranges)
        return index if stage.shared else index * self.world.ranks + rows["_rank"]

    def _length(self, at: int) -> int:
        length = self._heres[at].n
        if variables(length):
            raise NoExpression("each rank shuffles a stream of its own length")
        return self.world.number(length)

    def _order(self, stage: Shuffle, at: int) -> Any:
        """What stands at a position, key after key: a function, or a table of `at` and `item`."""
        length, here = self._length(at), self._heres[at]
        key = as_int(stage.key(here), ["epoch"])
        epochs = range(self.lanes.epochs if stage.reseed == "epoch" else 1)
        streams = [0] if stage.shared else [rank + 1 for rank in range(self.world.ranks)]
        try:
            items = (order(int(key(epoch)), stream, length) for epoch in epochs for stream in streams)
            if length * len(epochs) * len(streams) <= MOST_LOOKED_UP and self.engine.looks_up:
                return self.engine.looked_up(np.concatenate([np.empty(0, dtype=np.int64), *items]))
            return self.engine.parquet(self._written(items))
        except ValueError as error:
            raise NoExpression(str(error)) from None

    def _written(self, orders: Iterator[Positions]) -> Path:
        file, start = self.engine.file(), 0
        schema = pa.schema([("at", pa.int64()), ("item", pa.int64())])
        with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
            for items in orders:
                at = np.arange(start, start + len(items), dtype=np.int64)
                writer.write_table(pa.table({"at": at, "item": items}, schema=schema))
                start += len(items)
        return file

    def _worker(self, rows: Any) -> Any:
        """The worker that builds the step; nothing where the spec does not say."""
        if self.world.plan.iterable:
            return rows.lane
        terms = [term for each in self.world.plan.stages if (term := each.worker(_STEP)) is not None]
        if not terms:
            return ibis.null("int64")
        step = rows["_step"] if "_step" in rows.columns else rows.step
        return as_ibis(terms[-1], {"step": step}, self._ranges)

    def _open(self, *terms: Int) -> set[str]:
        return variables(*terms) & self.world.open


def _seeds(at: int, stage: Any) -> list[Int]:
    """The seeds of a stage, but for those of a first shuffle."""
    return [] if at == 0 and isinstance(stage, Shuffle) else list(stage.numbers().values())


def _table(engine: Engine, names: str, rows: Sequence[tuple[int, ...]]) -> Any:
    columns = zip(*rows, strict=True) if rows else [[] for _ in names.split()]
    arrays = (pa.array(list(each), pa.int64()) for each in columns)
    return engine.table(pa.table(dict(zip(names.split(), arrays, strict=True))))
