"""Run the real PyTorch loader beside the model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from epochproof.cli._inputs import files, parsed
from epochproof.cli._overrides import add_set, overrides
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, show_diagnostics, symbols
from epochproof.diagnostics import SpecError, fail
from epochproof.observe.group import taken_part
from epochproof.observe.own import loader_meant, own_loader, run_own
from epochproof.observe.run import follow
from epochproof.observe.run import run as run_loaders
from epochproof.observe.torch_room import load_torch
from epochproof.prove.session import opened
from epochproof.report import run_as_json, run_as_text
from epochproof.report._run import RunReport
from epochproof.schedule.read import Schedule, read_schedule
from epochproof.schedule.settle import settled

_WORST_FIRST = (4, 2, 1, 3, 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `run` takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="specs, folders that hold some, or `-`")
    parser.add_argument(
        "--processes",
        action="store_true",
        help="run on real ranks, too: processes of a torch.distributed group, or those of torchrun",
    )
    parser.add_argument(
        "--loader",
        metavar="MODULE:FUNCTION",
        help="compare your own loader instead of torch's: called with rank, world_size and epoch",
    )
    parser.add_argument("--field", metavar="NAME", help="where a batch of your loader holds the record ids")
    parser.add_argument("--of", metavar="NAME", help="which loader of the spec it is (default: the only one)")
    add_set(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found; the exit code is 4 where model and loader differ, else that of the claims."""
    paths = list(files(arguments.files))
    if len(paths) == 1:
        return _outcome(paths[0], arguments)
    if arguments.processes or arguments.loader is not None or arguments.set or arguments.format == "json":
        message = "`--processes`, `--loader`, `--set` and `--format json` are for one spec"
        raise fail("E509", message, None, help="name one spec, or call it once for each")
    load_torch()  # what is missing is said once
    codes = {_outcome_shown(path, arguments) for path in paths}
    return next(code for code in _WORST_FIRST if code in codes)


def _outcome_shown(path: str | SpecError, arguments: argparse.Namespace) -> int:
    """The exit code of one spec of several; a wrong one does not stop the others."""
    try:
        return _outcome(path, arguments)
    except SpecError as error:
        sys.stdout.flush()
        show_diagnostics(error)
        return 2
    finally:
        print(flush=True)


def _outcome(path: str | SpecError, arguments: argparse.Namespace) -> int:
    if isinstance(path, SpecError):
        raise path
    schedule = read_schedule(parsed(path), overrides(arguments.set))
    if arguments.loader is not None:
        return _shown(_own(arguments, schedule), arguments.format)
    load_torch()  # without it no claim needs to be proved first
    world = taken_part() if arguments.processes else None
    if world is not None and world[0] > 0:
        follow(settled(schedule))
        return 0
    session = opened(schedule, all_loaders=True)
    with _progress() as progress:
        report = run_loaders(session, session.checked(), progress=progress, processes=arguments.processes)
    return _shown(report, arguments.format)


def _own(arguments: argparse.Namespace, schedule: Schedule) -> RunReport:
    session = opened(schedule, all_loaders=True)
    loader_meant(session.schedule, arguments.of)  # before any of the user's code runs
    own = own_loader(arguments.loader, arguments.field)
    return run_own(own, session.schedule, arguments.of, session.checked())


def _shown(report: RunReport, form: str) -> int:
    if form == "json":
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
