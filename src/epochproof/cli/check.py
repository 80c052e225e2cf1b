"""Prove every claim of the specs."""

from __future__ import annotations

import argparse
import sys

from epochproof.cli._inputs import files, parsed
from epochproof.cli._outputs import add_output, outputs, rendered, written
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, columns, show_diagnostics, symbols
from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked, opened
from epochproof.report._room import formats
from epochproof.report.check_as_text import render, summary
from epochproof.schedule.read import read_schedule

_WORST_FIRST = (2, 1, 3, 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `check` takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="specs, folders that hold some, or `-`")
    add_format(parser, formats("check"))
    add_output(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show what each verdict rests on, and its seconds"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the verdicts; the exit code is that of the worst spec."""
    paths = list(files(arguments.files))
    wanted = outputs(arguments.output, arguments.format, paths)
    outcomes = []
    for path in paths:
        outcome = path if isinstance(path, SpecError) else _outcome(path)
        outcomes.append(outcome)
        if arguments.format == "text":
            _show(outcome, verbose=arguments.verbose)
    if arguments.format != "text":
        print(rendered(arguments.format, outcomes))
    elif len(outcomes) > 1 or isinstance(outcomes[0], Checked):
        print(summary(outcomes, colour=colour(sys.stdout)))
    codes = {each.exit_code if isinstance(each, Checked) else 2 for each in outcomes}
    codes |= set() if written(wanted, outcomes) else {2}
    return next(code for code in _WORST_FIRST if code in codes)


def _outcome(path: str) -> Checked | SpecError:
    """The verdicts of a spec, or why it is wrong."""
    try:
        return opened(read_schedule(parsed(path))).checked()
    except SpecError as error:
        return error


def _show(outcome: Checked | SpecError, *, verbose: bool) -> None:
    if isinstance(outcome, SpecError):
        show_diagnostics(outcome)
        print(file=sys.stderr, flush=True)
        return
    out = sys.stdout
    text = render(outcome, verbose=verbose, colour=colour(out), symbols=symbols(out), columns=columns(out))
    print(text, end="\n\n", flush=True)
