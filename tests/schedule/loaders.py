"""A loader that a test writes as a spec, as its plan and as its lists."""

from __future__ import annotations

from epochproof.prove.session import load
from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.term.node import number


def loader(size: int | None, *entries: str) -> Loader:
    """A loader over so many records, with these settings and stages; the size is free where it is `None`."""
    records, lines = "in 0.." if size is None else f"= {size}", "\n".join(f"  {each}" for each in entries)
    return load(f"edition 1\ndataset d {{ size {records} }}\nloader l over d {{\n{lines}\n}}\n").loaders["l"]


def plan(size: int | None, *entries: str) -> Plan:
    """The plan of that loader."""
    return plan_of(loader(size, *entries))


def lists(of: Plan, *, epochs: int = 1) -> Lists:
    """What a plan without free parameters delivers."""
    return Compiled(of, number(epochs), ()).run(())


def groups(read: Delivered) -> list[list[int]]:
    """The records of each step."""
    found: dict[int, list[int]] = {}
    for record, step in zip(read.records, read.step, strict=True):
        found.setdefault(step, []).append(record)
    return [found[step] for step in sorted(found)]


def delivered(size: int, *entries: str, epoch: int = 0) -> list[list[list[int]]]:
    """For each rank the records of each step."""
    return [groups(lane) for lane in lists(plan(size, *entries), epochs=epoch + 1).epoch(epoch)]
