"""Verdicts: what was found out about a claim, and on what evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from epochproof.config.use import Use
from epochproof.diagnostics import Span
from epochproof.term.node import Bool

Word = Literal["proved", "refuted", "vacuous", "unknown"]


@dataclass(frozen=True)
class Blame:
    """The line at fault: a stage, or the loader's header where no stage deals; and what happened there."""

    stage: str
    span: Span
    text: str


@dataclass(frozen=True)
class Meeting:
    """One of two records that meet: of which population, from which source, which of its frames.

    `indices` are its index at each dataset of its lineage. `rank` is given where ranks have their own.
    """

    population: str
    indices: Mapping[str, int]
    frames: tuple[int, int] | None
    rank: int | None = None


@dataclass(frozen=True)
class Counterexample:
    """A world in which the claim is false; the property was checked on the lists that it delivers.

    `records` are the records that show it, at most twenty. `rank` and `epoch` are given where the claim
    is about one. `seed` maps each open seed to one that gives the orders, so that torch shows the same.
    """

    parameters: Mapping[str, int]
    records: tuple[int, ...]
    rank: int | None
    epoch: int | None
    blame: Blame | None
    smallest: bool
    replayed: Literal["model", "torch"] = "model"
    lengths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How many frames each source of a dataset has, where each has its own."""

    meeting: tuple[Meeting, Meeting] | None = None
    """Two records that should have nothing in common."""
    made_up: bool = False
    """Does it show under draws that the model allows, and that no seed is known to give?"""


@dataclass(frozen=True)
class Verdict:
    """`word`, its evidence, and what shows it.

    `evidence` is `solver`, `exhausted(n)` (every world of a finite domain was run), `run(1)` for a
    counterexample, or empty. `reason` says why a claim is vacuous or unknown, and what was tried.
    `obligations` are the conditions that were shown to be unsatisfiable.
    """

    word: Word
    evidence: str = ""
    counterexample: Counterexample | None = None
    reason: str = ""
    obligations: tuple[Bool, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Judged:
    """A claim and its verdict."""

    text: str
    kind: Literal["prove", "refute"]
    span: Span
    verdict: Verdict
    seconds: float
    assumptions: tuple[str, ...]
    uses: tuple[Use, ...] = ()
    """The values from bound files that the claim and what it is about were read with."""

    @property
    def as_stated(self) -> bool:
        """`prove` was proved, `refute` was refuted."""
        return self.verdict.word == {"prove": "proved", "refute": "refuted"}[self.kind]
