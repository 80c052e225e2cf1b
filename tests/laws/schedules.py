"""Cases in which a fault in a part of a schedule shows: lists written by hand, and torch where it has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice, product
from typing import Any
from unittest.mock import patch

from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, IterableDataset, get_worker_info

import epochproof
from epochproof.claim import _interrupted, _weighing
from epochproof.claim._quantity import Seen
from epochproof.schedule import deliveries, draws, interrupted
from tests.claim.weighed import weights
from tests.laws.fault import Case, Fault
from tests.schedule.halves import Half, World, read
from tests.schedule.loaders import groups, lists, plan
from tests.schedule.processes import EPOCHS, Drawing, mapped
from tests.schedule.segments import Segments, delivered
from tests.worlds import Marked, Written, batch, batched, chunks, shard
from tests.worlds import World as Weighed

Cases = Callable[[], Iterator[Case]]
AFTER_A_STOP, ASKED, DRAWN, TAKEN, WEIGHED = (
    (interrupted, ("_where", "_going_on", "Stop")),
    (_interrupted, ("stops",)),
    (draws, ("_a_pass", "_who")),
    (deliveries, ("_in_turn",)),
    (_weighing, ("_masked", "_shares")),
)


def right(stage: str, cases: Cases) -> Fault:
    """No fault at all."""
    return Fault(stage, None, iter(()), cases())


def planted(stage: str, part: str, fault: Callable[..., Any], cases: Cases) -> Fault:
    """The part of the schedule that `fault` stands for."""
    (module,) = [module for module, parts in (AFTER_A_STOP, ASKED, DRAWN, TAKEN, WEIGHED) if part in parts]

    def found() -> Iterator[Case]:
        with patch.object(module, part, fault):
            yield from cases()

    return Fault(stage, fault.__doc__, iter(()), found())


def after_a_stop(position: str = "consumed", counter: str = "rank", order: str = "same") -> Cases:
    """An interrupted run against slices of lists, and against torch's samplers."""

    def cases() -> Iterator[Case]:
        how = World(0, Half(1, 1), Half(1, 1), 0, position, counter, order)
        found = interrupted.interrupted(how.free())
        assert found is not None
        for size, ranks, again, of, then, after in product(
            (0, 5, 12), (1, 2), (1, 3), (1, 2), (1, 3), (0, 2)
        ):
            world = replace(
                how, size=size, old=Half(ranks, of), new=Half(again, then, 8), after=after, workers=1
            )
            before, resumed = (read(part, 0, world) for part in found.parts)
            yield (
                (before, resumed) != (world.before(0), world.resumed(0)),
                (_records(before), _records(resumed)) != _stopped(world),
            )

    return cases


def _records(lanes: list[list[Marked]]) -> list[list[list[int]]]:
    return [[[record for record, _ in batch] for batch in lane] for lane in lanes]


def _stopped(world: World) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
    """What torch's samplers give to a loop that breaks, and to one that skips what was read."""
    seed = world.new.seed if world.order == "fresh" else world.old.seed
    whole = [_sampled(range(world.size), world.old, rank, world.old.seed) for rank in range(world.old.ranks)]
    steps = world.after
    if world.position == "fetched":
        most = -(-max(map(len, whole)) // world.old.batch)
        steps = min(most, steps + world.workers * world.prefetch)
    skipped = steps * world.old.batch
    rest = []
    for rank in range(world.new.ranks):
        if world.counter == "global":
            order = _sampled(range(world.size), Half(1, 1), 0, seed)[skipped * world.old.ranks :]
            lane = _sampled(order, world.new, rank, None)
        else:
            lane = list(islice(_sampled(range(world.size), world.new, rank, seed), skipped, None))
        rest.append(list(BatchSampler(lane, world.new.batch, drop_last=False)))
    first = [
        list(islice(BatchSampler(lane, world.old.batch, drop_last=False), world.after)) for lane in whole
    ]
    return first, rest


def after_stops(counter: str = "rank") -> Cases:
    """A run that is interrupted twice, against the same."""

    def cases() -> Iterator[Case]:
        how = Segments(0, Half(1, 1), Half(1, 1), (0, 0), (8, 9), counter=counter)
        found = interrupted.interrupted(how.free())
        assert found is not None
        for size, ranks, again, of, then, stop in product((5, 12), (1, 2), (1, 3), (1, 2), (1, 3), (1, 2)):
            run = replace(how, size=size, old=Half(ranks, of), new=Half(again, then), stops=(1, stop))
            parts = [delivered(part, run, 0) for part in found.parts]
            yield parts != run.parts(0), [*map(_records, parts)] != _stopped_twice(run)

    return cases


def _stopped_twice(run: Segments) -> list[list[list[list[int]]]]:
    """What torch's samplers give to loops that skip what was read, and break."""
    found, half, skipped, every = [], run.old, 0, Half(1, 1)
    for stop in (*run.stops, None):
        lanes = []
        for rank in range(half.ranks):
            if run.counter == "global":
                rest = _sampled(range(run.size), every, 0, run.old.seed)[skipped:]
                lane = _sampled(rest, half, rank, None)
            else:
                lane = list(islice(_sampled(range(run.size), half, rank, run.old.seed), skipped, None))
            lanes.append(list(islice(BatchSampler(lane, half.batch, drop_last=False), stop)))
        found.append(lanes)
        skipped += (stop or 0) * half.batch * (half.ranks if run.counter == "global" else 1)
        half = run.new
    return found


def asked() -> Cases:
    """Whether a claim speaks of a run that would be stopped after its end."""
    head = "edition 1\ndataset d { size = 6 }\nloader l over d { batch(2)\nresume(times = 2) }\n"

    def cases() -> Iterator[Case]:
        for one, other in product(range(5), repeat=2):
            text = f'{head}prove "" : l.lost == {{}} given l.after == {one} and l.after_2 == {other}\n'
            (claim,) = epochproof.check(text).claims
            yield (claim.verdict.word == "vacuous") != (one + other > 3), False

    return cases


def _sampled(order: Any, half: Half, rank: int, seed: int | None) -> list[int]:
    sampler = DistributedSampler(order, half.ranks, rank, shuffle=seed is not None, seed=seed or 0)
    return [order[at] for at in sampler]


def drawn(*, persistent: bool = False) -> Cases:
    """What samples draw, against processes that count."""

    def cases() -> Iterator[Case]:
        fetch = f"fetch(in 0.., persistent = {str(persistent).lower()})"
        of = plan(None, f"epochs = {EPOCHS}", "batch(in 1..)", fetch, "augment()")
        model = Drawing(of, "d.size", "l.batch", "l.fetch")
        for n, size, workers in product((0, 5, 12), (1, 2), range(4)):
            batches = batched([(record, False) for record in range(n)], size, "keep")
            hand = list(mapped(batches, workers, 0, "same", persistent=persistent))
            yield [model.samples(n, size, workers, epoch=epoch) for epoch in range(EPOCHS)] != hand, False

    return cases


def taken(deal: str = "blocked") -> Cases:
    """In which order a rank reads the batches of its workers, against a loop and against real ones."""

    def cases() -> Iterator[Case]:
        for n, workers, size in ((7, 3, 1), (7, 3, 2), (8, 2, 2)):
            stages = ("style = iterable", f"workers = {workers}", f"shard(workers, layout = {deal})")
            (lane,) = lists(plan(n, *stages, f"batch({size})")).epoch(0)
            hand = _by_turns(n, workers, size)
            numbered = [at for at, group in enumerate(hand) for _ in group]
            yield (groups(lane), lane.step) != (hand, numbered), groups(lane) != _really(n, workers, size)

    return cases


def _runs(n: int, workers: int) -> list[list[int]]:
    """The run of each worker."""
    runs = chunks(range(n), -(-n // workers))
    return [*runs, *([[]] * (workers - len(runs)))]


def _by_turns(n: int, workers: int, size: int) -> list[list[int]]:
    left = [chunks(run, size) for run in _runs(n, workers)]
    found = []
    while any(left):
        found += [own.pop(0) for own in left if own]
    return found


class _Runs(IterableDataset):  # type: ignore[misc]  # torch is not typed here
    """Each worker reads its run."""

    def __init__(self, n: int, workers: int) -> None:
        self._runs = _runs(n, workers)

    def __iter__(self) -> Iterator[int]:
        yield from self._runs[get_worker_info().id]


@cache
def _really(n: int, workers: int, size: int) -> list[list[int]]:
    """What a real loader with worker processes yields."""
    loader = DataLoader(_Runs(n, workers), batch_size=size, num_workers=workers, collate_fn=list, timeout=60)
    return list(loader)


def weighed(how: Written) -> Cases:
    """What records weigh, against sums over lists and over what torch's sampler hands out."""

    def cases() -> Iterator[Case]:
        for size, ranks, below in product((1, 2, 5, 6), (1, 2, 3, 5), ((), (batch(2, "pad"),))):
            world = Weighed(size, ranks, (shard(), *below, how), epochs=2)
            entries = (f"ranks = {ranks}", *map(str, world.stages))
            found = _weighing.weights(Seen(lists(plan(size, *entries), epochs=2), run=False, rank=False))
            model = [found.get(record, 0) for record in range(size)]
            hand = list(weights(world))[:size]
            yield model != hand, not below and model != _really_weighed(size, ranks, how)

    return cases


def _really_weighed(size: int, ranks: int, how: Written) -> list[Fraction]:
    """The weights of a script that knows how the sampler pads: positions from `size` on repeat others."""
    lanes = [list(DistributedSampler(range(size), ranks, rank, shuffle=False)) for rank in range(ranks)]
    every, total = Counter(record for lane in lanes for record in lane), [Fraction(0)] * size
    for rank, lane in enumerate(lanes):
        for at, record in enumerate(lane):
            padded = rank + at * ranks >= size
            total[record] += Fraction(1, every[record]) if "by" in how.options else Fraction(not padded)
    return total
