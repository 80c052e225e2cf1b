"""Count what each loader reads in an epoch, exactly."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, parted
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour, columns, symbols
from epochproof.cli._windows import portion, seconds
from epochproof.diagnostics import SpecError, fail
from epochproof.prove.session import counted
from epochproof.report import count_as_json, count_as_text
from epochproof.schedule.read import Schedule, read_schedule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `count` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, or `-`")
    add_set(parser)
    parser.add_argument(
        "--steps", metavar="A..B", help="count a portion of the epoch: steps A to B, both included, from 0"
    )
    parser.add_argument(
        "--elapsed",
        metavar="TIME",
        help="how long the epoch or the portion took, as `12.5s`, `300ms`, `2m` or `1h`: adds both rates",
    )
    parser.add_argument(
        "--plot", action="store_true", help="draw what each rank reads, step by step; for small numbers"
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
    if arguments.plot and arguments.format == "json":
        raise fail("E509", "`--plot` draws for a person, `--format json` is for a program", None)
    steps = None if arguments.steps is None else portion(arguments.steps)
    took = None if arguments.elapsed is None else seconds(arguments.elapsed)
    spec = parsed(arguments.file)
    bound, given = parted(spec, arguments.set)
    schedule = read_schedule(spec, bound)
    populations = counted(schedule, given, steps)
    if arguments.format == "json":
        return count_as_json.render(populations, seconds=took)
    text = count_as_text.render(schedule.source.path, populations, seconds=took, colour=colour(sys.stdout))
    return f"{text}\n\n{_drawn(schedule, given, steps)}" if arguments.plot else text


def _drawn(schedule: Schedule, given: Mapping[str, int], steps: tuple[int, int] | None) -> str:
    """The picture of each loader."""
    from epochproof.report import plot_as_text  # noqa: PLC0415 -- most calls draw nothing
    from epochproof.schedule.picture import picture, seeds  # noqa: PLC0415 -- most calls draw nothing
    from epochproof.schedule.settle import settled  # noqa: PLC0415 -- most calls draw nothing

    schedule = settled(schedule)
    drawn = {**seeds(schedule), **given}
    out = sys.stdout
    return plot_as_text.render(
        {each.name: picture(each, drawn) for each in schedule.loaders.values()},
        steps=steps,
        colour=colour(out),
        symbols=symbols(out),
        columns=columns(out),
    )
