"""Loaders whose samples draw random numbers, as a person would run them: counters that workers increment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from tests.worlds import Written, batched, chunks, sharded, shuffled


@dataclass(frozen=True)
class Sample:
    """Where a sample is read, by which worker, and its stream with its place in it."""

    epoch: int
    rank: int
    worker: int
    step: int
    stream: tuple[Any, ...]
    drawn: int


@dataclass(frozen=True)
class Drawing:
    """A loader `l` that augments, every number fixed."""

    size: int
    ranks: int
    of: int
    workers: int
    process_seed: str = "same"
    stream: str = "worker"
    epochs: int = 1
    persistent: bool = False
    iterable: bool = False
    accumulated: int = 1

    def samples(self) -> list[Sample]:
        """All samples, in the order in which their rank reads them."""
        drawn, found = Counter[tuple[Any, ...]](), []
        for epoch, rank in product(range(self.epochs), range(self.ranks)):
            for step, (worker, records) in enumerate(self._batches(epoch, rank)):
                for record in records:
                    source = self._source(epoch, rank, worker)
                    stream = ("record", record) if self.stream == "record" else source
                    place = 0 if self.stream == "record" else drawn[rank, source]
                    found.append(Sample(epoch, rank, worker, step // self.accumulated, stream, place))
                    drawn[rank, source] += 1
        return found

    def _source(self, epoch: int, rank: int, worker: int) -> tuple[Any, ...]:
        """Whose state is used up: the main process's, which goes on, or that of a worker process."""
        process = 0 if self.process_seed == "same" else rank
        if not self.workers:
            return "main", process
        return "worker", (0 if self.persistent else epoch, process), worker

    def _batches(self, epoch: int, rank: int) -> list[tuple[int, list[int]]]:
        """Each batch of the rank, with the worker that builds it."""
        if self.iterable:
            lanes = [list(range(slot, self.size, self._slots)) for slot in self._of_rank(rank)]
            batches = [chunks(lane, self.of) for lane in lanes]
            longest = max(map(len, batches))
            return [(w, own[at]) for at in range(longest) for w, own in enumerate(batches) if at < len(own)]
        order = shuffled(Written("shuffle", options={"seed": 2}), self.size, epoch, 0)
        lane = sharded([(record, False) for record in order], self.ranks, "strided", "pad")[rank]
        groups = batched(lane, self.of, "keep")
        return [(at % max(self.workers, 1), [record for record, _ in each]) for at, each in enumerate(groups)]

    @property
    def _slots(self) -> int:
        return self.ranks * max(self.workers, 1)

    def _of_rank(self, rank: int) -> range:
        each = max(self.workers, 1)
        return range(rank * each, rank * each + each)

    def text(self, *claims: str, workers: str = "") -> str:
        """The spec, with these formulas as claims."""
        lanes = [f"ranks = {self.ranks}", workers or f"workers = {self.workers}"]
        return spec((f"size = {self.size}", *lanes, str(self.of), f"epochs = {self.epochs}"), self, *claims)


def spec(numbers: Sequence[str], like: Drawing, *claims: str) -> str:
    """A spec with the stages of the loader, and this size, ranks, workers, batch and epochs."""
    size, ranks, workers, of, epochs = numbers
    drawn = Written("augment", options={"stream": like.stream, "process_seed": like.process_seed})
    stages: list[object] = ["shuffle(seed = 2)", "shard(ranks)", f"batch({of})"]
    stages.append(Written("fetch", "workers", {"persistent": True} if like.persistent else {}))
    if like.accumulated > 1:
        stages.append(f"accumulate({like.accumulated})")
    if like.iterable:
        stages = ["style = iterable", "shard(ranks * workers)", f"batch({of})"]
    lines = "\n".join(f"  {each}" for each in [ranks, workers, epochs, *stages, drawn])
    proofs = "\n".join(f'prove "" : {claim}' for claim in claims)
    return f"edition 1\ndataset d {{ {size} }}\nloader l over d {{\n{lines}\n}}\n{proofs}\n"


def may_agree(one: Sample, other: Sample, process_seed: str) -> bool:
    """Whether both can draw the same numbers, for some different base seeds."""
    if one.drawn != other.drawn or one.stream[0] != other.stream[0]:
        return False
    if one.stream[0] != "worker" or one.stream[1] == other.stream[1]:
        return one.stream == other.stream
    return process_seed != "independent" and one.worker != other.worker


def distinct(run: Drawing, axis: str) -> bool:
    """Whether samples that differ along the axis never draw the same."""
    apart: dict[str, Callable[[Sample, Sample], bool]] = {
        "ranks": lambda a, b: a.epoch == b.epoch and a.rank != b.rank,
        "workers": lambda a, b: (a.epoch, a.rank) == (b.epoch, b.rank) and a.worker != b.worker,
        "epochs": lambda a, b: a.epoch != b.epoch,
    }
    pairs = combinations(run.samples(), 2)
    return not any(apart[axis](a, b) and may_agree(a, b, run.process_seed) for a, b in pairs)


def sequence(run: Drawing) -> list[tuple[Any, ...]]:
    """What is drawn at each coordinate of the first epoch."""
    return [(each.rank, each.step, each.stream, each.drawn) for each in run.samples() if each.epoch == 0]
