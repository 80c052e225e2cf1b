"""`python -m tests.bench`: what the commands cost, as ratios of whole processes.

Rounds are interleaved, so that a slow moment of the machine meets every command; medians are compared.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOOR = """
import lark, pydantic, z3
context = z3.Context()
x, solver = z3.Int("x", context), z3.Solver(ctx=context)
solver.add(x > 0)
assert str(solver.check()) == "sat"
"""
SCHEDULE = """edition 1
dataset records {{ size = {size} }}
loader train over records {{
  ranks = {ranks}
  shuffle(seed = 0)
  shard(ranks, tail = pad)
  batch(4, tail = drop)
}}
"""


@dataclass(frozen=True)
class Ratio:
    """One command over another, and the most it may be; `None` where it is only told."""

    name: str
    over: str
    target: float | None


RATIOS = (
    Ratio("check sc241", "floor", 2.0),
    Ratio("check any-size", "floor", 3.5),
    Ratio("check 25", "floor", 12.0),
    Ratio("count 10^12", "count 10", 1.5),
    Ratio("--help", "pass", 4.0),
    Ratio("fmt sc241", "floor", None),
    Ratio("run 25", "bare loops", 1.3),
)


def commands(folder: Path) -> dict[str, list[str]]:
    """The commands to time, by name; specs that are made for this go to `folder`."""
    for name, size, ranks in (("large", 10**12, 4096), ("small", 10, 2)):
        (folder / f"{name}.epoch").write_text(SCHEDULE.format(size=size, ranks=ranks))
    examples, epochproof = ROOT / "examples", ["-m", "epochproof"]
    many, calls, bare = str(ROOT / "tests" / "bench.epoch"), str(folder / "calls"), ["-m", "tests.bare_loops"]
    seconds([*bare, "record", many, calls])
    return {
        "pass": ["-c", "pass"],
        "floor": ["-c", FLOOR],
        "check sc241": [*epochproof, "check", str(examples / "sc241.epoch")],
        "check any-size": [*epochproof, "check", str(examples / "any-size.epoch")],
        "check 25": [*epochproof, "check", many],
        "count 10": [*epochproof, "count", str(folder / "small.epoch")],
        "count 10^12": [*epochproof, "count", str(folder / "large.epoch")],
        "--help": [*epochproof, "--help"],
        "fmt sc241": [*epochproof, "fmt", "--check", str(examples / "sc241.epoch")],
        "run 25": [*epochproof, "run", many],
        "bare loops": [*bare, "loop", many, calls],
    }


def seconds(command: list[str]) -> float:
    """How long a fresh interpreter takes for a command; an exit code other than 0 is an error."""
    start = time.perf_counter()
    given = [sys.executable, *command]
    subprocess.run(given, check=True, stdout=subprocess.DEVNULL, env=os.environ, cwd=ROOT)
    return time.perf_counter() - start


def medians(rounds: int) -> dict[str, float]:
    """The median seconds of each command; one round before the first is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        every = commands(Path(folder))
        taken: dict[str, list[float]] = {name: [] for name in every}
        for _ in range(rounds + 1):
            for name, command in every.items():
                taken[name].append(seconds(command))
    return {name: statistics.median(times[1:]) for name, times in taken.items()}


def verdict(ratio: float, target: float | None) -> str:
    """Whether a ratio is within its target, in a word."""
    if target is None:
        return "told"
    return "met" if ratio <= target else "missed"


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    took = medians(parser.parse_args(arguments).rounds)
    print(f"{'command':16}{'over':12}{'ms':>8}{'ratio':>8}{'target':>8}")
    missed = False
    for each in RATIOS:
        ratio = took[each.name] / took[each.over]
        word = verdict(ratio, each.target)
        missed |= word == "missed"
        goal = "" if each.target is None else f"{each.target:.1f}"
        print(f"{each.name:16}{each.over:12}{took[each.name] * 1000:8.0f}{ratio:8.2f}{goal:>8}  {word}")
    print(f"floor {took['floor'] * 1000:.0f} ms, bare interpreter {took['pass'] * 1000:.0f} ms")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
