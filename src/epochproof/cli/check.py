"""Prove every claim of the specs."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from epochproof.cli import _kept
from epochproof.cli._heard import heard
from epochproof.cli._inputs import STANDARD_INPUT, files
from epochproof.cli._outputs import Output, add_output, outputs, rendered, written
from epochproof.cli._overrides import Overrides, add_set, overrides
from epochproof.cli._parser import add_format
from epochproof.cli._reading import Reading, reading
from epochproof.cli._terminal import colour, columns, show_diagnostics, symbols
from epochproof.diagnostics import SpecError, fail
from epochproof.prove.session import Checked
from epochproof.report._room import formats
from epochproof.report.check_as_text import render, summary

_WORST_FIRST = (4, 2, 1, 3, 0)

FROM = "from the cache"

_REPEATED = ("call", "files", "format", "no_cache", "verbose", "watch")
"""Options of which it is known that a repeated call prints the same and does nothing else."""

_PRINTED = ("json", "text")
"""Formats of which the same is known; what others say depends on the repository, too."""


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
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    parser.add_argument(
        "--recheck",
        action="store_true",
        help="prove what z3 proved again with cvc5, from the obligations alone",
    )
    parser.add_argument("--no-cache", action="store_true", help="prove anew what was proved before")


def run(arguments: argparse.Namespace) -> int:
    """Prints the verdicts; the exit code is that of the worst spec."""
    prover = None if arguments.no_cache or arguments.set else _kept.prover()
    paths = list(files(arguments.files))
    again = arguments.recheck
    given = Overrides(overrides(arguments.set), alone=not paths[1:])
    wanted = outputs(arguments.output, arguments.format, paths)
    if arguments.watch:
        return _watch(arguments, wanted, prover)
    call = _kept.key(arguments.call) if _repeatable(arguments) else None
    readings: list[Reading] = []
    with heard() as (out, err):
        for path in paths:
            readings.append(
                Reading(path) if isinstance(path, SpecError) else reading(path, prover, given, twice=again)
            )
            _show(readings[-1], arguments)
        for error in given.unused():
            readings.append(Reading(error))
            _show(readings[-1], arguments)
        code = _finish(readings, arguments, wanted)
    told = arguments.verbose and arguments.format == "text"
    if call is not None and out.whole and not err.text and all(each.repeats for each in readings):
        _keep(call, arguments, out.text + (f"{FROM}\n" if told else ""), code, readings)
    kept = sum(each.kept for each in readings)
    if told and kept:
        print(FROM if kept == len(readings) else f"{kept} of {len(readings)} files {FROM}")
    return code


def _repeatable(arguments: argparse.Namespace) -> bool:
    """Whether the call may be answered from the cache next time."""
    others = [value for name, value in vars(arguments).items() if name not in _REPEATED and value]
    known = arguments.format in _PRINTED and not others
    return known and not arguments.no_cache and STANDARD_INPUT not in arguments.files


def _keep(
    call: str, arguments: argparse.Namespace, output: str, code: int, readings: Sequence[Reading]
) -> None:
    """Keeps the answer, unless a spec changed while it was found."""
    if _kept.key(arguments.call) == call:
        _kept.keep(call, output, code, {path: at for each in readings for path, at in each.files.items()})


def _watch(arguments: argparse.Namespace, wanted: Sequence[Output], prover: str | None) -> int:
    from epochproof.cli._watch import watch  # noqa: PLC0415 -- most calls check once

    if STANDARD_INPUT in arguments.files:
        raise fail("E509", "`--watch` cannot watch the standard input", None, help="name a file")
    for name in ("set", "recheck"):
        if getattr(arguments, name):
            message = f"`--watch` and `--{name}` do not go together"
            raise fail("E509", message, None, help="leave one of the two out")

    def show(readings: Sequence[Reading], new: Sequence[Reading]) -> int:
        if arguments.format == "text":
            print(time.strftime("%H:%M:%S"), end="\n\n")
        for each in new:
            _show(each, arguments)
        code = _finish(readings, arguments, wanted)
        if arguments.format == "text":
            print(flush=True)
        return code

    return watch(arguments.files, show, prover)


def _show(found: Reading, arguments: argparse.Namespace) -> None:
    """Prints one spec, where each has a part of the output for itself."""
    if arguments.format != "text":
        return
    if isinstance(found.outcome, SpecError):
        show_diagnostics(found.outcome)
        print(file=sys.stderr, flush=True)
        return
    out = sys.stdout
    style = {"colour": colour(out), "symbols": symbols(out)}
    style |= {"verbose": arguments.verbose, "bindings": arguments.show_bindings}
    text = render(found.outcome, columns=columns(out), **style)
    print(text, end="\n\n", flush=True)


def _finish(readings: Sequence[Reading], arguments: argparse.Namespace, wanted: Sequence[Output]) -> int:
    """Prints and writes what there is to say of all specs; the exit code is that of the worst."""
    outcomes = [each.outcome for each in readings]
    if arguments.format != "text":
        print(rendered(arguments.format, outcomes), flush=True)
    elif len(outcomes) > 1 or isinstance(outcomes[0], Checked):
        print(summary(outcomes, colour=colour(sys.stdout)))
    codes = {each.exit_code if isinstance(each, Checked) else 2 for each in outcomes}
    codes |= set() if written(wanted, outcomes) else {2}
    return next(code for code in _WORST_FIRST if code in codes)
