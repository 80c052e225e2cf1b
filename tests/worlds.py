"""Small worlds as a person would run them: lists that are copied, cut and sliced, without a term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice, pairwise, product
from random import Random
from typing import Any

from epochproof.stage._drawn import stand_in, uniform, weighted
from epochproof.stage._permutation import own_seed, randperm, twister

Marked = list[tuple[int, bool]]
"""Records, each with whether it is padding."""


@dataclass(frozen=True)
class Written:
    """One stage of a spec: its name, its first argument, and its options."""

    name: str
    first: int | str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = [f"{key} = {str(value).lower()}" for key, value in self.options.items()]
        return f"{self.name}({', '.join([str(self.first)] * (self.first != '') + options)})"

    def option(self, name: str, default: Any) -> Any:
        """The option, or what it is where it is not written."""
        return self.options.get(name, default)


def shard(layout: str = "strided", tail: str = "pad") -> Written:
    return Written("shard", "ranks", {"layout": layout, "tail": tail})


def batch(size: int | str, tail: str = "keep") -> Written:
    return Written("batch", size, {"tail": tail})


@dataclass(frozen=True)
class Read:
    """What one rank reads in one epoch, and how its positions are grouped."""

    marked: Marked
    step: list[int]
    steps: int

    @property
    def records(self) -> list[int]:
        return [record for record, _ in self.marked]

    @property
    def padding(self) -> int:
        return sum(padded for _, padded in self.marked)


@dataclass(frozen=True)
class World:
    """A loader `l` over a dataset `d`, every number fixed."""

    size: int
    ranks: int
    stages: tuple[Written, ...]
    epochs: int = 1

    def lane(self, epoch: int, rank: int) -> Read:
        """What the rank reads in the epoch."""
        groups: list[Marked] = [[(record, False)] for record in range(self.size)]
        waiting = 0
        for stage in self.stages:
            flat = [each for group in groups for each in group]
            if stage.name == "shuffle":
                groups = [[flat[at]] for at in shuffled(stage, len(flat), epoch, rank)]
            elif stage.name == "draw":
                groups = [[flat[at]] for at in drawn(stage, len(flat), epoch, rank)]
            elif stage.name in ("shard", "deal"):
                groups = [[each] for each in dealt(stage, flat, self.ranks)[rank]]
            elif stage.name == "batch":
                groups = batched(flat, int(stage.first), stage.option("tail", "keep"))
            elif stage.name == "accumulate":
                waiting = epoch * len(groups) % int(stage.first)
                groups = accumulated(groups, int(stage.first), stage.option("tail", "keep"), waiting)
            elif stage.name == "stop":
                groups = groups[: stage.options["steps"]]
        steps = [at for at, group in enumerate(groups) for _ in group]
        return Read([each for group in groups for each in group], steps, self._whole(groups, epoch, rank))

    def _whole(self, groups: list[Marked], epoch: int, rank: int) -> int:
        """The steps of the epoch: all groups, and of carried ones those that are full by its end."""
        carry = next((each for each in self.stages if each.option("tail", "") == "carry"), None)
        if carry is None:
            return len(groups)
        above = replace(self, stages=self.stages[: self.stages.index(carry)]).lane(epoch, rank).steps
        done = [(each * above) // int(carry.first) for each in (epoch, epoch + 1)]
        return done[1] - done[0]

    def epoch(self, epoch: int) -> list[Read]:
        """What each rank reads in the epoch."""
        return [self.lane(epoch, rank) for rank in range(self.ranks)]

    def window(self, window: str) -> Iterator[list[Read]]:
        """The lanes of each window there is: each epoch, the run, each rank of each epoch."""
        every = [self.epoch(epoch) for epoch in range(self.epochs)]
        if window == "run":
            yield [lane for lanes in every for lane in lanes]
        elif window == "rank":
            yield from ([lane] for lanes in every for lane in lanes)
        elif window == "run, rank":
            yield from ([lanes[rank] for lanes in every] for rank in range(self.ranks))
        else:
            yield from every

    def text(self, *claims: str) -> str:
        """The spec of the world, with these formulas as claims."""
        proofs = "\n".join(f'prove "{at}" : {claim}' for at, claim in enumerate(claims))
        return f"edition 1\n{self.blocks('l')}{proofs}\n"

    def blocks(self, name: str) -> str:
        """The dataset and the loader of the world; loader `l` reads `d`, another one `d_<name>`."""
        dataset = "d" if name == "l" else f"d_{name}"
        stages = "\n".join(f"  {stage}" for stage in self.stages)
        return (
            f"dataset {dataset} {{ size = {self.size} }}\nloader {name} over {dataset} {{\n"
            f"  ranks = {self.ranks}\n  epochs = {self.epochs}\n{stages}\n}}\n"
        )


def shuffled(stage: Written, n: int, epoch: int, rank: int) -> list[int]:
    """The order that the generator of the stage's key draws."""
    key = int(stage.option("seed", 0)) + (epoch if stage.option("reseed", "epoch") == "epoch" else 0)
    return randperm(n, key if stage.option("shared", default=True) else own_seed(key, rank + 1))


def drawn(stage: Written, size: int, epoch: int, rank: int) -> list[int]:
    """What the sampler of the stage's key draws from so many."""
    key = int(stage.option("seed", 0)) + (epoch if stage.option("reseed", "epoch") == "epoch" else 0)
    key = key if stage.option("shared", default=True) else own_seed(key, rank + 1)
    n = size if stage.first == "" else int(stage.first)
    if size == 0:
        return []
    if stage.option("replacement", default=True):
        column = int(stage.option("column", -1))
        return uniform(n, size, key) if column < 0 else weighted(n, stand_in(column, size), key)
    words, order = twister(key), list[int]()
    while len(order) < n:
        whole = list(range(size))
        for at in range(size - 1):
            other = at + words.getrandbits(32) % (size - at)
            whole[at], whole[other] = whole[other], whole[at]
        order += whole
    return order[:n]


def dealt(stage: Written, stream: Marked, ranks: int) -> list[Marked]:
    """What each rank gets of the stream."""
    tail = stage.options["tail"]
    if stage.name == "deal":
        return in_blocks(stream, ranks, stage.options["block"], tail)
    return sharded(stream, ranks, stage.options["layout"], tail)


def sharded(stream: Marked, ranks: int, layout: str, tail: str) -> list[Marked]:
    """What each rank gets of the stream."""
    per = -(-len(stream) // ranks)
    if tail == "drop":
        per = len(stream) // ranks
        stream = stream[: per * ranks]
    elif tail == "pad":
        stream = extended(stream, per * ranks)
    if layout == "strided":
        return [stream[rank::ranks] for rank in range(ranks)]
    if layout == "balanced":
        starts = [rank * (len(stream) // ranks) + min(rank, len(stream) % ranks) for rank in range(ranks + 1)]
        return [stream[one:next_one] for one, next_one in pairwise(starts)]
    return [stream[rank * per : (rank + 1) * per] for rank in range(ranks)]


def in_blocks(stream: Marked, ranks: int, block: int, tail: str) -> list[Marked]:
    """What each rank gets of the stream, block by block; what is left in the end as the tail says."""
    whole = len(stream) // (ranks * block) * ranks * block
    if tail == "drop":
        stream = stream[:whole]
    elif tail == "pad" or (tail == "even" and ranks > 1):
        stream = extended(stream, -(-len(stream) // (ranks * block)) * ranks * block)
    elif tail == "spread":
        stream = extended(stream, -(-len(stream) // ranks) * ranks)
    blocks = chunks(stream[:whole] if tail == "spread" else stream, block)
    lanes = [[each for own in blocks[rank::ranks] for each in own] for rank in range(ranks)]
    if tail == "spread":
        share = (len(stream) - whole) // ranks
        for rank, lane in enumerate(lanes):
            lane.extend(stream[whole + rank * share : whole + (rank + 1) * share])
    return lanes


def batched(stream: Marked, size: int, tail: str) -> list[Marked]:
    """The batches of a lane."""
    if tail == "pad":
        stream = extended(stream, -(-len(stream) // size) * size)
    groups = chunks(stream, size)
    return [group for group in groups if len(group) == size] if tail == "drop" else groups


def extended(stream: Marked, length: int) -> Marked:
    """The stream, and then the stream again as padding, as often as it takes."""
    again = cycle([(record, True) for record, _ in stream])
    return stream + list(islice(again, length - len(stream)))


def accumulated(groups: list[Marked], size: int, tail: str, waiting: int) -> list[Marked]:
    """The optimizer steps: with `carry`, `waiting` batches of the epochs before are in the first."""
    before: list[Marked] = [[]] * waiting if tail == "carry" else []
    return [
        [each for group in some for each in group]
        for some in chunks([*before, *groups], size)
        if tail != "drop" or len(some) == size
    ]


def chunks(items: Sequence[Any], size: int) -> list[Any]:
    """Runs of `size` items, the last one perhaps shorter."""
    return [list(items[at : at + size]) for at in range(0, len(items), size)]


def counts(lanes: Sequence[Read]) -> Counter[int]:
    """How often each record is read on these lanes."""
    return Counter(record for lane in lanes for record in lane.records)


SHARDS = [shard(layout, tail) for layout in ("strided", "blocked") for tail in ("pad", "drop", "uneven")]
TAILS = ("keep", "drop", "pad")
SHUFFLES = [
    (),
    (Written("shuffle", options={"seed": 5}),),
    (Written("shuffle", options={"seed": 5, "reseed": "never"}),),
    (Written("shuffle", options={"seed": 5, "shared": False}),),
]


def every_world() -> list[World]:
    """Sizes 0 to 6, ranks 1 to 4, batches 1 to 3, all tails and layouts, some shuffled or stopped."""
    random, found = Random(7), []  # noqa: S311 -- a seeded choice
    for size, ranks, of, dealt, tail in product(range(7), range(1, 5), range(1, 4), SHARDS, TAILS):
        shuffle, epochs = random.choice(SHUFFLES), random.choice((1, 1, 2, 3))
        below = random.choice(
            [(), (), (), (Written("stop", options={"steps": random.randrange(4)}),), _again(random)]
        )
        found.append(World(size, ranks, (*shuffle, dealt, batch(of, tail), *below), epochs))
    return found


def _again(random: Random) -> tuple[Written, ...]:
    tail = random.choice(("keep", "drop", "carry"))
    return (Written("accumulate", random.randrange(1, 4), {"tail": tail}),)


def odd_worlds() -> list[World]:
    """Loaders that nothing deals, that are dealt twice, or that batch nothing."""
    twice = [(one, other, batch(2, "drop")) for one in SHARDS[:3] for other in SHARDS[:3]]
    alone: list[tuple[Written, ...]] = [(batch(2, tail),) for tail in TAILS]
    none: list[tuple[Written, ...]] = [(), *((each,) for each in SHARDS)]
    own = Written("shuffle", options={"seed": 5, "shared": False})
    alone += [(own, batch(2, tail)) for tail in TAILS] + [(each, own, batch(2, "drop")) for each in SHARDS]
    return [
        World(size, ranks, stages)
        for size in range(6)
        for ranks in range(1, 4)
        for stages in twice + alone + none
    ]


def some(worlds: list[World], name: str, most: int) -> list[World]:
    """So many of the worlds, other ones for each name."""
    return Random(name).sample(worlds, min(most, len(worlds)))  # noqa: S311 -- a seeded choice
