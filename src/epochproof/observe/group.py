"""Real ranks: processes of a `torch.distributed` group that read their own streams and meet at each step."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from epochproof.observe.real import Read

PATIENCE = 4.0
"""Seconds that a rank waits at a step for the others."""

LIMIT = 40.0
"""Seconds after which a process that does not answer is ended."""

Opened = Callable[[], Callable[[int], Read]]
"""Opens the loader of a rank inside its process; the rank and the size of the world are the group's."""


@dataclass(frozen=True)
class Rank:
    """What one rank did in one epoch: what it read, and how many steps it took together with all others."""

    rank: int
    read: Read
    together: int
    failed: str = ""


def taken_part() -> tuple[int, int] | None:
    """Rank and size of the world where torchrun, or another launcher, started this process; else `None`."""
    try:
        return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    except (KeyError, ValueError):
        return None


def read_together(torch: Any, opened: Opened, epoch: int, among: Any = None) -> Rank:
    """What this rank reads in an epoch, one all-reduce a step `among` a group; the whole world if `None`."""
    group = torch.distributed
    rank, world = group.get_rank(), group.get_world_size()
    read = opened()(epoch)
    patience = timedelta(seconds=PATIENCE)
    for step in range(read.steps):
        try:
            group.monitored_barrier(among, timeout=patience, wait_all_ranks=True)
            here = torch.ones(1, dtype=torch.int64)
            group.all_reduce(here, group=among)
        except RuntimeError:
            return Rank(rank, read, step)
        if int(here) != world:
            return Rank(rank, read, step, failed=f"{int(here)} of {world} ranks took part in step {step}")
    return Rank(rank, read, read.steps)


def together(torch: Any, world: int, opened: Opened, epochs: tuple[int, ...]) -> list[list[Rank]]:
    """What `world` new processes read, epoch by epoch and rank by rank.

    A rank that ends an epoch early goes away; the others wait for it no longer
    than `PATIENCE`. Each epoch has a group of its own.
    """
    found = []
    for epoch in epochs:
        with tempfile.TemporaryDirectory() as folder:
            found.append(_epoch(torch, world, opened, epoch, Path(folder) / "store"))
    return found


def _epoch(torch: Any, world: int, opened: Opened, epoch: int, store: Path) -> list[Rank]:
    fork = multiprocessing.get_context("fork")
    pipes = [fork.Pipe(duplex=False) for _ in range(world)]
    processes = [
        fork.Process(target=_rank, args=(torch, opened, epoch, rank, world, store, pipes[rank][1]))
        for rank in range(world)
    ]
    for process in processes:
        process.start()
    for _, sending in pipes:
        sending.close()
    try:
        return [_answer(rank, receiving) for rank, (receiving, _) in enumerate(pipes)]
    finally:
        for process in processes:
            process.join(1)
            if process.is_alive():
                process.kill()
                process.join()


def _answer(rank: int, receiving: Any) -> Rank:
    nothing = Read((), 0)
    try:
        if receiving.poll(LIMIT):
            answer: Rank = receiving.recv()
            return answer
    except EOFError:
        return Rank(rank, nothing, 0, failed="the process ended without a word")
    return Rank(rank, nothing, 0, failed=f"no answer in {LIMIT:.0f} seconds")


def _rank(torch: Any, opened: Opened, epoch: int, rank: int, world: int, store: Path, sending: Any) -> None:
    """The life of one process."""
    torch.set_num_threads(1)
    # The group's own words about a late rank: who asked tells it in one line.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        torch.distributed.init_process_group(
            "gloo",
            init_method=f"file://{store}",
            rank=rank,
            world_size=world,
            timeout=timedelta(seconds=LIMIT),
        )
        done = read_together(torch, opened, epoch)
    except Exception as error:  # noqa: BLE001 -- whatever a rank raises is told by the one that asked
        done = Rank(rank, Read((), 0), 0, failed=f"{type(error).__name__}: {error}")
    sending.send(done)
    sending.close()
    # No farewell to the group: the others would wait for it.
    os._exit(0)
