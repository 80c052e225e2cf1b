"""What is known while a claim is put into formulas: the premises, fresh names, and a prover to ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from epochproof.schedule.plan import EPOCH, RANK, Plan
from epochproof.term.node import TRUE, Bool, Int, both, equal, less_equal, number, variable, within

RECORD = variable("record")
"""The record that a formula is about."""


class Undecided(Exception):  # noqa: N818 -- a verdict, not an error
    """No rule puts the claim into formulas; holds the reason, in the user's words."""


@dataclass
class Question:
    """One claim being put into formulas.

    `settle(given, goal)` says whether the goal was proved for all parameters where `given` holds.
    `breadth` is how many lap vectors are tried as witnesses. `facts` define fresh variables.
    """

    settle: Callable[[Bool, Bool], bool]
    breadth: int = 1
    facts: list[Bool] = field(default_factory=list)
    bare: Callable[[Bool, Bool], bool] = field(init=False)
    """The same without premises that are about the record."""

    _fresh: int = 0
    _named: dict[Int, Int] = field(default_factory=dict)
    _shared: dict[object, Int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bare = self.settle

    def fresh(self, name: str) -> Int:
        """A variable that occurs nowhere else, at least 0."""
        self._fresh += 1
        found = variable(f"{name}.{self._fresh}")
        self.facts.append(less_equal(0, found))
        return found

    def named(self, term: Int) -> Int:
        """A variable that is equal to the term, which is never negative: the same one for the same term."""
        if term not in self._named:
            self._named[term] = self.fresh("some")
            self.facts.append(equal(self._named[term], term))
        return self._named[term]

    def shared(self, key: object, name: str) -> Int:
        """A variable that occurs only where the same key is named, at least 0."""
        if key not in self._shared:
            self._shared[key] = self.fresh(name)
        return self._shared[key]


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """A loader as one quantity sees it: its plan, and the window that is counted.

    Without `run` a quantity is about the epoch `epoch`, without `rank` about all ranks together.
    """

    plan: Plan
    epochs: Int
    run: bool
    rank: bool
    question: Question
    this_rank: Int = RANK
    this_epoch: Int = EPOCH
    part: str = ""
    """The source of a mix that is meant; all of them without one."""

    prefix: Int | None = None
    """So many of the first occurrences of the epoch are meant; all of them without it."""

    def inside(self, record: Int) -> Bool:
        """The record belongs to the population, or to the part of it that is meant."""
        low, size = self.plan.part(self.part)
        return within(low, record, low + size)

    def sane(self) -> Bool:
        """The rank and the epoch exist."""
        return both(
            within(0, self.this_rank, self.plan.ranks),
            less_equal(0, self.this_epoch),
            TRUE if self.run else within(0, self.this_epoch, self.epochs),
        )

    def epoch_free(self) -> bool:
        """Whether all epochs are alike, so that a run is its first epoch, over and over."""
        return self.plan.epoch_free()


ZERO = number(0)
