"""Who owns which record in every small world of a stream: a table to look up, with nothing to compute.

The worlds are those of an iterable loader, whose workers are lanes: each owns a copy of the dataset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from epochproof.language.parse import parse
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import read_schedule

SIZES, RANKS, WORKERS, BATCHES = range(1, 13), range(1, 5), range(1, 4), range(1, 4)
"""What the numbers of a world may be."""

DEALS = {
    "slots": "shard(ranks * workers, tail = {tail})",
    "ranks": "shard(ranks, tail = {tail})",
    "workers": "shard(workers, tail = {tail})",
    "nobody": "copy(workers)",
}
"""To whom the records are dealt, and the stage that does it; the others read everything."""

TAILS, ENDS = ("pad", "drop", "uneven"), ("keep", "drop")
"""What becomes of the tail of a deal, and of the last batch of a worker."""

_SPEC = """edition 1
dataset records {{ size in 1.. }}
loader lab over records {{
  style = iterable
  ranks in 1..
  workers in 1..
  {deal}
  batch(in 1.., tail = {end})
}}
"""
_NAMES = ("records.size", "lab.ranks", "lab.workers", "lab.batch")


def written(deal: str, tail: str, end: str) -> str:
    """The spec of a world whose numbers are left free."""
    return _SPEC.format(deal=DEALS[deal].format(tail=tail), end=end)


def loader(deal: str, tail: str, end: str) -> Loader:
    """The loader of a world whose numbers are left free."""
    return read_schedule(parse(written(deal, tail, end))).loaders["lab"]


@cache
def worlds() -> Mapping[str, str]:
    """What each world delivers, as `_shown` writes it, by `deal tail end` and, between `;`, by its numbers.

    The numbers vary as `numbers` gives them.
    """
    return {" ".join(each): ";".join(_all(*each)) for each in product(DEALS, TAILS, ENDS)}


def numbers() -> Iterator[tuple[int, int, int, int]]:
    """Size, ranks, workers and batch of each world, in the order in which the table has them."""
    return product(SIZES, RANKS, WORKERS, BATCHES)


def _all(deal: str, tail: str, end: str) -> Iterator[str]:
    if deal == "nobody" and tail != TAILS[0]:
        return
    found = loader(deal, tail, end)
    compiled = Compiled(plan_of(found), found.epochs, _NAMES)
    for world in numbers():
        ranks = range(world[1])
        yield "|".join(_shown(compiled.lane(world, rank, 0)) for rank in ranks)


def _shown(lane: Delivered) -> str:
    """The steps of a rank: the number of its worker, then a letter for each record, a capital for padding."""
    steps: list[str] = [""] * lane.steps
    for record, padded, step, worker in zip(lane.records, lane.padded, lane.step, lane.worker, strict=True):
        letter = chr(ord("A" if padded else "a") + record)
        steps[step] = (steps[step] or str(worker)) + letter
    return " ".join(steps)


def residues(modulus: int, increment: int) -> tuple[int, ...]:
    """The counter of `modulus` slots from 0 on, until it is at 0 again: 0, 1, 2, 0 for 3 and 1."""
    found = [0]
    while len(found) == 1 or found[-1]:
        found.append((found[-1] + increment) % modulus)
    return tuple(found)
