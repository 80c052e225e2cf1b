"""The lap vectors of a record are its deliveries, on ranks and on workers, however often it is dealt."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from epochproof.schedule.deliveries import TABLES
from epochproof.schedule.plan import Plan
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.node import number, variable
from tests.schedule.loaders import plan

MOST = 4
"""Laps that are looked at: no stage of these plans gives a position more, but for a few long paddings."""

NAMES = ("d.size", "l.ranks", "l.workers")
WORLDS = list(product((0, 1, 2, 5, 6), (1, 2, 3), (1, 2, 3)))

DEALS = (
    "shard(ranks, layout = {layout}, tail = {tail})",
    "shard(workers, layout = {layout}, tail = {tail})",
    "shard(ranks * workers, layout = {layout}, tail = {tail})",
    "shard(ranks * workers, layout = {layout}, tail = {tail}, id = worker_major)",
    "shuffle(seed = 3)",
    "shuffle(seed = 3, shared = false)",
)

Found = dict[tuple[int, ...], list[tuple[int, int, int]]]
"""For each record and its laps: the ranks, workers and positions that hold it."""


class Listed:
    """What the lists of a plan hold."""

    def __init__(self, of: Plan) -> None:
        lane, p = of.lane(), variable("p")
        terms = (of.record(p, lane), *of.laps(p, lane))
        self._rows = as_rows(terms, "p", of.length(lane), [*NAMES, "rank", "epoch", "worker"], TABLES)

    def found(self, size: int, ranks: int, workers: int) -> Found:
        found: Found = {}
        for rank, worker in product(range(ranks), range(workers)):
            for at, row in enumerate(self._rows(size, ranks, workers, rank, 0, worker)):
                if max(row[1:], default=0) < MOST:
                    found.setdefault(row, []).append((rank, worker, at))
        return found


class Witnessed:
    """What the conditions of a plan say of each record and its laps."""

    def __init__(self, of: Plan) -> None:
        names = ("record", *(f"lap{at}" for at in range(of.padding_stages())), "rank", "worker")
        record, *laps, rank, worker = map(variable, names)
        witness, self._laps = of.witness(record, laps, rank, number(0), worker), len(laps)
        inside = [*NAMES, *names]
        self._holds = as_int(witness.holds, inside, TABLES)
        self._lane = [as_int(term, inside, TABLES) for term in (witness.rank, witness.worker)]
        self._position = as_int(witness.position, inside, TABLES)

    def found(self, size: int, ranks: int, workers: int) -> Found:
        found: Found = {}
        lanes = list(product(range(ranks), range(workers)))
        for key in product(range(size), *[range(MOST)] * self._laps):
            for lane in lanes:
                values = (size, ranks, workers, *key, *lane)
                if self._holds(*values) and tuple(each(*values) for each in self._lane) == lane:
                    found.setdefault(key, []).append((*lane, self._position(*values)))
        return found


@pytest.mark.parametrize("seed", range(24))
def test_places_of_a_record_are_where_the_lists_hold_it(seed: int) -> None:
    random = Random(seed)  # noqa: S311 -- a seeded choice
    dealt = [
        deal.format(
            layout=random.choice(("strided", "blocked")), tail=random.choice(("pad", "drop", "uneven"))
        )
        for deal in random.sample(DEALS, random.randrange(1, 4))
    ]
    tail = random.choice(("keep", "drop", "pad"))
    stages = (*dealt, f"batch({random.randrange(1, 4)}, tail = {tail})")
    of = plan(None, "style = iterable", "ranks in 1..", "workers in 1..", *stages)
    listed, witnessed = Listed(of), Witnessed(of)

    for world in random.sample(WORLDS, 12):
        assert witnessed.found(*world) == listed.found(*world), (stages, world)
