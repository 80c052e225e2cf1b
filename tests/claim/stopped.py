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
    """A loader `l` over `d` that is stopped after some steps, and after so many `later` ones each time."""

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
    later: tuple[int, ...] = ()

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

    def position(self, after: int, most: int) -> int:
        """How many steps of each rank count as read when the run goes on, of so many that were left."""
        workers, prefetch = self.fetch or (0, 0)
        positions = {"consumed": after, "fetched": min(most, after + workers * prefetch), "epoch_start": 0}
        return positions[self.resume.get("position", "consumed")]

    def parts(self) -> list[Lanes]:
        """What is read before each stop, and after the last one."""
        run, lanes, left_out, found = self, self.run(), 0, []
        counts = "skip_all" if self.resume.get("counter") == "global" else "skip"
        for turn, after in enumerate((self.after, *self.later)):
            found.append([lane[:after] for lane in lanes])
            position = self.position(after, max(map(len, lanes)))
            left_out += position * run.of * (run.ranks if counts == "skip_all" else 1)
            run = run._going_on(turn, after)
            lanes = run.run(**{counts: left_out})
        return [*found, lanes]

    def _going_on(self, turn: int, after: int) -> Stopped:
        """The same loader in the new world."""
        other = replace(
            self, ranks=self.resume.get("ranks", self.ranks), of=self.resume.get("batch", self.of)
        )
        if self.stop is not None and self.resume.get("position") != "epoch_start":
            other = replace(other, stop=max(0, self.stop - after))
        if self.shuffle and self.resume.get("order") == "fresh":
            options = {**self.shuffle.options, "seed": (self.resume["seed"] + turn) % 5}
            other = replace(other, shuffle=replace(self.shuffle, options=options))
        return other

    @property
    def left(self) -> int:
        """The steps of the rank that has the most left after the last stop."""
        return max(map(len, self.parts()[-1]))

    def both_parts(self) -> Counter[int]:
        """How often each record is read in all parts together."""
        return sum(map(read, self.parts()), Counter())

    def _turns(self) -> dict[str, int]:
        """What differs from stop to stop, by name."""
        found: dict[str, int] = {}
        for turn, after in enumerate((self.after, *self.later)):
            suffix = f"_{turn + 1}" if turn else ""
            found[f"l.after{suffix}"] = after
            if self.later and "seed" in self.resume and self.shuffle:
                found[f"l.resumed.seed{suffix}"] = (self.resume["seed"] + turn) % 5
        return found

    def text(self, *claims: str, free: bool = False) -> str:
        """The spec, with these formulas as claims; `free` leaves the numbers open, and premises fix them."""
        resume = {**self.resume, "after": "any" if free else "in 0..9" if self.later else self.after}
        values = self._turns()
        if self.later:
            resume |= {"times": 1 + len(self.later), "seed": "any"}
        if free:
            values |= {"d.size": self.size, "l.ranks": self.ranks, "l.batch": self.of}
        for name in ("ranks", "batch"):
            if free and name in self.resume:
                values[f"l.resumed.{name}"] = self.resume[name]
        stages = [
            self.shuffle,
            self.deal and Written("shard", "ranks", {"layout": self.deal[0], "tail": self.deal[1]}),
            Written("batch", "in 1.." if free else self.of, {"tail": self.tail}),
            None if self.stop is None else Written("stop", options={"steps": self.stop}),
            self.fetch and Written("fetch", self.fetch[0], {"prefetch": self.fetch[1]}),
        ]
        resumed = str(Written("resume", options=resume)).replace("= in", "in")
        for name in ("ranks", "batch"):
            if free and name in self.resume:
                resumed = resumed.replace(f"{name} = {self.resume[name]}", f"{name} in 1..")
        lines = "\n".join(f"  {stage}" for stage in [*filter(None, stages), resumed])
        given = " given " + " and ".join(f"{name} == {value}" for name, value in values.items())
        fixed = "" if not free and not self.later else given
        proofs = "\n".join(f'prove "" : {claim}{fixed}' for claim in claims)
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
    for size, ranks, of in product(range(6 - len(like.later)), (1, 2, 3), (1, 2)):
        for others in product((1, 2, 3), repeat=len(changed)):
            resume = like.resume | dict(zip(changed, others, strict=True))
            run = replace(like, size=size, ranks=ranks, of=of, resume=resume, after=0, later=())
            stopped = [replace(run, after=after) for after in range(run.steps + 1)]
            for _ in like.later:
                stopped = [
                    replace(each, later=(*each.later, after))
                    for each in stopped
                    for after in range(each.left + 1)
                ]
            found += stopped
    return found


def again(runs: list[Stopped], *, twice: bool = True) -> list[Stopped]:
    """The runs, stopped once more, and some of them `twice`, after any of the steps that are left."""
    random = Random(len(runs))  # noqa: S311 -- a seeded choice
    for turn in range(1 + twice):
        for at in range(turn * len(runs) // 2, len(runs)):
            left = runs[at].left
            after = random.choice((0, left, random.randint(0, left)))
            runs[at] = replace(runs[at], later=(*runs[at].later, after))
    return runs
