"""`python -m tests.bench_recorder`: what recording costs a loop over a loader, as ratios in one process.

Loops with and without the recorder take turns, so that a slow moment of the machine meets both. The processor
time of the process is compared; the loop is counted from `iter` to its last batch, and what `close` takes, when
the journal becomes Parquet, is told apart.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
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
    """A loader, the most that recording may cost it, and how many batches of it are read."""

    name: str
    make: Callable[[], Any]
    target: float


def identity(batch: int) -> Callable[[], Any]:
    return lambda: DataLoader(range(batch * 8_000), batch_size=batch)


CASES = (
    Case("decoding, 32", lambda: DataLoader(Images(32 * 160), batch_size=32, shuffle=True), 1.02),
    Case("identity, 16", identity(16), 1.15),
    Case("identity, 64", identity(64), 1.15),
    Case("identity, 256", identity(256), 1.15),
)


def loop(loader: Any) -> float:
    """The seconds of the processor that a pass takes."""
    start = time.process_time()
    for _ in loader:
        pass
    return time.process_time() - start


def measured(case: Case, rounds: int) -> tuple[list[float], list[float], float]:
    """Seconds of each bare and each recorded pass, and nanoseconds a row of the fastest `close`."""
    bare, recorded, closing = list[float](), list[float](), float("inf")
    loader = case.make()
    for _ in range(rounds + 1):
        bare.append(loop(case.make()))
        with tempfile.TemporaryDirectory() as folder:
            recording = record(loader, Path(folder) / "trace", rank=0, ranks=1)
            recorded.append(loop(recording))
            start = time.process_time()
            recording.close()
            closing = min(closing, (time.process_time() - start) / len(loader.dataset) * 1e9)
    return bare[1:], recorded[1:], closing


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_recorder", description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    rounds = parser.parse_args(arguments).rounds
    torch.set_num_threads(1)
    print(f"{'loader, batch':16}{'µs/batch':>10}{'recorded':>10}{'ratio':>8}{'target':>8}{'':8}{'close':>12}")
    missed = False
    for case in CASES:
        bare, recorded, closing = measured(case, rounds)
        ratio = statistics.median(recorded) / statistics.median(bare)
        missed |= ratio > case.target
        batches = len(case.make())
        told = [f"{statistics.median(each) / batches * 1e6:10.1f}" for each in (bare, recorded)]
        word = "met" if ratio <= case.target else "missed"
        print(f"{case.name:16}{''.join(told)}{ratio:8.3f}{case.target:8.2f}  {word:6}{closing:7.0f} ns/row")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
