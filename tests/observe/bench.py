"""Loaders written as text, on the bench."""

from __future__ import annotations

from itertools import product

import torch

import epochproof
from epochproof.observe.bench import Bench
from epochproof.observe.instances import Instance, parameters
from epochproof.observe.run import run
from epochproof.prove.session import opened
from epochproof.report._run import Difference, RunReport

Choices = dict[str, list[int]]


def spec(stages: str, *, settings: str = "", size: str = "in 0..", claims: str = "") -> str:
    """The text of a spec with one loader, `l` over `d`."""
    lines = "\n  ".join(stages.split("; "))
    return (
        f"edition 1\ndataset d {{ size {size} }}\nloader l over d {{\n  {settings}\n  {lines}\n}}\n{claims}\n"
    )


def bench(stages: str, *, settings: str = "ranks in 1..") -> tuple[Bench, tuple[str, ...]]:
    """The loader on the bench, and the names of its parameters."""
    schedule = epochproof.load(spec(stages, settings=settings))
    loader = schedule.loaders["l"]
    names = tuple(each.name for each in parameters(loader, schedule.scope))
    return Bench(torch, loader, schedule.scope), names


def grid(stages: str, choices: Choices, *, settings: str = "ranks in 1..") -> tuple[int, list[Difference]]:
    """How many occurrences were compared on all combinations of the choices, and what differed."""
    on_bench, names = bench(stages, settings=settings)
    compared, differences = 0, []
    for values in product(*(choices[name] for name in names)):
        instance = Instance(dict(zip(names, values, strict=True)))
        compared += on_bench.occurrences(instance)
        found = on_bench.difference(instance)
        differences += [found] if found else []
    return compared, differences


def ran(text: str) -> RunReport:
    """What running the spec finds."""
    session = opened(epochproof.load(text))
    return run(session, session.checked())
