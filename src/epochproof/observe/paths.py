"""The feasible paths of a loader: one case of each stage, and the smallest values that meet them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from epochproof.model.domain import Domain, Parameter
from epochproof.prove.boxes import Boxes
from epochproof.prove.solver import Solver
from epochproof.prove.worlds import rising
from epochproof.schedule.deliveries import TABLES
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import EPOCH, RANK, WORKER, plan_of
from epochproof.term.as_int import as_int, as_rows
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, both, minimum, number, within

SMALL_WORLDS = 200_000
"""So many conditions are evaluated in small worlds before the solver is asked."""

SMALL_RANKS = 16
"""In a small world, so many ranks are looked at."""

MOST_PATHS, MOST_ASKED = 96, 2_400
"""Beyond so many paths, or so many stages in all questions to the solver, the search ends early."""

Values = Mapping[str, int]
Cases = Sequence[Sequence[tuple[str, Bool]]]


@dataclass(frozen=True)
class Path:
    """The case of each stage, and the smallest values found that meet them all."""

    cases: tuple[str, ...]
    values: Values


class Paths:
    """Searches the paths of one loader, depth first: a case that cannot follow is not followed further."""

    def __init__(self, loader: Loader, parameters: tuple[Parameter, ...], solver: Solver) -> None:
        plan = plan_of(loader)
        heres = plan.heres(plan.lane())[:-1]
        # Where a case depends on a seed, the path is one of the least seed.
        lows = {each.name: number(each.domain.low) for each in parameters if each.seed}
        self._cases = [
            [(name, substitute(case, lows)) for name, case in stage.cases(here)]
            for stage, here in zip(plan.stages, heres, strict=True)
        ]
        self._names = [placed.name for placed in loader.stages]
        self._start = both(plan.exists(), within(0, EPOCH, loader.epochs))
        met = variables(*(condition for cases in self._cases for _, condition in cases))
        self._parameters = [each for each in parameters if not each.seed or each.name in met]
        self._small = _small(self._cases, self._parameters, loader.ranks, plan.workers)
        self._known = {path[:at] for path in self._small for at in range(len(path) + 1)}
        self._solver, self._asked = solver, solver.asked
        somewhere = [
            Parameter(str(each.value), Domain(0, None), loader.span) for each in (RANK, WORKER, EPOCH)
        ]
        self._free = [*self._parameters, *somewhere]
        self.left_out: list[str] = []

    def all(self) -> list[Path]:
        """The feasible paths, in the order of the stages' cases."""
        found = list(islice(self._below((), self._start), MOST_PATHS))
        if len(found) == MOST_PATHS or self._spent():
            self.left_out.append("some combinations of cases: there are too many to run them all")
            found += self._single(found)
        return found

    def _spent(self) -> bool:
        return (self._solver.asked - self._asked) * len(self._cases) > MOST_ASKED

    def _single(self, found: list[Path]) -> Iterator[Path]:
        """A path for each case that none of those found shows."""
        shown = {(at, case) for path in found for at, case in enumerate(path.cases)}
        for at, cases in enumerate(self._cases):
            for name, case in cases:
                known = next((path for path in self._small if path[at] == name), None)
                if (at, name) in shown:
                    continue
                if known is not None:
                    yield Path(known, self._small[known])
                elif self._possible(condition := both(self._start, case), f"{self._names[at]}: {name}"):
                    yield Path(("",) * at + (name,), self._smallest(condition))

    def _below(self, chosen: tuple[str, ...], condition: Bool) -> Iterator[Path]:
        """The paths that begin with the chosen cases, which the condition states."""
        at = len(chosen)
        if at == len(self._cases):
            yield Path(chosen, self._small[chosen] if chosen in self._small else self._smallest(condition))
            return
        for name, case in self._cases[at]:
            path, extended = (*chosen, name), both(condition, case)
            if path in self._known or self._possible(extended, f"{self._names[at]}: {name}"):
                yield from self._below(path, extended)

    def _possible(self, condition: Bool, what: str) -> bool:
        """Whether the solver knows values that meet the condition."""
        if self._spent():
            return False
        status = self._solver.find(condition).status
        if status == "unknown":
            self.left_out.append(f"a path that could not be decided ({what})")
        return status == "found"

    def _smallest(self, condition: Bool) -> Values:
        boxes = Boxes(self._solver, self._free, condition, lambda values: _holds(condition, values))
        start = boxes.complete(self._solver.find(condition).values)
        smallest = boxes.smallest(start) or start
        return {each.name: smallest[each.name] for each in self._parameters}


def _small(
    cases: Cases, parameters: Sequence[Parameter], ranks: Int, workers: Int
) -> dict[tuple[str, ...], Values]:
    """The path of each small world, with the smallest values that take it."""
    names = [each.name for each in parameters]
    terms = [condition for each in cases for _, condition in each]
    rows = as_rows(terms, "rank", minimum(ranks, SMALL_RANKS), [*names, "epoch", "worker"], TABLES)
    lanes = as_int(minimum(workers, SMALL_RANKS), names)
    found: dict[tuple[str, ...], Values] = {}
    seen = set[tuple[bool, ...]]()
    evaluated = 0
    for values in rising(parameters):
        if evaluated >= SMALL_WORLDS:
            break
        for worker in range(lanes(*values.values())):
            held = rows(*values.values(), 0, worker)
            evaluated += max(1, len(terms)) * max(1, len(held))
            for row in held:
                if row not in seen:
                    seen.add(row)
                    found.update((path, values) for path in _paths(cases, row) if path not in found)
    return found


def _paths(cases: Cases, holds: tuple[bool, ...]) -> Iterator[tuple[str, ...]]:
    rest = iter(holds)
    return product(*([name for name, _ in each if next(rest)] for each in cases))


def _holds(condition: Bool, values: Values) -> bool:
    names = sorted(variables(condition))
    return bool(as_int(condition, names, TABLES)(*(values[name] for name in names)))
