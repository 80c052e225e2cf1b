"""Verdicts: what was found out about a claim, and on what evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from epochproof.diagnostics import Span
from epochproof.prove.shown import Shown
from epochproof.term.node import Bool

if TYPE_CHECKING:
    from epochproof.config.use import Use

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
class Row:
    """A record of a manifest that a population has; its id and its interval as they are written there."""

    population: str
    record: int
    id: str | None
    interval: tuple[str, str] | None


@dataclass(frozen=True)
class Leak:
    """How often two populations meet in a manifest, and the first pairs that show it.

    `count` counts `values` of the key, or `records`: of the second population where intervals overlap.
    Each of `pairs` is what both records share (a value, or their source), and one record of each population.
    """

    manifest: str
    key: str
    margin: int
    count: int
    counts: Literal["values", "records"]
    pairs: tuple[tuple[str, Row, Row], ...]


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
    replayed: Literal["model", "torch", "manifest"] = "model"
    lengths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How many frames each source of a dataset has, where each has its own."""

    meeting: tuple[Meeting, Meeting] | None = None
    """Two records that should have nothing in common."""
    leak: Leak | None = None
    """What rows of a manifest have in common and should not."""
    made_up: bool = False
    """Does it show under draws that the model allows, and that no seed is known to give?"""

    @property
    def of_records(self) -> bool:
        """Whether records show it that two populations have, and no loader has a part in it."""
        return self.meeting is not None or self.leak is not None


@dataclass(frozen=True)
class Verdict:
    """`word`, its evidence, and what shows it.

    `evidence` is `solver`, `two solvers`, `exhausted(n)` (every world of a finite domain was run), `manifest(n)` (all n rows
    of a manifest were compared), `run(1)` for another counterexample, or empty. `reason` says why a claim is
    vacuous or unknown, and what was tried. `obligations` are the conditions that were shown to be
    unsatisfiable. `shown` is all that a solver showed for the verdict: the claim first, then what its rule
    rests on.
    """

    word: Word
    evidence: str = ""
    counterexample: Counterexample | None = None
    reason: str = ""
    obligations: tuple[Bool, ...] = field(default=(), repr=False)
    shown: tuple[Shown, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Second:
    """What a second solver said of the obligations of a verdict.

    So many it showed as they are (`raw`), so many in linear steps (`linear`), and so many not at all
    (`undecided`). It has a solution for those that are `disputed`; `files` hold what was asked.
    """

    solver: str
    raw: int
    linear: int
    undecided: int
    disputed: int = 0
    files: tuple[str, ...] = ()


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

    second: Second | None = None
    """What a second solver said, where one was asked."""

    @property
    def as_stated(self) -> bool:
        """`prove` was proved, `refute` was refuted."""
        return self.verdict.word == {"prove": "proved", "refute": "refuted"}[self.kind]
