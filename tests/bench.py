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


ROWS, MOST_MEGABYTES = 10**7, 1024
"""A manifest has so many rows, and a claim about it may take so much memory."""

PINNED = """edition 1
dataset clips {
  manifest = "clips.parquet"
  id       = clip_id
  groups   = video
  weight   = w
}
"""
READ = """
loader train over clips {
  ranks in 1..64
  shuffle(seed = any)
  shard(ranks, tail = pad)
}
prove "every clip is read" : train.omitted == {}
"""
APART = """
split s of clips by clips { assignment = part, train = "train", val = "val" }
prove "videos are kept together" : s.train disjoint from s.val by video
"""


CRYPTOGRAPHY = """
from cryptography.hazmat.primitives.serialization import load_pem_public_key
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
    Ratio("check again", "pass", 3.0),
    Ratio("fmt sc241", "floor", None),
    Ratio("verify V1", "cryptography", 3.0),
    Ratio("verify V3", "floor", None),
    Ratio("attest any-size", "floor", 6.0),
    Ratio("run 25", "bare loops", 1.3),
    Ratio("check 10^7 rows", "bare query", 1.3),
    Ratio("leak 10^7 rows", "bare leak", 1.3),
)


def commands(folder: Path) -> dict[str, list[str]]:
    """The commands to time, by name; specs that are made for this go to `folder`."""
    for name, size, ranks in (("large", 10**12, 4096), ("small", 10, 2)):
        (folder / f"{name}.epoch").write_text(SCHEDULE.format(size=size, ranks=ranks))
    examples, epochproof, check = ROOT / "examples", ["-m", "epochproof"], ["check", "--no-cache"]
    many, calls, bare = str(ROOT / "tests" / "bench.epoch"), str(folder / "calls"), ["-m", "tests.bare_loops"]
    measured([*bare, "record", many, calls])
    manifest, query = str(folder / "clips.parquet"), ["-m", "tests.bare_query"]
    (folder / "pinned.epoch").write_text(PINNED + READ)
    (folder / "apart.epoch").write_text(PINNED + APART)
    measured([*query, "make", manifest, str(ROWS)])
    key, offer, spec = str(folder / "acme.pem"), str(folder / "offer.json"), str(examples / "any-size.epoch")
    measured([*epochproof, "key", "new", "--out", key])
    attest = [*epochproof, "attest", spec, "--key", key, "--out", offer]
    measured(attest)
    verify = [*epochproof, "verify", offer, "--key", key.replace(".pem", ".pub.pem"), "--spec", spec]
    return {
        "pass": ["-c", "pass"],
        "floor": ["-c", FLOOR],
        "check sc241": [*epochproof, *check, str(examples / "sc241.epoch")],
        "check any-size": [*epochproof, *check, str(examples / "any-size.epoch")],
        "check 25": [*epochproof, *check, many],
        "count 10": [*epochproof, "count", str(folder / "small.epoch")],
        "count 10^12": [*epochproof, "count", str(folder / "large.epoch")],
        "--help": [*epochproof, "--help"],
        "check again": [*epochproof, "check", str(examples / "sc241.epoch")],
        "cryptography": ["-c", CRYPTOGRAPHY],
        "verify V1": [*verify, "--up-to", "V1"],
        "verify V3": verify,
        "attest any-size": attest,
        "fmt sc241": [*epochproof, "fmt", "--check", str(examples / "sc241.epoch")],
        "run 25": [*epochproof, "run", many],
        "bare loops": [*bare, "loop", many, calls],
        "check 10^7 rows": [*epochproof, *check, str(folder / "pinned.epoch")],
        "bare query": [*query, "ask", manifest],
        "leak 10^7 rows": [*epochproof, *check, str(folder / "apart.epoch")],
        "bare leak": [*query, "leak", manifest],
    }


@dataclass(frozen=True)
class Cost:
    """Seconds of a whole process, and the megabytes that it held at most."""

    seconds: float
    megabytes: float


def measured(command: list[str]) -> Cost:
    """What a fresh interpreter takes for a command; an exit code other than 0 is an error."""
    start = time.perf_counter()
    given = [sys.executable, *command]
    process = subprocess.Popen(given, stdout=subprocess.DEVNULL, env=os.environ, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    taken = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, given)
    return Cost(taken, usage.ru_maxrss / 1024)


def medians(rounds: int) -> dict[str, Cost]:
    """The median seconds of each command, and its most megabytes; the first round is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["EPOCHPROOF_CACHE_DIR"] = str(Path(folder) / "kept")
        every = commands(Path(folder))
        taken: dict[str, list[Cost]] = {name: [] for name in every}
        for _ in range(rounds + 1):
            for name, command in every.items():
                taken[name].append(measured(command))
    return {
        name: Cost(
            statistics.median(each.seconds for each in costs[1:]), max(each.megabytes for each in costs)
        )
        for name, costs in taken.items()
    }


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
        ratio = took[each.name].seconds / took[each.over].seconds
        word = verdict(ratio, each.target)
        missed |= word == "missed"
        goal = "" if each.target is None else f"{each.target:.1f}"
        print(
            f"{each.name:16}{each.over:12}{took[each.name].seconds * 1000:8.0f}{ratio:8.2f}{goal:>8}  {word}"
        )
    for name in ("check 10^7 rows", "leak 10^7 rows"):
        held = took[name].megabytes
        print(f"{name} holds {held:.0f} MiB: {verdict(held, MOST_MEGABYTES)}")
        missed |= held > MOST_MEGABYTES
    floor, bare = took["floor"].seconds * 1000, took["pass"].seconds * 1000
    print(f"floor {floor:.0f} ms, bare interpreter {bare:.0f} ms")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
