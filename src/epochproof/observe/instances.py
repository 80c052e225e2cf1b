"""Which instances of a loader run: one for each path, a larger one, and each counterexample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat

from epochproof.model.domain import Parameter
from epochproof.model.values import Scope
from epochproof.observe.paths import Path, Paths
from epochproof.prove.solver import Solver
from epochproof.schedule.loader import Loader
from epochproof.term.fold import variables
from epochproof.term.node import Int

SEEDS = (0, 1, 2**32 + 5)
"""The seeds that run where any seed is meant; the last one has more than the 32 bits that count."""

EPOCHS = 3
"""So many epochs run at most: the first, the second and the last."""

LARGER = (97, 7, 3, 5)
"""The parameters of one larger instance, in order of declaration, as far as their domains allow."""

Values = Mapping[str, int]


@dataclass(frozen=True)
class Instance:
    """A value for each parameter of one loader, and the case of each stage where a path chose it."""

    values: Values
    cases: tuple[str, ...] = ()


def parameters(loader: Loader, scope: Scope) -> tuple[Parameter, ...]:
    """The free parameters that the loader depends on, in order of declaration."""
    terms = [loader.population.size, loader.ranks, loader.epochs, loader.start_epoch, *_options(loader)]
    names = variables(*terms)
    return tuple(each for name, each in scope.parameters.items() if name in names)


def only_epochs(loader: Loader) -> frozenset[str]:
    """The parameters that decide how many epochs there are, and nothing else."""
    elsewhere = variables(loader.population.size, loader.ranks, loader.start_epoch, *_options(loader))
    return frozenset(variables(loader.epochs) - elsewhere)


def _options(loader: Loader) -> Iterator[Int]:
    if loader.iterable:
        yield loader.workers
    for placed in loader.stages:
        yield from placed.stage.numbers().values()


def epochs(count: int) -> tuple[int, ...]:
    """The epochs that run, of `count`."""
    return tuple(sorted({at for at in (0, 1, count - 1) if 0 <= at < count}))


class Instances:
    """Chooses the instances of one loader; `left_out` says what they do not show, and why."""

    def __init__(self, loader: Loader, scope: Scope) -> None:
        self._loader, self._scope = loader, scope
        self._parameters = parameters(loader, scope)
        self._only_epochs = sorted(only_epochs(loader))
        self.left_out: list[str] = []

    def choose(self, solver: Solver, counterexamples: Iterable[Values]) -> list[Instance]:
        """One instance for each path, a larger one, then one for each counterexample; none twice."""
        search = Paths(self._loader, self._parameters, solver)
        paths = search.all()
        self.left_out += dict.fromkeys(search.left_out)
        larger = [Path((), self._larger())]
        chosen: dict[tuple[int, ...], Instance] = {}
        for each in [*self._seeded(paths), *self._seeded(larger), *map(self._completed, counterexamples)]:
            chosen.setdefault(tuple(each.values.values()), each)
        return list(chosen.values())

    def _seeded(self, paths: list[Path]) -> Iterator[Instance]:
        """The paths under the seeds in turn, each path and each seed at least once."""
        seeds = {each.name: _seeds(each) for each in self._parameters if each.seed}
        turns = max([len(paths), *map(len, seeds.values())]) if paths else 0
        for at in range(turns):
            path = paths[at % len(paths)]
            given = {name: choice[at % len(choice)] for name, choice in seeds.items()}
            epochs = {name: self._enough_epochs(name, path.values[name]) for name in self._only_epochs}
            yield self._instance({**given, **path.values, **epochs}, path.cases)

    def _larger(self) -> Values:
        """Values large enough for an order to show."""
        numbers = [each for each in self._parameters if not each.seed and each.name not in self._only_epochs]
        wanted = zip(numbers, chain(LARGER, repeat(LARGER[-1])), strict=False)
        larger = {each.name: _nearest(each, value) for each, value in wanted}
        return larger | {name: self._scope.parameters[name].domain.low for name in self._only_epochs}

    def _enough_epochs(self, name: str, least: int) -> int:
        return max(self._scope.parameters[name].domain.up_to(EPOCHS), default=least)

    def _completed(self, values: Values) -> Instance:
        """A counterexample with the least value for what does not matter to it."""
        return self._instance({each.name: each.domain.low for each in self._parameters} | dict(values), ())

    def _instance(self, values: Values, cases: tuple[str, ...]) -> Instance:
        return Instance({each.name: values[each.name] for each in self._parameters}, cases)


def _nearest(parameter: Parameter, value: int) -> int:
    """The greatest value of the domain that is at most `value`, or the least one."""
    domain = parameter.domain
    if domain.values is None:
        return max(domain.low, value if domain.high is None else min(domain.high, value))
    return max((each for each in domain.values if each <= value), default=domain.low)


def _seeds(parameter: Parameter) -> list[int]:
    return [seed for seed in SEEDS if seed in parameter.domain] or [parameter.domain.low]
