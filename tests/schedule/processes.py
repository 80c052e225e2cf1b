"""Processes that count what is drawn from them, run by hand, and what the model says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from epochproof.schedule.deliveries import TABLES
from epochproof.schedule.draws import augment_of, draw
from epochproof.schedule.plan import Plan
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.node import variable
from tests.worlds import Marked

MAIN, PROCESS, RECORD = 0, 1, 2
EPOCHS = 3

Sample = tuple[int, int, int, int]
"""Whose state, which seed, how many were drawn from it before, and the worker that draws."""


def base(epoch: int, process: int) -> int:
    """The base seed that a process draws in an epoch."""
    return 1000 * (epoch + 1) + 70 * process


def apart(epoch: int, process: int, worker: int) -> int:
    """A stream of its own for each worker of each process in each epoch."""
    return 10**6 + 10_000 * epoch + 100 * process + worker


SEEDS: Mapping[str, Callable[..., int]] = {"base": base, "stream": apart}


class Drawing:
    """What the samples of a plan draw, compiled once for all values of its free parameters `names`."""

    def __init__(self, of: Plan, *names: str) -> None:
        stage, lane = augment_of(of), of.lane()
        assert stage is not None
        drawn = draw(of, stage, variable("p"), lane)
        inside, functions = [*names, "rank", "epoch", "worker"], {**TABLES, **SEEDS}
        self._rows = as_rows((*drawn.key, drawn.worker), "p", of.length(lane), inside, functions)
        self._workers = as_int(of.workers, names)

    def samples(self, *values: int, rank: int = 0, epoch: int = 0) -> list[Sample]:
        """What each position of the rank draws, worker by worker."""
        workers = range(self._workers(*values))
        return [sample for each in workers for sample in self._rows(*values, rank, epoch, each)]


@dataclass
class Process:
    """A process with a random state: how often it was drawn from since it was seeded."""

    kind: int
    seed: int
    drawn: int = 0

    def sample(self, worker: int) -> Sample:
        before, self.drawn = self.drawn, self.drawn + 1
        return self.kind, self.seed, before, worker


def started(workers: int, epoch: int, rank: int, process_seed: str) -> list[Process]:
    """The workers that a rank starts in an epoch."""
    process = 0 if process_seed == "same" else rank
    if process_seed == "independent":
        return [Process(PROCESS, apart(epoch, process, worker)) for worker in range(workers)]
    return [Process(PROCESS, base(epoch, process) + worker) for worker in range(workers)]


def mapped(
    batches: list[Marked], workers: int, rank: int, process_seed: str, *, persistent: bool
) -> Iterator[list[Sample]]:
    """Epoch after epoch what the samples draw: batch b is built by worker b % W, or by the main process."""
    main = Process(MAIN, 0 if process_seed == "same" else rank)
    processes = started(workers, 0, rank, process_seed)
    for epoch in range(EPOCHS):
        if not persistent:
            processes = started(workers, epoch, rank, process_seed)
        yield [
            processes[at % workers].sample(at % workers) if workers else main.sample(0)
            for at, batch in enumerate(batches)
            for _ in batch
        ]
