"""Compare what a run really read, its trace, with the schedule."""

from __future__ import annotations

import argparse
import re
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, parted
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, symbols
from epochproof.cli._windows import portion, seconds
from epochproof.diagnostics import SpecError, fail
from epochproof.report import audit_as_json, audit_as_text
from epochproof.schedule.read import read_schedule

if TYPE_CHECKING:
    from epochproof.report._audit import Audited, Leaked

_CLOCK = re.compile(r"(.+?)\.\.(.+)", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `audit` takes."""
    parser.add_argument("file", metavar="SPEC", help="a spec, or `-`")
    parser.add_argument("trace", metavar="TRACE", help="the folder that `record` wrote")
    parser.add_argument("--of", metavar="LOADER", help="the loader that was recorded (default: the only one)")
    parser.add_argument("--manifest", metavar="FILE", help="lists the records, where the spec names none")
    add_set(parser)
    parser.add_argument(
        "--steps", metavar="A..B", help="audit a portion of each epoch: steps A to B, both included, from 0"
    )
    parser.add_argument(
        "--elapsed",
        metavar="TIME",
        help="how long what is audited took, as `12.5s` or `2m`; or a portion by the clock, as `10s..70s`:"
        " adds both rates",
    )
    parser.add_argument("--against", metavar="OTHER", help="look for what this trace shares with another one")
    parser.add_argument("--against-of", metavar="LOADER", help="the loader of the other trace")
    parser.add_argument(
        "--by",
        metavar="KEY",
        help="what two traces may not share: `record`, `source`, `clip`, or a column of the manifest",
    )
    parser.add_argument(
        "--engine", metavar="URL", help="where queries run: `duckdb` (default) or `spark://HOST:PORT`"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found: 0 as the schedule says, 1 a difference, 2 a wrong spec, trace or call."""
    try:
        if arguments.against is not None:
            return _shown_leaks(_leaked(arguments), arguments.format)
        return _shown(_audited(arguments), arguments.format)
    except SpecError as error:
        if arguments.format == "text":
            raise
        print(audit_as_json.refused(error))
        return 2


def _audited(arguments: argparse.Namespace) -> Audited:
    if arguments.by is not None or arguments.against_of is not None:
        wrong = "`--by` and `--against-of` are about two traces"
        raise fail("E509", wrong, None, help="name the other one with `--against`")
    steps = None if arguments.steps is None else portion(arguments.steps)
    clock, duration = _elapsed(arguments.elapsed)
    spec = parsed(arguments.file)
    bound, values = parted(spec, arguments.set)
    schedule = read_schedule(spec, bound)
    room = _room()
    manifest = None if arguments.manifest is None else Path(arguments.manifest)
    asked = room.Asked(arguments.of, manifest, steps, clock, duration, arguments.engine)
    found: Audited = room.audited(schedule, Path(arguments.trace), values, asked)
    return found


def _leaked(arguments: argparse.Namespace) -> Leaked:
    if arguments.steps is not None or arguments.elapsed is not None:
        raise fail("E509", "`--steps` and `--elapsed` are for one trace", None, help="leave `--against` out")
    spec = parsed(arguments.file)
    bound, _ = parted(spec, arguments.set)
    schedule = read_schedule(spec, bound)
    _room()
    from epochproof.audit.leaks import leaks  # noqa: PLC0415 -- it needs what is not always installed

    return leaks(
        schedule,
        (Path(arguments.trace), Path(arguments.against)),
        arguments.by or "record",
        of=(arguments.of, arguments.against_of),
        manifest=None if arguments.manifest is None else Path(arguments.manifest),
        engine=arguments.engine,
    )


def _room() -> ModuleType:
    """The room that audits.

    Raises:
        SpecError: What it needs is not installed.
    """
    try:
        return import_module("epochproof.audit.audit")
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("ibis", "pyarrow", "numpy", "duckdb"):
            raise
        wrong = f"an audit needs `{error.name}`, which is not installed"
        raise fail("E828", wrong, None, help="pip install 'epochproof[audit]'") from None


def _elapsed(given: str | None) -> tuple[tuple[Fraction, Fraction] | None, Fraction | None]:
    """The portion that `--elapsed` names by the clock, or how long it says that all took."""
    found = _CLOCK.fullmatch(given) if given else None
    if given is None or found is None:
        return None, None if given is None else seconds(given)
    start = Fraction(0) if found[1].strip() in ("0", "0s") else seconds(found[1])
    end = seconds(found[2])
    if end <= start:
        raise fail("E506", f"`--elapsed {given}` holds no time", None, help="put the smaller end first")
    return (start, end), None


def _shown(found: Audited, form: str) -> int:
    if form == "json":
        print(audit_as_json.render(found))
    else:
        print(audit_as_text.render(found, colour=colour(sys.stdout), symbols=symbols(sys.stdout)))
    return found.exit_code


def _shown_leaks(found: Leaked, form: str) -> int:
    if form == "json":
        print(audit_as_json.leaks(found))
    else:
        print(audit_as_text.leaks(found, colour=colour(sys.stdout), symbols=symbols(sys.stdout)))
    return found.exit_code
