"""A stage's own terms, run as lists, to be compared with lists that a test writes by hand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TypeVar

from epochproof.schedule.deliveries import TABLES
from epochproof.stage._stage import SINGLE, Here, Lane, Stage, Steps
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.node import Int, number, variable
from tests.worlds import Marked

S = TypeVar("S", bound=Stage)

LAPS = 12
"""More laps than any list of these tests has."""


def here(
    n: int,
    rank: int = 0,
    ranks: int = 1,
    epoch: int = 0,
    above: Steps = SINGLE,
    *,
    worker: int = 0,
    workers: int = 1,
) -> Here:
    """One lane of n positions."""
    lane = Lane(number(rank), number(ranks), number(worker), number(workers), number(epoch), number(epoch))
    return Here(number(n), lane, above)


def built(kind: type[S], **options: object) -> S:
    """A stage with these options, whatever they hold."""
    return kind(**options)


def value(term: Int) -> int:
    """The value of a term without variables."""
    return int(as_int(term, [], TABLES)())


def read(stage: Stage, lane: Here) -> Marked:
    """The input position of each output position, and whether it is padding."""
    p = variable("p")
    rows = as_rows((stage.source(p, lane), stage.lap(p, lane)), "p", stage.length(lane), [], TABLES)()
    return [(source, lap >= 1) for source, lap in rows]


def places(stage: Stage, lane: Here) -> Mapping[tuple[int, int], tuple[int, int, int]]:
    """For each (input position, lap) that goes anywhere: (rank, worker, output position)."""
    found = {}
    for lap, q in product(range(LAPS), range(value(lane.n))):
        place = stage.place(number(q), number(lap), lane)
        if as_int(place.holds, [], TABLES)():
            rank = lane.lane.rank if place.rank is None else place.rank
            worker = lane.lane.worker if place.worker is None else place.worker
            found[q, lap] = (value(rank), value(worker), value(place.position))
    return found


def grouped(stage: Stage, lane: Here) -> list[list[int]]:
    """The output positions, put into the lists of their steps."""
    steps = stage.grouped(lane)
    groups: dict[int, list[int]] = {}
    for p in range(value(stage.length(lane))):
        groups.setdefault(value(steps.of(number(p))), []).append(p)
    return [groups[step] for step in sorted(groups)]
