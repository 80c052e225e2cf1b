"""Checking again whenever a spec changes, or a file that one names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from epochproof.cli._inputs import files
from epochproof.cli._reading import Reading, reading
from epochproof.cli._versions import State, state
from epochproof.diagnostics import SpecError

PAUSE = 0.5
"""Seconds between two looks at the files."""

_INTERRUPTED = 130
"""The exit code where not even the first look came to its end."""

Show = Callable[[Sequence[Reading], Sequence[Reading]], int]
"""Prints those that are new, then what there is to say of all; the exit code."""


def watch(named: Sequence[str], show: Show, prover: str | None, looks: Iterable[object] | None = None) -> int:
    """Checks the specs, and again those that changed, until it is interrupted; the last exit code.

    Args:
        named: Specs and folders.
        show: Prints verdicts.
        prover: What verdicts rest on beside the specs, if they are kept; else `None`.
        looks: One item for each look at the files; without end if `None`.
    """
    known: dict[str, tuple[State | None, Reading]] = {}
    code, before = _INTERRUPTED, list[str]()
    try:
        for _ in _paused() if looks is None else looks:
            readings, new = _look(named, known, prover)
            paths = list(known)
            if new or paths != before:
                code, before = show(readings, new), paths
    except KeyboardInterrupt:
        pass
    return code


def _paused() -> Iterator[int]:
    for at in count():
        if at:
            time.sleep(PAUSE)
        yield at


def _look(
    named: Sequence[str], known: dict[str, tuple[State | None, Reading]], prover: str | None
) -> tuple[list[Reading], list[Reading]]:
    """All specs as they are now, and those that were checked just now; `known` then holds them all."""
    old, readings, new = dict(known), list[Reading](), list[Reading]()
    known.clear()
    for each in files(named):
        if isinstance(each, SpecError):
            name = str(each.diagnostics[0].message)
            found = old.get(name) or (None, Reading(each))
        else:
            name, now = each, state(each)
            was = old.get(name)
            found = was if was and was[0] == now and not _changed(was[1]) else (now, reading(each, prover))
        known[name] = found
        readings.append(found[1])
        if name not in old or old[name] is not found:
            new.append(found[1])
    return readings, new


def _changed(found: Reading) -> bool:
    return any(state(path) != known for path, known in found.files.items())
