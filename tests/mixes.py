"""Mixes as a person would draw them: lists that are popped until one, or each, is empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from tests.worlds import SHARDS, TAILS, Read, World, Written, batch

Record = tuple[str, int]
"""A source and an index in it."""

PICKS = ("round_robin", "greedy")
STOPS = ("first_exhausted", "all_exhausted", "forever")


def drawn(
    sources: Mapping[str, Sequence[Record]], weights: Mapping[str, int], pick: str, stop: str, most: int
) -> list[Record]:
    """What is drawn; `most` records of a mix that never ends."""
    left = {name: list(records) for name, records in sources.items()}
    emptied, had, found = set[str](), Counter[str](), list[Record]()
    exhausted = 1 if stop == "first_exhausted" else len(left)
    turns = turned(weights) if pick == "round_robin" else None
    while len(found) < most or stop != "forever":
        name = next(turns) if turns else lagging(weights, had)
        found.append(left[name].pop(0))
        had[name] += 1
        if not left[name]:
            emptied.add(name)
            left[name] = list(sources[name])
        if stop != "forever" and len(emptied) >= exhausted:
            return found
    return found


def turned(weights: Mapping[str, int]) -> Iterator[str]:
    """Each source as often in a row as it weighs."""
    while True:
        for name, weight in weights.items():
            for _ in range(weight):
                yield name


def lagging(weights: Mapping[str, int], had: Counter[str]) -> str:
    """The first of the sources whose share of one draw more is missing most of what it should have had."""
    n, total = had.total(), sum(weights.values())
    return max(weights, key=lambda name: weights[name] * (n + 1) - total * had[name])


@dataclass(frozen=True)
class Mixed:
    """A loader `l` over a mix `m` of datasets, every number fixed."""

    sizes: Mapping[str, int]
    weights: Mapping[str, int]
    pick: str
    stop: str
    ranks: int
    stages: tuple[Written, ...]
    steps: int = 3
    """After so many a loader over a mix that never ends is stopped."""

    @property
    def records(self) -> list[Record]:
        """All records, in the order of their numbers."""
        return [(name, at) for name, size in self.sizes.items() for at in range(size)]

    def lanes(self) -> list[Read]:
        """What each rank reads, by the numbers of the picks."""
        stop = (Written("stop", options={"steps": self.steps}),) if self.stop == "forever" else ()
        return World(len(self.picks()), self.ranks, (*self.stages, *stop)).epoch(0)

    def picks(self) -> list[Record]:
        """What the mix draws; of one that never ends, more than is ever read."""
        sources = {name: [(name, at) for at in range(size)] for name, size in self.sizes.items()}
        return drawn(sources, self.weights, self.pick, self.stop, self._most())

    def _most(self) -> int:
        per = next((int(each.first) for each in self.stages if each.name == "batch"), 1)
        return self.steps * per * self.ranks

    def read(self) -> list[Record]:
        """What all ranks read, by step, slot and rank."""
        picks, found = self.picks(), list[tuple[int, int, int, Record]]()
        for rank, lane in enumerate(self.lanes()):
            for at, (pick, step) in enumerate(zip(lane.records, lane.step, strict=True)):
                found.append((step, at - lane.step.index(step), rank, picks[pick]))
        return [record for *_, record in sorted(found)]

    @property
    def padding(self) -> int:
        """How many occurrences are padding."""
        return sum(lane.padding for lane in self.lanes())

    def text(self, *claims: str) -> str:
        """The spec, with these formulas as claims."""
        proofs = "\n".join(f'prove "{at}" : {claim}' for at, claim in enumerate(claims))
        return f"edition 1\n{self.blocks(self.sizes)}\n{proofs}\n"

    def blocks(self, sizes: Mapping[str, object], dataset: str = "size = {}") -> str:
        """The datasets, the mix and the loader."""
        datasets = [f"dataset {name} {{ {dataset.format(size)} }}" for name, size in sizes.items()]
        shares = ", ".join(f"{name} = {weight}" for name, weight in self.weights.items())
        stop = [f"  stop({self.steps})"] if self.stop == "forever" else []
        return "\n".join(
            [
                *datasets,
                f"mix m {{ {shares}, pick = {self.pick}, stop = {self.stop} }}",
                "loader l over m {",
                f"  ranks = {self.ranks}",
                *(f"  {stage}" for stage in self.stages),
                *stop,
                "}",
            ]
        )


def every_mix() -> list[Mixed]:
    """Two and three small sources, all picks and stops, on one rank and on several."""
    random, found = Random(11), []  # noqa: S311 -- a seeded choice
    for pick, stop, a, b, c in product(PICKS, STOPS, range(1, 5), range(1, 4), range(3)):
        sizes = {"a": a, "b": b, "c": c} if c else {"a": a, "b": b}
        weights = {name: random.randrange(1, 4) for name in sizes}
        ranks, deal = random.randrange(1, 4), random.choice(SHARDS[:3])
        alone: tuple[Written, ...] = (batch(random.randrange(1, 4), random.choice(TAILS)),)
        shuffle = (Written("shuffle", options={"seed": 5}),) if random.random() < 0.2 else ()
        stages = (*shuffle, deal, *alone) if ranks > 1 else (*shuffle, *alone)
        found.append(Mixed(sizes, weights, pick, stop, ranks, stages if stop != "forever" else stages[-1:]))
    return found


def some(name: str, most: int) -> list[Mixed]:
    """So many of them, other ones for each name."""
    return Random(name).sample(every_mix(), most)  # noqa: S311 -- a seeded choice
