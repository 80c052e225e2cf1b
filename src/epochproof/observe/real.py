"""The real loader, stage by stage: what each stage's own torch object makes of the stream above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from epochproof.schedule.loader import Loader
from epochproof.stage._stage import Reality, Stream, Waiting
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


class StageByStage:
    """Each stage's own object, one after the other."""

    name = "stage by stage"

    def __init__(self, torch: Any, loader: Loader) -> None:
        self._torch, self._numbers = torch, Numbers(loader)
        self._stages = [each.stage for each in loader.stages]

    def open(self, values: Values, rank: int, *, processes: bool = False) -> Callable[[int], Read]:
        """What `rank` reads in an epoch."""
        size, ranks = self._numbers.size(values), self._numbers.ranks(values)
        options = self._numbers.options(values)

        def epoch(at: int) -> Read:
            stream: Stream = list(range(size))
            built: tuple[int, ...] = ()
            for stage, given in zip(self._stages, options, strict=True):
                reality = Reality(self._torch, rank, ranks, at, given, processes)
                stream = stage.real(stream, reality)
                built = tuple(reality.built) if processes and reality.built else built
            return as_read(stream, built)

        return epoch


def as_read(stream: Stream, built: Sequence[int] = ()) -> Read:
    """A stream of records, or of lists of them, as steps."""
    groups = tuple(tuple(each) if isinstance(each, list) else (each,) for each in stream)
    return Read(groups, len(groups) - bool(stream and isinstance(stream[-1], Waiting)), tuple(built))


class Numbers:
    """The numbers that a loader's real objects are built with."""

    def __init__(self, loader: Loader) -> None:
        self._size = _evaluator(loader.population.size)
        self._ranks = _evaluator(loader.ranks)
        self._options = [
            {name: _evaluator(term) for name, term in each.stage if isinstance(term, Int)}
            for each in loader.stages
        ]

    def size(self, values: Values) -> int:
        """Records of the population."""
        return self._size(values)

    def ranks(self, values: Values) -> int:
        """Ranks of the loader."""
        return self._ranks(values)

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
