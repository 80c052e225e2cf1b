"""Runs that are stopped and go on, as a person would run them: lists that are cut, skipped and dealt anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import Any

from tests.worlds import Marked, Written, batched, sharded, shuffled

Lanes = list[list[Marked]]
"""For each rank its batches."""


@dataclass(frozen=True)
class Stopped:
    """A loader `l` over `d` that is stopped after some steps, every number fixed."""

    size: int
    ranks: int = 1
    of: int = 1
    after: int = 0
    shuffle: Written | None = None
    deal: tuple[str, str] | None = ("strided", "pad")
    tail: str = "keep"
    fetch: tuple[int, int] | None = None
    stop: int | None = None
    resume: dict[str, Any] = field(default_factory=dict)

    def run(self, *, skip: int = 0, skip_all: int = 0) -> Lanes:
        """The batches of each rank, without the first positions of each rank, or of all together."""
        stream: Marked = [(record, False) for record in range(self.size)]
        if self.shuffle:
            stream = [stream[at] for at in shuffled(self.shuffle, self.size, 0, 0)]
        stream = stream[skip_all:]
        lanes = sharded(stream, self.ranks, *self.deal) if self.deal else [stream] * self.ranks
        return [batched(lane[skip:], self.of, self.tail)[: self.stop] for lane in lanes]

    @property
    def steps(self) -> int:
        """The steps of the rank with the most."""
        return max(map(len, self.run()))

    def depends_on_an_order(self, found: set[int]) -> bool:
        """Whether the content of a permutation decides what is `found`: the rules know nothing of it."""
        fresh, some = self.resume.get("order") == "fresh", 0 < len(found) < self.size
        return self.shuffle is not None and (fresh or some or self.stop is not None)

    def position(self) -> int:
        """How many steps of each rank count as read when the run goes on."""
        workers, prefetch = self.fetch or (0, 0)
        ahead = min(self.steps, self.after + workers * prefetch)
        positions = {"consumed": self.after, "fetched": ahead, "epoch_start": 0}
        return positions[self.resume.get("position", "consumed")]

    def resumed(self) -> Lanes:
        """What is read after the interruption."""
        skipped = self.position() * self.of
        other = replace(
            self, ranks=self.resume.get("ranks", self.ranks), of=self.resume.get("batch", self.of)
        )
        if self.stop is not None and self.resume.get("position") != "epoch_start":
            other = replace(other, stop=max(0, self.stop - self.after))
        if self.shuffle and self.resume.get("order") == "fresh":
            options = {**self.shuffle.options, "seed": self.resume["seed"]}
            other = replace(other, shuffle=replace(self.shuffle, options=options))
        if self.resume.get("counter") == "global":
            return other.run(skip_all=skipped * self.ranks)
        return other.run(skip=skipped)

    def both_parts(self) -> Counter[int]:
        """How often each record is read before and after."""
        return read([lane[: self.after] for lane in self.run()]) + read(self.resumed())

    def text(self, *claims: str, free: bool = False) -> str:
        """The spec, with these formulas as claims; `free` leaves the numbers open, and premises fix them."""
        resume = {**self.resume, "after": "any" if free else self.after}
        values = {"d.size": self.size, "l.ranks": self.ranks, "l.batch": self.of, "l.after": self.after}
        for name in ("ranks", "batch"):
            if name in self.resume:
                values[f"l.resumed.{name}"] = self.resume[name]
        stages = [
            self.shuffle,
            self.deal and Written("shard", "ranks", {"layout": self.deal[0], "tail": self.deal[1]}),
            Written("batch", "in 1.." if free else self.of, {"tail": self.tail}),
            None if self.stop is None else Written("stop", options={"steps": self.stop}),
            self.fetch and Written("fetch", self.fetch[0], {"prefetch": self.fetch[1]}),
        ]
        resumed = str(Written("resume", options=resume))
        for name in ("ranks", "batch"):
            if free and name in self.resume:
                resumed = resumed.replace(f"{name} = {self.resume[name]}", f"{name} in 1..")
        lines = "\n".join(f"  {stage}" for stage in [*filter(None, stages), resumed])
        given = " given " + " and ".join(f"{name} == {value}" for name, value in values.items())
        proofs = "\n".join(f'prove "" : {claim}{given if free else ""}' for claim in claims)
        size, ranks = ("in 0..", "in 1..") if free else (f"= {self.size}", f"= {self.ranks}")
        head = f"edition 1\ndataset d {{ size {size} }}\nloader l over d {{\n  ranks {ranks}\n"
        return f"{head}{lines}\n}}\n{proofs}\n"


def read(lanes: Lanes) -> Counter[int]:
    """How often each record is read, padding not counted."""
    return Counter(record for lane in lanes for group in lane for record, padded in group if not padded)


ORDERS = (None, Written("shuffle", options={"seed": 3}))
DEALS = (None, *product(("strided", "blocked"), ("pad", "drop", "uneven")))
TAILS = ("keep", "drop", "pad")
FETCHES = (None, (0, 2), (1, 1), (2, 1), (1, 3))
OTHERS: tuple[dict[str, int], ...] = (
    {},
    {"ranks": 1},
    {"ranks": 3},
    {"batch": 1},
    {"batch": 2},
    {"ranks": 2, "batch": 3},
)


def worlds(name: str, most: int) -> list[Stopped]:
    """So many runs of all kinds, stopped after every number of steps, the last and none among them."""
    random = Random(name)  # noqa: S311 -- a seeded choice
    found: list[Stopped] = []
    while len(found) < most:
        shuffle, deal, tail = random.choice(ORDERS), random.choice(DEALS), random.choice(TAILS)
        resume: dict[str, Any] = {
            "position": random.choice(("consumed", "consumed", "fetched", "epoch_start")),
            "order": random.choice(("same", "same", "fresh")),
            "counter": "global" if deal and random.random() < 0.4 else "rank",
            **random.choice(OTHERS),
        }
        if resume["order"] == "fresh":
            resume["seed"] = 4
        run = Stopped(
            random.randrange(8), random.choice((1, 2, 3)), random.choice((1, 2, 3)), 0,
            shuffle, deal, tail, random.choice(FETCHES), random.choice((None, None, 2)), resume,
        )  # fmt: skip
        found.append(replace(run, after=random.choice((0, run.steps, random.randint(0, run.steps)))))
    return found


def all_small(like: Stopped) -> list[Stopped]:
    """The same stages in every small world that the run can be stopped in."""
    changed = [name for name in ("ranks", "batch") if name in like.resume]
    found: list[Stopped] = []
    for size, ranks, of in product(range(6), (1, 2, 3), (1, 2)):
        for others in product((1, 2, 3), repeat=len(changed)):
            resume = like.resume | dict(zip(changed, others, strict=True))
            run = replace(like, size=size, ranks=ranks, of=of, resume=resume, after=0)
            found += [replace(run, after=after) for after in range(run.steps + 1)]
    return found
