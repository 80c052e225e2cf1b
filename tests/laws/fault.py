"""A planted fault, and how it is caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from epochproof.prove.solver import Solver
from epochproof.schedule.deliveries import TABLES
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import both, negate
from tests.stage.laws import Law

Case = tuple[bool, bool]
"""Whether one lane, as the model's terms have it, differs from a list written by hand, and from torch's."""


@dataclass(frozen=True)
class Fault:
    """A stage, or a part of a schedule, that `does` something wrong: laws, and cases of lists."""

    stage: str
    does: str | None
    laws: Iterator[Law]
    cases: Iterator[Case]

    def caught(self) -> tuple[str, bool, bool]:
        """The first law that is broken, and whether lists written by hand and torch differ from the model."""
        solver = Solver({}, {})
        broken = (law.name for law in self.laws if solver.find(law.given, negate(law.goal)).status == "found")
        cases = list(self.cases)
        return next(broken, ""), any(lists for lists, _ in cases), any(real for _, real in cases)

    def row(self, name: str) -> str:
        """The row of the table."""
        law, lists, real = self.caught()
        shown = [law or "-", "differ" if lists else "-", "differs" if real else "-"]
        return f"| {name} | `{self.stage}` | {(self.does or '').rstrip('.')} | {' | '.join(shown)} |\n"


def _is_broken(law: Law) -> bool:
    """Whether the prover shows values for which the law is false, and they do make it false."""
    against = both(law.given, negate(law.goal))
    answer = Solver({}, {}).find(against)
    names = sorted(variables(against))
    values = [answer.values.get(name, 0) for name in names]
    # What the permutation of a shuffle is, an answer leaves open.
    return answer.status == "found" and bool(as_int(against, names, TABLES)(*values))
