"""What a stage is refused for where it is written, and which free values it brings along."""

from __future__ import annotations

from epochproof.diagnostics import SpecError
from epochproof.prove.session import load
from epochproof.schedule.read import Schedule
from epochproof.stage._stage import Stage


def schedule(*entries: str) -> Schedule:
    """A loader `l` over eight records, with these settings and stages."""
    lines = "\n".join(f"  {each}" for each in entries)
    return load(f"edition 1\ndataset d {{ size = 8 }}\nloader l over d {{\n{lines}\n}}\n")


def last(*entries: str) -> Stage:
    """The last stage of the loader."""
    return schedule(*entries).loaders["l"].stages[-1].stage


def refused(*entries: str) -> tuple[str, str]:
    """The code and the message of the one thing that is wrong with the loader; empty where nothing is."""
    try:
        schedule(*entries)
    except SpecError as error:
        (only,) = error.diagnostics
        return only.code, only.message
    return "", ""


def free(*entries: str) -> set[str]:
    """The free parameters of the loader."""
    return set(schedule(*entries).scope.parameters)
