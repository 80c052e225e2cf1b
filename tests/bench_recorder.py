"""`python -m tests.bench_recorder`: what recording costs a loop over a loader, as ratios in one process.

A bare and a recorded pass over the same loader take turns, some batches each, so that a slow moment of
the machine meets both; the fastest fifths of these turns are compared, in time of the processor. What happens
once, when a pass begins and when the journals become Parquet, is told apart.
"""

from __future__ import annotations

import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

from epochproof import record

SIDE, IMAGES = 64, 256


class Images(Dataset[Any]):  # type: ignore[misc]  # torch is not seen by mypy
    """Small images of colour, compressed as PNG compresses them, decoded when they are read."""

    def __init__(self, size: int) -> None:
        noise = torch.randint(0, 8, (IMAGES, SIDE, SIDE, 3), generator=torch.Generator().manual_seed(0))
        ramp = torch.arange(SIDE).reshape(1, SIDE, 1, 1) + torch.arange(SIDE).reshape(1, 1, SIDE, 1)
        self._held = [zlib.compress(each.numpy().tobytes()) for each in (ramp + noise).to(torch.uint8)]
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: int) -> Any:
        held = bytearray(zlib.decompress(self._held[at % IMAGES]))
        return torch.frombuffer(held, dtype=torch.uint8).reshape(SIDE, SIDE, 3).permute(2, 0, 1) / 255


@dataclass(frozen=True)
class Case:
    """A loader, how many of its batches are a turn, and the most that recording may cost."""

    name: str
    make: Callable[[], Any]
    turn: int
    target: float


def identity(batch: int) -> Callable[[], Any]:
    return lambda: DataLoader(range(batch * 12_000), batch_size=batch)


CASES = (
    Case("decoding, 32", lambda: DataLoader(Images(32 * 400), batch_size=32), 2, 1.02),
    Case("identity, 16", identity(16), 100, 1.15),
    Case("identity, 64", identity(64), 100, 1.15),
    Case("identity, 256", identity(256), 100, 1.15),
)


@dataclass(frozen=True)
class Cost:
    """Microseconds a batch, bare and recorded; milliseconds of a begin; nanoseconds a row of a close."""

    bare: float
    recorded: float
    begin: float
    close: float


def turns(batches: Any, length: int) -> Iterator[float]:
    """The seconds of each turn of a pass."""
    while True:
        start = time.process_time()
        taken = sum(1 for _ in islice(batches, length))
        if taken < length:
            return
        yield (time.process_time() - start) / length


def undisturbed(seconds: tuple[float, ...]) -> float:
    """The slowest of the fastest fifth: others shared the processor with somebody."""
    return quantiles(seconds, n=5)[0]


def measured(case: Case) -> Cost:
    """What a pass costs, and how much of it the recorder."""
    with tempfile.TemporaryDirectory() as folder:
        loader = record(case.make(), Path(folder) / "trace", rank=0, ranks=1)
        start = time.process_time()
        recorded = iter(loader)
        begun = time.process_time()
        both = zip(turns(iter(case.make()), case.turn), turns(recorded, case.turn), strict=True)
        bare, slowed = zip(*both, strict=True)
        closing = time.process_time()
        loader.close()
        closed = (time.process_time() - closing) / len(loader.dataset)
    return Cost(undisturbed(bare) * 1e6, undisturbed(slowed) * 1e6, (begun - start) * 1e3, closed * 1e9)


def main() -> int:
    """Prints the table; the exit code is 1 when a target is missed."""
    torch.set_num_threads(1)
    print("loader, batch     µs/batch  recorded   ratio  target           begin        close")
    missed = False
    for case in CASES:
        cost = measured(case)
        ratio = cost.recorded / cost.bare
        word = "met" if ratio <= case.target else "missed"
        missed |= ratio > case.target
        print(
            f"{case.name:16}{cost.bare:10.1f}{cost.recorded:10.1f}{ratio:8.3f}{case.target:8.2f}  {word:6}"
            f"{cost.begin:5.1f} ms{cost.close:7.0f} ns/row"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
