"""Every planted fault in a stage is caught: by a law, by lists written by hand, or by torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
import torch

from epochproof.prove.solver import Solver
from epochproof.stage._stage import Reality, Stage
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.term.node import negate, number, variable
from tests.laws import faults
from tests.stage import promises
from tests.stage.laws import Law
from tests.stage.lists import grouped, here, read
from tests.worlds import Written, accumulated, batched, chunks, sharded, shuffled

PAGE = Path(__file__).with_name("README.md")
HEAD = """# Planted faults

Each row is a stage with one fault, written in `faults.py`.
*Law* is the first law of `tests/stage/laws.py` of which the prover shows a counterexample.
*Lists* says whether lists that a test writes by hand differ, *torch* whether the stage's real object does.
A hint or a total has no list and no object of its own: only laws see it.

| fault | stage | what it does | law | lists | torch |
|---|---|---|---|---|---|
"""

Case = tuple[bool, bool]
"""Whether one lane, as the stage's terms have it, differs from a list written by hand, and from torch's."""


@dataclass(frozen=True)
class Fault:
    """A stage with free options for the laws, and the cases of lists for fixed ones."""

    kind: type[Stage]
    laws: Iterator[Law]
    cases: Iterator[Case]


def first(marked: list[tuple[int, bool]]) -> list[int]:
    return [record for record, _ in marked]


def of_shard(kind: type[Shard], tail: str, layout: str = "strided") -> Fault:
    stage = kind.model_validate({"lanes": "ranks", "tail": tail, "layout": layout})

    def cases() -> Iterator[Case]:
        for n, ranks in product(range(8), range(1, 5)):
            lanes = sharded([(record, False) for record in range(n)], ranks, layout, tail)
            for rank in range(ranks):
                real = stage.real(list(range(n)), Reality(torch, rank, ranks, 0, {}))
                model = read(stage, here(n, rank, ranks))
                yield model != lanes[rank], first(model) != list(real)

    return Fault(kind, promises.of_shard(stage), cases())


def of_batch(kind: type[Batch], tail: str) -> Fault:
    def cases() -> Iterator[Case]:
        for n, size in product(range(8), range(1, 4)):
            stage = kind.model_validate({"n": number(size), "tail": tail})
            marked = read(stage, here(n))
            model = [[marked[p] for p in group] for group in grouped(stage, here(n))]
            hand = batched([(at, False) for at in range(n)], size, tail)
            real = stage.real(list(range(n)), Reality(torch, 0, 1, 0, {"n": size}))
            yield model != hand, [first(group) for group in model] != list(real)

    return Fault(
        kind, promises.of_batch(kind.model_validate({"n": variable("batch"), "tail": tail})), cases()
    )


def of_accumulate(kind: type[Accumulate], tail: str) -> Fault:
    def cases() -> Iterator[Case]:
        for n, size, epoch in product(range(8), range(1, 4), range(3)):
            stage, groups = kind.model_validate({"n": number(size), "tail": tail}), chunks(list(range(n)), 2)
            steps = Batch(n=number(2)).grouped(here(n))
            waiting = epoch * len(groups) % size
            marked = [[(record, False) for record in group] for group in groups]
            hand = [first(group) for group in accumulated(marked, size, tail, waiting)]
            real = stage.real(groups, Reality(torch, 0, 1, epoch, {"n": size}))
            model = grouped(stage, here(n, epoch=epoch, above=steps))
            yield model != hand, model != list(map(list, real))

    stage = kind.model_validate({"n": variable("accumulate"), "tail": tail})
    return Fault(kind, promises.of_accumulate(stage, "batches"), cases())


def of_stop(kind: type[Stop]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, steps in product(range(8), range(4)):
            stage, groups = kind(steps=number(steps)), chunks(list(range(n)), 2)
            above = Batch(n=number(2)).grouped(here(n))
            real = stage.real(groups, Reality(torch, 0, 1, 0, {"steps": steps}))
            model = grouped(stage, here(n, above=above))
            yield model != groups[:steps], model != list(real)

    return Fault(kind, promises.of_stop(kind(steps=variable("steps")), "batches"), cases())


def of_shuffle(kind: type[Shuffle]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, rank, epoch in product(range(6), range(2), range(3)):
            stage = kind(seed=number(3))
            real = stage.real(list(range(n)), Reality(torch, rank, 2, epoch, {"seed": 3}))
            hand = shuffled(Written("shuffle", options={"seed": 3}), n, epoch, rank)
            model = first(read(stage, here(n, rank, 2, epoch)))
            yield model != hand, model != list(real)

    return Fault(kind, promises.of_shuffle(kind(seed=variable("seed"))), cases())


PLANTED: dict[str, Callable[[], Fault]] = {
    "wrong stride": lambda: of_shard(faults.WrongStride, "uneven"),
    "rank forgotten": lambda: of_shard(faults.RankForgotten, "drop"),
    "rank from 1": lambda: of_shard(faults.RankFromOne, "drop"),
    "wrong modulus": lambda: of_shard(faults.WrongModulus, "pad"),
    "padding from the end": lambda: of_shard(faults.PadsFromTheEnd, "pad"),
    "floor in the length": lambda: of_shard(faults.FloorInTheLength, "pad"),
    "floor for ceiling": lambda: of_shard(faults.FloorForCeiling, "pad"),
    "ceiling for floor": lambda: of_shard(faults.CeilingForFloor, "drop"),
    "length off by one": lambda: of_shard(faults.LengthOffByOne, "drop"),
    "drop that keeps": lambda: of_shard(faults.DropThatKeeps, "drop"),
    "laps swapped": lambda: of_shard(faults.LapsSwapped, "pad"),
    "kept too wide": lambda: of_shard(faults.KeptTooWide, "pad"),
    "dealt too large": lambda: of_shard(faults.DealtTooLarge, "pad"),
    "threshold off by one": lambda: of_shard(faults.ThresholdOffByOne, "uneven"),
    "blocked floor": lambda: of_shard(faults.BlockedFloor, "uneven", "blocked"),
    "steps floor": lambda: of_batch(faults.StepsFloor, "keep"),
    "tail kept": lambda: of_batch(faults.TailKept, "drop"),
    "last repeated": lambda: of_batch(faults.LastRepeated, "pad"),
    "unit forgotten": lambda: of_accumulate(faults.UnitForgotten, "keep"),
    "nothing waits": lambda: of_accumulate(faults.NothingWaits, "carry"),
    "stops after records": lambda: of_stop(faults.StopsAfterRecords),
    "stops late": lambda: of_stop(faults.StopsLate),
    "epoch ignored": lambda: of_shuffle(faults.EpochIgnored),
    "ranks disagree": lambda: of_shuffle(faults.RanksDisagree),
}

RIGHT: dict[str, Callable[[], Fault]] = {
    "shard": lambda: of_shard(Shard, "pad"),
    "batch": lambda: of_batch(Batch, "drop"),
    "accumulate": lambda: of_accumulate(Accumulate, "carry"),
    "stop": lambda: of_stop(Stop),
    "shuffle": lambda: of_shuffle(Shuffle),
}


def caught(fault: Fault) -> tuple[str, bool, bool]:
    """The first law that is broken, and whether lists written by hand and torch differ from the stage."""
    solver = Solver({}, {})
    broken = (law.name for law in fault.laws if solver.find(law.given, negate(law.goal)).status == "found")
    cases = list(fault.cases)
    return next(broken, ""), any(lists for lists, _ in cases), any(real for _, real in cases)


def row(name: str, fault: Fault) -> str:
    law, lists, real = caught(fault)
    stage = fault.kind.__mro__[1].__name__.lower()
    does = (fault.kind.__doc__ or "").rstrip(".")
    shown = [law or "-", "differ" if lists else "-", "differs" if real else "-"]
    return f"| {name} | `{stage}` | {does} | {' | '.join(shown)} |\n"


@pytest.mark.parametrize("name", RIGHT)
def test_stage_without_a_fault_is_not_caught(name: str) -> None:
    assert caught(RIGHT[name]()) == ("", False, False)


@pytest.mark.parametrize("name", PLANTED)
def test_fault_is_caught_as_the_table_says(name: str) -> None:
    found = row(name, PLANTED[name]())

    if os.environ.get("UPDATE_PAGES"):
        order = [f"| {each} |" for each in PLANTED]
        lines = PAGE.read_text().splitlines(keepends=True) if PAGE.exists() else []
        rows = {line[: line.index("|", 1) + 1]: line for line in lines if line.startswith(tuple(order))}
        rows[f"| {name} |"] = found
        PAGE.write_text(HEAD + "".join(rows[each] for each in order if each in rows))
    assert not found.endswith("| - | - | - |\n")
    assert found in PAGE.read_text()


def test_table_has_a_row_for_each_fault_and_no_other() -> None:
    assert PAGE.read_text().startswith(HEAD)
    assert PAGE.read_text().count("\n") == HEAD.count("\n") + len(PLANTED)
