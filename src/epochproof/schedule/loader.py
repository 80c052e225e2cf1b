"""A loader: a population, its lanes, and its stages from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from epochproof.diagnostics import Span
from epochproof.model.population import Population
from epochproof.stage._stage import Stage
from epochproof.term.fold import substitute
from epochproof.term.node import Int, number

_NONE, _ONE = number(0), number(1)


@dataclass(frozen=True)
class Placed:
    """A stage and where it is written."""

    stage: Stage
    name: str
    span: Span


@dataclass(frozen=True)
class Loader:
    """What reads `population`: `ranks` ranks for `epochs` epochs, through `stages`.

    The workers of an `iterable` loader are lanes of their own; of a map-style one they only fetch.
    Epochs count from 0, and samplers are told `start_epoch` in the first one.
    """

    name: str
    population: Population
    ranks: Int
    workers: Int
    epochs: Int
    stages: tuple[Placed, ...]
    span: Span
    iterable: bool = False
    lanes: Int = _ONE
    """Lanes of a rank: its workers if the loader is iterable, at least one."""
    start_epoch: Int = _NONE
    persistent: bool = False
    """Whether the workers of an iterable loader outlive an epoch, and keep the number of their first one."""

    def with_values(self, values: Mapping[str, Int]) -> Loader:
        """The same loader with other terms in place of some parameters."""
        population = self.population.with_values(values)
        return replace(
            self,
            population=population,
            ranks=substitute(self.ranks, values),
            workers=substitute(self.workers, values),
            epochs=substitute(self.epochs, values),
            lanes=substitute(self.lanes, values),
            start_epoch=substitute(self.start_epoch, values),
            stages=tuple(replace(each, stage=_substituted(each.stage, values)) for each in self.stages),
        )


def _substituted(stage: Stage, values: Mapping[str, Int]) -> Stage:
    return stage.changed(**{name: _with(value, values) for name, value in stage.options().items()})


def _with(value: object, values: Mapping[str, Int]) -> object:
    if isinstance(value, Int):
        return substitute(value, values)
    if isinstance(value, Stage):
        return _substituted(value, values)
    return tuple(_with(each, values) for each in value) if isinstance(value, tuple) else value
