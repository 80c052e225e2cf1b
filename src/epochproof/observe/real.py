"""The real loader, stage by stage: what each stage's own torch object makes of the stream above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from epochproof.schedule.loader import Loader
from epochproof.stage._stage import Reality, Stage, Stream, Waiting
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import Int, number

Values = Mapping[str, int]


@dataclass(frozen=True)
class Read:
    """What one rank really read in one epoch: records by step, and who built each batch.

    The last group may wait for the next epoch; `steps` does not count it. `built` is empty where no worker
    process ran.
    """

    groups: tuple[tuple[int, ...], ...]
    steps: int
    built: tuple[int, ...] = ()


class RealObject(Protocol):
    """Real objects that deliver what a loader delivers."""

    name: str

    def open(self, values: Values, rank: int, *, processes: bool = False) -> Callable[[int], Read]:
        """What `rank` reads in an epoch; the epochs are asked for in order."""


@dataclass(frozen=True)
class Reader:
    """Who reads: one rank of `ranks` and one of its `workers`, in an epoch; the first one is told `first`."""

    rank: int
    ranks: int
    epoch: int
    first: int = 0
    worker: int = 0
    workers: int = 1


class StageByStage:
    """Each stage's own object, one after the other; the workers of an iterable loader take turns."""

    name = "stage by stage"

    def __init__(self, torch: Any, loader: Loader) -> None:
        self._torch, self._numbers, self._iterable = torch, Numbers(loader), loader.iterable
        self._stages = [each.stage for each in loader.stages]
        self._persistent = loader.persistent

    def open(self, values: Values, rank: int, *, processes: bool = False) -> Callable[[int], Read]:
        """What `rank` reads in an epoch."""
        frozen = self._persistent and self._numbers.workers(values) > 0
        first = self._numbers.start_epoch(values)
        size, ranks = self._numbers.size(values), self._numbers.ranks(values)
        workers = max(1, self._numbers.workers(values)) if self._iterable else 1
        stages = list(zip(self._stages, self._numbers.options(values), strict=True))

        def lane(at: int, worker: int) -> Read:
            reader = Reader(rank, ranks, 0 if frozen else at, first, worker, workers)
            return as_read(*through(self._torch, stages, size, reader, processes=processes))

        def epoch(at: int) -> Read:
            return in_turn([lane(at, worker) for worker in range(workers)]) if self._iterable else lane(at, 0)

        return epoch


def through(
    torch: Any,
    stages: Sequence[tuple[Stage, Mapping[str, int]]],
    size: int,
    reader: Reader,
    *,
    processes: bool = False,
    stream: Stream | None = None,
) -> tuple[Stream, tuple[int, ...]]:
    """What the objects of some stages make of a stream, and which worker process built each batch.

    Args:
        torch: The module.
        stages: Each with the values of its options that are numbers.
        size: Records of the population.
        reader: Who reads, and in which epoch.
        processes: Whether stages with workers start them.
        stream: What they read; all records if `None`.
    """
    stream = list(range(size)) if stream is None else stream
    built: tuple[int, ...] = ()
    for stage, options in stages:
        reality = Reality(
            torch,
            reader.rank,
            reader.ranks,
            reader.epoch,
            options,
            processes=processes,
            worker=reader.worker,
            workers=reader.workers,
            first=reader.first,
        )
        stream = stage.real(stream, reality)
        built = tuple(reality.built) if processes and reality.built else built
    return stream, built


def in_turn(lanes: Sequence[Read]) -> Read:
    """What a loader yields of its workers' streams: in each round one step of each that still has one."""
    turns = [(at, worker, group) for worker, lane in enumerate(lanes) for at, group in enumerate(lane.groups)]
    turns.sort(key=lambda turn: turn[:2])
    groups = tuple(group for _, _, group in turns)
    return Read(groups, sum(each.steps for each in lanes), tuple(worker for _, worker, _ in turns))


def as_read(stream: Stream, built: Sequence[int] = ()) -> Read:
    """A stream of records, or of lists of them, as steps."""
    groups = tuple(tuple(each) if isinstance(each, list) else (each,) for each in stream)
    return Read(groups, len(groups) - bool(stream and isinstance(stream[-1], Waiting)), tuple(built))


class Numbers:
    """The numbers that a loader's real objects are built with."""

    def __init__(self, loader: Loader) -> None:
        self._size = _evaluator(loader.population.size)
        self._ranks, self._workers = _evaluator(loader.ranks), _evaluator(loader.workers)
        self._start_epoch = _evaluator(loader.start_epoch)
        self._options = [
            {name: _evaluator(term) for name, term in each.stage.numbers().items()} for each in loader.stages
        ]

    def size(self, values: Values) -> int:
        """Records of the population."""
        return self._size(values)

    def ranks(self, values: Values) -> int:
        """Ranks of the loader."""
        return self._ranks(values)

    def workers(self, values: Values) -> int:
        """Worker processes that the loader declares; of a map-style one, `fetch` says which it has."""
        return self._workers(values)

    def start_epoch(self, values: Values) -> int:
        """What samplers are told in the first epoch."""
        return self._start_epoch(values)

    def options(self, values: Values) -> list[dict[str, int]]:
        """For each stage, the value of each option that is a number."""
        return [{name: of(values) for name, of in each.items()} for each in self._options]


def _evaluator(term: Int) -> Callable[[Values], int]:
    names = sorted(variables(term))
    compiled = as_int(term, names)
    return lambda values: int(compiled(*(values[name] for name in names)))


def settled(loader: Loader, values: Values) -> Loader:
    """The loader with fixed numbers in place of the parameters that `values` gives."""
    return loader.with_values({name: number(value) for name, value in values.items()})
