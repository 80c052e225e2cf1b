"""Instances on real ranks: which ones run in a `torch.distributed` group, and what comes of it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic
from typing import Any

from epochproof.observe.bench import Bench, Lane
from epochproof.observe.compare import Apart, apart
from epochproof.observe.cover import pairwise
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.group import Opened, Rank, read_together, together
from epochproof.observe.instances import Instance
from epochproof.observe.real import Read
from epochproof.report._run import Difference, EndsEarly, LoaderRun

FEWEST_RANKS, MOST_RANKS, MOST_INSTANCES, SECONDS = 2, 4, 6, 30.0
"""So many ranks and instances of a loader at most; no instance starts after so many seconds."""

WAIT = 600
"""Seconds that the other ranks of a launcher wait for rank 0 to check the claims."""

Together = Callable[[Bench, Instance], list[list[Rank]]]
"""Runs an instance on real ranks: for each epoch what each rank did."""


@dataclass(frozen=True)
class GroupRun:
    """How many instances ran on real ranks, what differed first, and which ended unevenly first."""

    instances: int
    difference: Difference | None
    ends_early: EndsEarly | None
    left_out: tuple[str, ...]


def chosen(bench: Bench, instances: Sequence[Instance], world: int | None) -> list[Instance]:
    """A pairwise cover of the instances with few ranks, or with just `world`, uneven ones first."""
    fit = [each for each in _moved(bench, instances, world) if _fits(bench, each, world)]
    even = [(each, _even(bench, each)) for each in fit]
    cases = [(each, (*each.cases, "even" if alike else "uneven")) for each, alike in even]
    return pairwise(sorted(cases, key=lambda each: each[1][-1] == "even"))


def _moved(bench: Bench, instances: Sequence[Instance], world: int | None) -> list[Instance]:
    """The instances, and those on one rank on more ranks, too."""
    wanted = (FEWEST_RANKS, FEWEST_RANKS + 1) if world is None else (world,)
    few = [each for each in instances if bench.ranks(each) < FEWEST_RANKS]
    moved = [bench.on_ranks(each, ranks) for each in few for ranks in wanted]
    return [*instances, *(each for each in moved if each is not None)]


def _fits(bench: Bench, instance: Instance, world: int | None) -> bool:
    ranks, whole = bench.ranks(instance), bench.extent(instance)
    right = FEWEST_RANKS <= ranks <= MOST_RANKS if world is None else ranks == world
    return right and len(whole.ranks) == ranks and bench.workers(instance) <= MOST_RANKS


def _even(bench: Bench, instance: Instance) -> bool:
    lanes = [Lane(rank, 0) for rank in range(bench.ranks(instance))]
    return len({bench.delivered(instance, lane).steps for lane in lanes}) == 1


def with_ranks(run: LoaderRun, bench: Bench, instances: Sequence[Instance], go: Together) -> LoaderRun:
    """What ran, with what the instances did on real ranks."""
    found = _run(bench, instances, go)
    difference = run.difference or found.difference
    return replace(
        run,
        difference=difference,
        delivery=None if difference else run.delivery,
        left_out=(*run.left_out, *found.left_out),
        in_group=found.instances,
        ends_early=found.ends_early,
    )


def _run(bench: Bench, instances: Sequence[Instance], go: Together) -> GroupRun:
    early, until, ran = None, monotonic() + SECONDS, 0
    for instance in instances[:MOST_INSTANCES]:
        if monotonic() > until:
            break
        for epoch, ranks in zip(bench.extent(instance).epochs, go(bench, instance), strict=False):
            wrong = _wrong(bench, instance, epoch, ranks)
            if wrong is not None:
                return GroupRun(ran, wrong, early, ())
            early = early or _early(instance, epoch, ranks)
        ran += 1
    without = len(instances) - ran
    left = (f"real ranks for {without} of {len(instances)} instances of the cover",) if without else ()
    return GroupRun(ran, None, early, left)


def _wrong(bench: Bench, instance: Instance, epoch: int, ranks: Sequence[Rank]) -> Difference | None:
    name = "ranks in a gloo group"
    fewest = min(bench.delivered(instance, Lane(each.rank, epoch)).steps for each in ranks)
    for each in ranks:
        lane = Lane(each.rank, epoch)
        found = apart(bench.delivered(instance, lane), each.read)
        if each.failed:
            found = Apart(None, None, f"{bench.delivered(instance, lane).steps} steps", each.failed)
        if found is None and each.together != fewest:
            found = Apart(None, None, f"{fewest} steps of all ranks", f"{each.together} together")
        if found is not None:
            return bench.told(instance, name, lane, found)
    return None


def _early(instance: Instance, epoch: int, ranks: Sequence[Rank]) -> EndsEarly | None:
    """The ranks that are missing in the first step that not all of them have."""
    step = min(each.together for each in ranks)
    missing = tuple(each.rank for each in ranks if each.read.steps <= step)
    return None if len(missing) == len(ranks) else EndsEarly(instance.values, epoch, step, missing)


def opened(torch: Any, bench: Bench, instance: Instance) -> Opened:
    """Opens the loader of the rank that the group says: `DistributedSampler` asks the group itself."""
    data, workers = torch.utils.data, bench.workers(instance) > 0

    def sampler(dataset: Any, *, num_replicas: int, rank: int, **options: Any) -> Any:
        where = {} if num_replicas > 1 else {"num_replicas": num_replicas, "rank": rank}
        return data.DistributedSampler(dataset, **where, **options)

    def opening() -> Callable[[int], Read]:
        rank = torch.distributed.get_rank()
        if not fusable(bench.loader):
            return bench.worked.open(instance.values, rank, processes=workers)
        fused = Fused(torch, bench.loader)
        set_epoch, loader = fused.loader(
            instance.values, rank, processes=workers, kinds=(data.DataLoader, sampler)
        )

        def epoch(at: int) -> Read:
            set_epoch(at)
            return fused.read(loader)

        return epoch

    return opening


def started(torch: Any) -> Together:
    """Starts the processes itself."""
    return lambda bench, instance: together(
        torch, bench.ranks(instance), opened(torch, bench, instance), bench.extent(instance).epochs[:2]
    )


class Launched:
    """The world of a launcher such as torchrun: this process is one rank of it, rank 0 decides and reports.

    Ranks tell each other what they did through the store, since a group in which a rank was late is of no
    further use: each epoch has a new one.
    """

    def __init__(self, torch: Any) -> None:
        self._torch, self._asked = torch, 0
        torch.distributed.init_process_group("gloo", timeout=timedelta(seconds=WAIT))
        self._store = torch.distributed.distributed_c10d._get_default_store()  # noqa: SLF001 -- there is no other way

    def __call__(self, bench: Bench, instance: Instance) -> list[list[Rank]]:
        """Asks all ranks to run the instance, runs this one, and collects what each did."""
        at, self._asked = self._asked, self._asked + 1
        epochs = bench.extent(instance).epochs[:2]
        self._store.set(f"ask/{at}", json.dumps([bench.loader.name, dict(instance.values), epochs]))
        return self._take_part(at, bench, instance, epochs)

    def follow(self, benches: Callable[[str], Bench]) -> None:
        """Runs what rank 0 asks for, until it is done."""
        while True:
            self._store.wait([f"ask/{self._asked}"], timedelta(seconds=WAIT))
            asked = json.loads(self._store.get(f"ask/{self._asked}"))
            if asked is None:
                return
            name, values, epochs = asked
            self._take_part(self._asked, benches(name), Instance(values), epochs)
            self._asked += 1

    def done(self) -> None:
        """Lets the others go."""
        self._store.set(f"ask/{self._asked}", json.dumps(None))

    def _take_part(
        self, at: int, bench: Bench, instance: Instance, epochs: Sequence[int]
    ) -> list[list[Rank]]:
        group = self._torch.distributed
        rank, world, found = group.get_rank(), group.get_world_size(), []
        for epoch in epochs:
            among = group.new_group(timeout=timedelta(seconds=WAIT))
            try:
                did = read_together(self._torch, opened(self._torch, bench, instance), epoch, among)
            except Exception as error:  # noqa: BLE001 -- whatever a rank raises is told by rank 0
                did = Rank(rank, Read((), 0), 0, f"{type(error).__name__}: {error}")
            self._store.set(f"{at}/{epoch}/{rank}", pickle.dumps(did))
            keys = [f"{at}/{epoch}/{each}" for each in range(world)]
            self._store.wait(keys, timedelta(seconds=WAIT))
            found.append([pickle.loads(self._store.get(key)) for key in keys])  # noqa: S301 -- our own ranks
        return found
