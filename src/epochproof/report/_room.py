"""The formats that there are: the public modules of this room, called `COMMAND_as_FORMAT`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import epochproof.report
from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked

Render = Callable[[Sequence[Checked | SpecError]], str]
"""From the verdicts of each spec, or why it is wrong, to the document, without a line break at the end."""


@cache
def formats(command: str) -> tuple[str, ...]:
    """The formats in which a command reports, sorted."""
    start = f"{command}_as_"
    modules = [each.name for each in iter_modules(epochproof.report.__path__)]
    return tuple(sorted(each.removeprefix(start) for each in modules if each.startswith(start)))


def document(form: str) -> Render:
    """How `check` is reported in one of `formats("check")`, save `text`, which is written spec by spec."""
    render: Render = import_module(f"epochproof.report.check_as_{form}").render
    return render
