"""What an audit of a trace found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Kind = Literal[
    "missing",
    "repeated",
    "unexpected",
    "unknown",
    "rank",
    "step",
    "order",
    "twice",
    "worker",
    "unmarked",
    "marked",
    "steps",
]
"""How what was read differs from what was due."""

Record = int | str
"""A record by its number, or by its name where the trace has names."""


@dataclass(frozen=True)
class At:
    """One place, what was due there, and what was found."""

    epoch: int
    rank: int
    step: int | None
    slot: int | None
    expected: str
    found: str


@dataclass(frozen=True)
class Broken:
    """A claim or an assumption that the difference concerns.

    `how`: `false` where the claim was evaluated on what was read, and does not hold; `broken` for an
    assumption that the difference may contradict; `open` for a claim about a quantity that it changes.
    """

    text: str
    how: Literal["false", "broken", "open"]
    kind: Literal["claim", "assumption"]
    line: int | None = None


@dataclass(frozen=True)
class Finding:
    """One kind of difference: how many, where first, some of the records."""

    kind: Kind
    count: int
    first: At
    records: tuple[Record, ...] = ()


@dataclass(frozen=True)
class Read:
    """What was read in an epoch, in all, or in a portion; `repeated` is `None` where it was not counted."""

    occurrences: int
    distinct: int
    padding: int | None
    omitted: int
    repeated: int | None


@dataclass(frozen=True)
class Portion:
    """What was read in some steps, or in some seconds since the start of the recorder."""

    read: Read
    steps: tuple[int, int] | None
    seconds: tuple[Fraction, Fraction] | None
    duration: Fraction | None


@dataclass(frozen=True)
class Balance:
    """What the worker with the least and the one with the most read, as `(rank, worker)`."""

    workers: int
    least: int
    most: int
    least_of: tuple[int, int]
    most_of: tuple[int, int]
    by_rank: bool = False
    """Whether each rank has one worker at most, or none but its main process."""


@dataclass(frozen=True)
class Audited:
    """A trace beside a schedule.

    `order` is `fixed` where no stage shuffles, `known` where the seed is, else `learned` from the trace.
    `enumerated` says why the schedule was enumerated; empty where expressions said what is due.
    """

    spec: str
    trace: str
    loader: str
    parameters: Mapping[str, int]
    said: frozenset[str]
    order: Literal["fixed", "known", "learned"]
    enumerated: str
    due: int
    epochs: tuple[tuple[int, Read], ...]
    run: Read
    portion: Portion | None
    balance: Balance | None
    segments: int
    replayed: int
    first: At | None
    findings: tuple[Finding, ...]
    broken: tuple[Broken, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0: what was read is what the schedule says; 1: it is not."""
        return 1 if self.findings else 0


@dataclass(frozen=True)
class Met:
    """A value of the key that both traces have, and one record of each that has it."""

    value: str
    one: Record
    other: Record


@dataclass(frozen=True)
class Leaked:
    """What two traces share: `count` values of the key `by`."""

    trace: str
    against: str
    by: str
    count: int
    examples: tuple[Met, ...]
    broken: tuple[Broken, ...] = ()

    @property
    def exit_code(self) -> int:
        """0: nothing; 1: something."""
        return 1 if self.count else 0
