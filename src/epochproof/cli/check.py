"""Prove every claim of the specs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from epochproof.cli._inputs import files, parsed
from epochproof.cli._outputs import add_output, outputs, rendered, written
from epochproof.cli._overrides import add_set, overrides, used
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, columns, show_diagnostics, symbols
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.prove.session import Checked, opened
from epochproof.report._room import formats
from epochproof.report.check_as_text import render, summary
from epochproof.schedule.read import read_schedule

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar

_WORST_FIRST = (2, 1, 3, 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `check` takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="specs, folders that hold some, or `-`")
    add_format(parser, formats("check"))
    add_output(parser)
    add_set(parser)
    parser.add_argument(
        "--show-bindings", action="store_true", help="list every value from a bound file, and its place"
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show what each verdict rests on, and its seconds"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the verdicts; the exit code is that of the worst spec."""
    paths = list(files(arguments.files))
    wanted = outputs(arguments.output, arguments.format, paths)
    outcomes: list[Checked | SpecError] = []
    for outcome in _outcomes(paths, overrides(arguments.set)):
        outcomes.append(outcome)
        if arguments.format == "text":
            _show(outcome, verbose=arguments.verbose, bindings=arguments.show_bindings)
    if arguments.format != "text":
        print(rendered(arguments.format, outcomes))
    elif len(outcomes) > 1 or isinstance(outcomes[0], Checked):
        print(summary(outcomes, colour=colour(sys.stdout)))
    codes = {each.exit_code if isinstance(each, Checked) else 2 for each in outcomes}
    codes |= set() if written(wanted, outcomes) else {2}
    return next(code for code in _WORST_FIRST if code in codes)


def _outcomes(
    paths: Sequence[str | SpecError], values: Mapping[str, Scalar]
) -> Iterator[Checked | SpecError]:
    """The verdicts of each spec, or why it is wrong; at the end what is wrong with an unused override."""
    unused = dict(values)
    for path in paths:
        yield path if isinstance(path, SpecError) else _outcome(path, values, unused, alone=not paths[1:])
    for name in unused if paths[1:] else ():
        nowhere = fail("E708", f"`--set {name}`: no spec binds `{name}`", None, help="check the name")
        nowhere.source = Source("--set", "")
        yield nowhere


def _outcome(
    path: str, values: Mapping[str, Scalar], unused: dict[str, Scalar], *, alone: bool
) -> Checked | SpecError:
    """The verdicts of a spec, or why it is wrong; what it takes of the overrides is no longer unused."""
    try:
        spec = parsed(path)
        here = values if alone else used(spec, values)
        for name in here:
            unused.pop(name, None)
        return opened(read_schedule(spec, here)).checked()
    except SpecError as error:
        return error


def _show(outcome: Checked | SpecError, *, verbose: bool, bindings: bool) -> None:
    if isinstance(outcome, SpecError):
        show_diagnostics(outcome)
        print(file=sys.stderr, flush=True)
        return
    out = sys.stdout
    text = render(
        outcome,
        verbose=verbose,
        bindings=bindings,
        colour=colour(out),
        symbols=symbols(out),
        columns=columns(out),
    )
    print(text, end="\n\n", flush=True)
