"""What a stage is: how long each lane is afterwards, where its positions come from and where they go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self, dataclass_transform

from epochproof.term.node import TRUE, Bool, Int, equal, number


@dataclass(frozen=True)
class Lane:
    """Whose positions are meant: one rank of `ranks`, one of its `workers`, in one epoch.

    The workers of a map-style loader are no lanes: there is one. Epochs count from 0; `told` is the number
    that `set_epoch` was given where this lane is read.
    """

    rank: Int
    ranks: Int
    worker: Int
    workers: Int
    epoch: Int
    told: Int


@dataclass(frozen=True)
class Steps:
    """How the positions of a lane are grouped into steps.

    `count(n)` is the number of steps that `n` positions make, `of(p)` the step of position `p`, `before(k)`
    how many positions lie before step `k`, and `through(n, e)` the steps of `e` epochs of `n` positions.
    """

    count: Callable[[Int], Int]
    of: Callable[[Int], Int]
    before: Callable[[Int], Int]
    through: Callable[[Int, Int], Int]


def afresh(count: Callable[[Int], Int], of: Callable[[Int], Int], before: Callable[[Int], Int]) -> Steps:
    """Steps of which each epoch starts its own."""
    return Steps(count, of, before, through=lambda n, epochs: epochs * count(n))


SINGLE = afresh(count=lambda n: n, of=lambda p: p, before=lambda k: k)
"""Without a batch, each record is a step."""


@dataclass(frozen=True)
class Here:
    """The lane as it reaches a stage: `n` positions, grouped as the stages above group them."""

    n: Int
    lane: Lane
    steps: Steps


@dataclass(frozen=True)
class Place:
    """Where an input position goes on one lap, if it `holds`; `rank` and `worker` are `None` for all."""

    holds: Bool
    position: Int
    rank: Int | None = None
    worker: Int | None = None


@dataclass(frozen=True)
class Interval:
    """Positions `low <= p < high`; without `high`, all from `low`."""

    low: Int
    high: Int | None


@dataclass(frozen=True)
class Reality:
    """What the real objects of a stage are built with.

    `torch` is the module itself; `options` gives the value of each option that is a number;
    `processes` asks for real worker processes, and a stage that has some notes in `built` which one
    built each batch. `worker` is a lane of an iterable loader, of `workers`; a map-style one has one.
    `epoch` counts from 0, and the samplers of the first one are told the number `first`.
    """

    torch: Any
    rank: int
    ranks: int
    epoch: int
    options: Mapping[str, int]
    processes: bool = False
    built: list[int] = field(default_factory=list)
    worker: int = 0
    workers: int = 1
    first: int = 0


class Waiting(list[Any]):
    """The last group of a stream, where no step of its epoch takes it."""


Stream = Sequence[Any]
"""What a real stage reads and gives: records, or lists of records once they are batched."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Stage(ABC):
    """One stage: a frozen dataclass whose fields are its options, given by name.

    Half-open ranges throughout: positions `0 <= p < length`. Nine laws bind the methods
    (`spec/semantics.md`); they are proved for all parameters in the tests.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)

    moves: ClassVar[bool] = False
    """Does it change the order?"""

    regroups: ClassVar[bool] = False
    """Does it form batches or steps?"""

    alternatives: ClassVar[tuple[str, ...]] = ()
    """Options of which exactly one is given."""

    mixes: ClassVar[bool] = False
    """Does it draw from the sources of a mix? A further place of it is a repeat, and no padding."""

    @classmethod
    def defaults(cls, given: Mapping[str, object], *, iterable: bool) -> Mapping[str, object]:  # noqa: ARG003 -- for those that do
        """Options that are not given and whose default depends on the loader."""
        return {}

    def options(self) -> dict[str, Any]:
        """Its options and their values."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def changed(self, **options: Any) -> Self:  # noqa: ANN401 -- what each option holds
        """The stage with other values of these options."""
        return replace(self, **options)

    def numbers(self) -> dict[str, Int]:
        """Its options that are numbers; those in a row are called `sizes.0` and so on."""
        found = dict[str, Int]()
        for name, value in self.options().items():
            row = {f"{name}.{at}": each for at, each in enumerate(value)} if isinstance(value, tuple) else {}
            found |= {key: each for key, each in {name: value, **row}.items() if isinstance(each, Int)}
        return found

    def axes(self) -> frozenset[str]:
        """Along which of `rank` and `worker` it gives each position to one lane."""
        return frozenset()

    matters_to: ClassVar[frozenset[str] | None] = None
    """The quantities whose verdicts rest on what it assumes; `None` for all."""

    def pads(self) -> bool:
        """Can it give one position several places?"""
        return False

    def repeats(self) -> bool:
        """Is a further place of a position no padding, but a draw like the first one?"""
        return False

    def unpadded(self, here: Here) -> Int:
        """How many positions of this lane come before any padding of the stage: a hint."""
        return self.length(here)

    def bijective(self) -> bool:
        """Does it only change the order, in the same way on every rank?"""
        return False

    def made_up(self) -> frozenset[str]:
        """The open seeds under which the model allows draws that torch gives for none of them."""
        return frozenset()

    def per_rank(self) -> bool:
        """Does each rank have an order of its own?"""
        return self.moves and not self.mixes and not self.bijective()

    @abstractmethod
    def length(self, here: Here) -> Int:
        """Positions of this lane afterwards."""

    def source(self, p: Int, here: Here) -> Int:
        """The input position of output position `p`."""
        return p

    def lap(self, p: Int, here: Here) -> Int:
        """Which place of its source `p` is; 0 is the first, and any later one is padding."""
        return number(0)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        """Where input position `q` goes on `lap`; a stage that deals does not use `here.lane.rank`."""
        return Place(first(lap), q)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        """The input positions whose first places are the output positions `span` of every lane.

        A hint: whoever uses it proves it. `None` where they are no interval.
        """
        return span

    def dealt(self, here: Here) -> Int:
        """Positions of all lanes together, where the stage deals: each comes from exactly one lap."""
        return here.n

    def lanes_dealt_to(self, here: Here) -> Int:
        """How many lanes it deals to."""
        return number(1)

    def lane_index(self, here: Here) -> Int:
        """Which of them this lane is, from 0, in the order in which they are dealt to."""
        return number(0)

    def on_lane(self, index: Int, holds: Bool, position: Int, here: Here) -> Place:
        """The place on lane number `index` of those that it deals to."""
        return Place(holds, position)

    def threshold(self, here: Here) -> Int | None:
        """Lanes before it, in the order in which they are dealt to, have one position more: a hint."""
        return None

    def longer(self, here: Here) -> Int | None:
        """How many workers of the lane's rank have one position more: a hint."""
        return None

    def grouped(self, here: Here) -> Steps:
        """How the output positions are grouped."""
        return here.steps

    def worker(self, step: Int) -> Int | None:
        """The worker that builds a step; `None` where the stage has no workers."""
        return None

    def assumes(self) -> tuple[str, ...]:
        """What must be so in the run for the stage to do what it says, as sentences."""
        return ()

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        """The cases that a test of the real loader should meet, each with its condition."""
        return [("", TRUE)]

    def after_workers(self) -> bool:
        """Does it act on what a rank reads from all its workers together?"""
        return False

    def refuses(self, above: Sequence[Stage]) -> str:
        """Why the stage makes no sense below the stages `above`; empty where it does."""
        if (self.axes() or self.moves) and any(stage.regroups for stage in above):
            return "records were put into batches above"
        return ""

    def cure(self) -> str:
        """What to write instead, where the stage makes no sense wherever it stands."""
        return ""

    @abstractmethod
    def real(self, stream: Stream, reality: Reality) -> Stream:
        """The real thing: what `reality.worker` of `reality.rank` reads of the stream."""


def first(lap: Int) -> Bool:
    """The condition that a place is its source's first one."""
    return equal(lap, 0)
