"""Run the real PyTorch loader beside the model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from epochproof.cli._inputs import parsed
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, symbols
from epochproof.observe.run import run as run_loaders
from epochproof.observe.torch_room import load_torch
from epochproof.prove.session import opened
from epochproof.report import run_as_json, run_as_text
from epochproof.schedule.read import read_schedule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `run` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, or `-`")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found; the exit code is 4 where model and loader differ, else that of the claims."""
    session = opened(read_schedule(parsed(arguments.file)))
    load_torch()  # without it no claim needs to be proved first
    with _progress() as progress:
        report = run_loaders(session, session.checked(), progress=progress)
    if arguments.format == "json":
        print(run_as_json.render(report))
    else:
        print(run_as_text.render(report, colour=colour(sys.stdout), symbols=symbols(sys.stdout)))
    return report.exit_code


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Draws a bar on the error stream, if that is a terminal; it is gone afterwards."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 -- only a terminal needs it
    from rich.progress import Progress  # noqa: PLC0415 -- only a terminal needs it

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("instances", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
