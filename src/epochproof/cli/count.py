"""Count what each loader reads in an epoch, exactly."""

from __future__ import annotations

import argparse
import re
import sys
from fractions import Fraction

from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import bound_names, given, value, wrong
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour
from epochproof.diagnostics import SpecError, fail
from epochproof.prove.session import counted
from epochproof.report import count_as_json, count_as_text
from epochproof.schedule.read import read_schedule

_UNITS = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
_ELAPSED = re.compile(r"(\d[\d_]*(?:\.\d+)?) *(ms|s|m|h)", re.ASCII)
_STEPS = re.compile(r"(\d[\d_]*)\.\.(\d[\d_]*)", re.ASCII)
_WHOLE = re.compile(r"-?\d[\d_]*", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `count` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, or `-`")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a free parameter, `train.ranks=8`, or one in place of that of a bound file,"
        " `t.trainer.devices=4`; may be given several times",
    )
    parser.add_argument(
        "--steps", metavar="A..B", help="count a portion of the epoch: steps A to B, both included, from 0"
    )
    parser.add_argument(
        "--elapsed",
        metavar="TIME",
        help="how long the epoch or the portion took, as `12.5s`, `300ms`, `2m` or `1h`: adds both rates",
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the population of each loader."""
    try:
        text = _counted(arguments)
    except SpecError as error:
        if arguments.format == "text":
            raise
        print(count_as_json.refused(error))
        return 2
    print(text)
    return 0


def _counted(arguments: argparse.Namespace) -> str:
    steps = None if arguments.steps is None else _portion(arguments.steps)
    seconds = None if arguments.elapsed is None else _seconds(arguments.elapsed)
    texts = given(arguments.set)
    spec = parsed(arguments.file)
    bound = {name: value(text) for name, text in texts.items() if name.partition(".")[0] in bound_names(spec)}
    values = {name: _number(name, text) for name, text in texts.items() if name not in bound}
    schedule = read_schedule(spec, bound)
    populations = counted(schedule, values, steps)
    if arguments.format == "json":
        return count_as_json.render(populations, seconds=seconds)
    return count_as_text.render(schedule.source.path, populations, seconds=seconds, colour=colour(sys.stdout))


def _number(name: str, text: str) -> int:
    """The value of a free parameter."""
    if not _WHOLE.fullmatch(text):
        raise wrong(f"{name}={text}")
    return int(text.replace("_", ""))


def _portion(given: str) -> tuple[int, int]:
    """The first and the last step of `--steps`."""
    found = _STEPS.fullmatch(given.strip())
    if found is None:
        raise fail("E505", f"`--steps {given}` is not a range of steps", None, help="write `--steps 10..20`")
    first, last = (int(each.replace("_", "")) for each in found.groups())
    if last < first:
        raise fail("E505", f"`--steps {given}` holds no step", None, help="put the smaller end first")
    return first, last


def _seconds(given: str) -> Fraction:
    """The exact seconds of `--elapsed`."""
    found = _ELAPSED.fullmatch(given.strip())
    seconds = Fraction(0) if found is None else Fraction(found[1].replace("_", "")) * _UNITS[found[2]]
    if not seconds:
        raise fail(
            "E506", f"`--elapsed {given}` is not a time", None, help="write `12.5s`, `300ms`, `2m` or `1h`"
        )
    return seconds
