"""Cases in which a fault in a stage shows: its laws, lists written by hand, and torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import torch

from epochproof.stage._listed_files import ListedFiles
from epochproof.stage._mixing import Mixing
from epochproof.stage._portion import Portion
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Reality, Stage
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.copy import Copy
from epochproof.stage.draw import Draw
from epochproof.stage.resume import Resume
from epochproof.stage.shard import BOTH, RANK, Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.stage.weigh import Weigh
from epochproof.term.node import number, variable
from tests.laws.fault import Case, Fault
from tests.stage import promises
from tests.stage.laws import Law
from tests.stage.lists import built, grouped, here, read
from tests.stage.mixes import SMALL, of_mixing, subject
from tests.worlds import Written, accumulated, batched, chunks, drawn, sharded, shuffled


def of_stage(kind: type[Stage], laws: Iterator[Law], cases: Iterator[Case]) -> Fault:
    """The fault that a class is: it is called like the stage from which it is derived."""
    stage = next(each for each in kind.__mro__ if each.__module__.startswith("epochproof."))
    return Fault(stage.__name__.lower(), kind.__doc__, laws, cases)


def first(marked: list[tuple[int, bool]]) -> list[int]:
    return [record for record, _ in marked]


def of_shard(kind: type[Shard], tail: str, layout: str = "strided") -> Fault:
    stage = built(kind, lanes=RANK, tail=tail, layout=layout)

    def cases() -> Iterator[Case]:
        for n, ranks in product(range(8), range(1, 5)):
            lanes = sharded([(record, False) for record in range(n)], ranks, layout, tail)
            for rank in range(ranks):
                real = stage.real(list(range(n)), Reality(torch, rank, ranks, 0, {}))
                model = read(stage, here(n, rank, ranks))
                yield model != lanes[rank], first(model) != list(real)

    return of_stage(kind, promises.of_shard(stage), cases())


def of_batch(kind: type[Batch], tail: str) -> Fault:
    def cases() -> Iterator[Case]:
        for n, size in product(range(8), range(1, 4)):
            stage = built(kind, n=number(size), tail=tail)
            marked = read(stage, here(n))
            model = [[marked[p] for p in group] for group in grouped(stage, here(n))]
            hand = batched([(at, False) for at in range(n)], size, tail)
            real = stage.real(list(range(n)), Reality(torch, 0, 1, 0, {"n": size}))
            yield model != hand, [first(group) for group in model] != list(real)

    return of_stage(kind, promises.of_batch(built(kind, n=variable("batch"), tail=tail)), cases())


def of_accumulate(kind: type[Accumulate], tail: str) -> Fault:
    def cases() -> Iterator[Case]:
        for n, size, epoch in product(range(8), range(1, 4), range(3)):
            stage, groups = built(kind, n=number(size), tail=tail), chunks(list(range(n)), 2)
            steps = Batch(n=number(2)).grouped(here(n))
            waiting = epoch * len(groups) % size
            marked = [[(record, False) for record in group] for group in groups]
            hand = [first(group) for group in accumulated(marked, size, tail, waiting)]
            real = stage.real(groups, Reality(torch, 0, 1, epoch, {"n": size}))
            model = grouped(stage, here(n, epoch=epoch, above=steps))
            yield model != hand, model != list(map(list, real))

    stage = built(kind, n=variable("accumulate"), tail=tail)
    return of_stage(kind, promises.of_accumulate(stage, "batches"), cases())


def of_stop(kind: type[Stop]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, steps in product(range(8), range(4)):
            stage, groups = kind(steps=number(steps)), chunks(list(range(n)), 2)
            above = Batch(n=number(2)).grouped(here(n))
            real = stage.real(groups, Reality(torch, 0, 1, 0, {"steps": steps}))
            model = grouped(stage, here(n, above=above))
            yield model != groups[:steps], model != list(real)

    return of_stage(kind, promises.of_stop(kind(steps=variable("steps")), "batches"), cases())


def of_shuffle(kind: type[Shuffle]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, rank, epoch in product(range(6), range(2), range(3)):
            stage = kind(seed=number(3))
            real = stage.real(list(range(n)), Reality(torch, rank, 2, epoch, {"seed": 3}))
            hand = shuffled(Written("shuffle", options={"seed": 3}), n, epoch, rank)
            model = first(read(stage, here(n, rank, 2, epoch)))
            yield model != hand, model != list(real)

    return of_stage(kind, promises.of_shuffle(kind(seed=variable("seed"))), cases())


def of_draw(kind: type[Draw], *, replacement: bool = True) -> Fault:
    def cases() -> Iterator[Case]:
        for size, n, rank, epoch in product(range(5), range(8), range(2), range(3)):
            options = {"replacement": replacement, "seed": number(3), "n": number(n)}
            stage = built(kind, **options)
            real = stage.real(list(range(size)), Reality(torch, rank, 2, epoch, {"seed": 3, "n": n}))
            hand = drawn(Written("draw", n, {**options, "seed": 3}), size, epoch, rank)
            model = first(read(stage, here(size, rank, 2, epoch)))
            yield model != hand, model != list(real)

    options = {"replacement": replacement, "seed": variable("seed"), "n": variable("drawn")}
    return of_stage(kind, promises.of_draw(built(kind, **options)), cases())


def of_lanes(kind: type[Shard], tail: str, id: str = "rank_major") -> Fault:  # noqa: A002 -- the option
    """A deal to the workers of all ranks; torch has no object for it."""
    stage = built(kind, lanes=BOTH, tail=tail, id=id)

    def cases() -> Iterator[Case]:
        for n, ranks, workers in product(range(8), range(1, 4), range(1, 4)):
            lanes = sharded([(record, False) for record in range(n)], ranks * workers, "strided", tail)
            for rank, worker in product(range(ranks), range(workers)):
                at = rank * workers + worker if id == "rank_major" else worker * ranks + rank
                lane = here(n, rank, ranks, worker=worker, workers=workers)
                yield read(stage, lane) != lanes[at], False

    return of_stage(kind, promises.of_shard(stage), cases())


def of_skip(kind: type[Skip]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, count in product(range(6), range(8)):
            model = first(read(kind(count=number(count)), here(n)))
            yield model != list(range(n))[count:], False

    return of_stage(kind, promises.of_skip(kind(count=variable("skip"))), cases())


def of_listed_files(kind: type[ListedFiles]) -> Fault:
    rows = (3, 0, 2, 4)
    contents = [list(range(sum(rows[:at]), sum(rows[: at + 1]))) for at in range(len(rows))]
    stage = kind(deal=Shard(lanes=RANK, tail="uneven"), rows=rows)

    def cases() -> Iterator[Case]:
        for ranks in range(1, 5):
            for rank in range(ranks):
                expected = [record for file in contents[rank::ranks] for record in file]
                real = stage.real(list(range(sum(rows))), Reality(torch, rank, ranks, 0, {}))
                model = first(read(stage, here(sum(rows), rank, ranks)))
                yield model != expected, model != real

    return of_stage(kind, promises.of_listed_files(stage), cases())


def of_portion(kind: type[Portion]) -> Fault:
    def cases() -> Iterator[Case]:
        for n, start, end in product(range(8), range(4), range(4)):
            above = Batch(n=number(2)).grouped(here(n))
            left = chunks(range(n), 2)[start : end + 1]
            model = first(read(kind(start=number(start), end=number(end)), here(n, above=above)))
            yield model != [record for group in left for record in group], False

    stage = kind(start=variable("start"), end=variable("end"))
    return of_stage(kind, promises.of_portion(stage, "batches"), cases())


def of_copy(kind: type[Copy]) -> Fault:
    stage = kind(lanes=BOTH)
    cases = (
        (first(read(stage, here(n, worker=worker, workers=2))) != list(range(n)), False)
        for n, worker in product(range(5), range(2))
    )
    return of_stage(kind, promises.of_copy(stage, "records"), cases)


def of_weigh(kind: type[Weigh]) -> Fault:
    stage = kind(padding=Fraction(0))
    cases = ((first(read(stage, here(n, 1, 2))) != list(range(n)), False) for n in range(5))
    return of_stage(kind, promises.of_weigh(stage, "records"), cases)


def of_resume(kind: type[Resume]) -> Fault:
    cases = (
        (first(read(kind(after=number(after)), here(n))) != list(range(n)), False)
        for n, after in product(range(5), range(3))
    )
    return of_stage(kind, promises.of_resume(kind(after=variable("after")), "records"), cases)


def of_mix(kind: type[Mixing], pick: str, stop: str) -> Fault:
    """A mix of small datasets, and one of any sizes."""

    def cases() -> Iterator[Case]:
        for small in SMALL:
            if (small.pick, small.stop) == (pick, stop):
                model = first(read(kind(**small.stage.options()), small.here))
                yield model != small.by_hand(), model != small.real()

    right = subject(pick, stop)
    wrong = replace(right, stage=kind(**right.stage.options()))
    return Fault("mix", kind.__doc__, of_mixing(wrong), cases())
