"""The populations of a spec as a person reads them: a table a loader."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from epochproof.language.columns import safe
from epochproof.prove.population import Population, Records, Run
from epochproof.report._decimal import decimal
from epochproof.report._style import Style, counted, listed, shown, with_s

_MOST_LISTED = 8
_MOST_RUNS = 4


def render(
    path: str, populations: Sequence[Population], *, seconds: Fraction | None = None, colour: bool = False
) -> str:
    """Several lines without a line break at the end.

    Args:
        path: The spec.
        populations: What each loader reads.
        seconds: How long the pass, or the portion of it, took; rates are shown if it is given.
        colour: Whether to write ANSI colours.
    """
    style = Style(colour)
    lines = [style.ink("strong", safe(path))]
    for each in populations:
        lines += ["", *_loader(each, style)]
        if seconds is not None:
            lines += _rates(each, seconds, style)
    return "\n".join(lines)


def _loader(population: Population, style: Style) -> list[str]:
    values = [f"{name} = {shown(value)}" for name, value in population.parameters.items()]
    given = f"  {', '.join(values)}" if values else ""
    head = f"  {style.ink('strong', population.loader)}  {_window(population)}, {population.how}{given}"
    rows = [
        ("occurrences", shown(population.occurrences), ""),
        ("distinct", shown(population.distinct), ""),
        ("padding", shown(population.padding), ""),
        ("omitted", shown(population.omitted.count), _records(population.omitted)),
        ("repeated", shown(population.repeated.count), _records(population.repeated)),
        ("steps", *_steps(population)),
    ]
    columns = max(len(number) for _, number, _ in rows)
    table = [f"    {name:11}  {number:>{columns}}  {note}".rstrip() for name, number, note in rows]
    return [head, *table]


def _window(population: Population) -> str:
    if population.portion is None:
        return "one pass"
    first, last = population.portion
    return f"step {shown(first)}" if first == last else f"steps {shown(first)}..{shown(last)}, both included"


def _steps(population: Population) -> tuple[str, str]:
    least, most = population.steps_min, population.steps_max
    if least == most:
        return shown(most), "on every rank"
    return shown(most), f"on the longest rank, {shown(least)} on the shortest"


def _records(records: Records) -> str:
    """Which records: all of a few, runs of many, or why they are not known."""
    if records.runs is None or not records.count:
        return records.note
    if records.count <= _MOST_LISTED:
        words = [shown(each) for run in records.runs for each in range(run.first, run.last + 1, run.stride)]
    else:
        words = [_run(each) for each in records.runs[:_MOST_RUNS]]
        if rest := len(records.runs) - _MOST_RUNS:
            words += [f"{counted(rest, 'more run')}"] if rest > 0 else []
    note = f" ({records.note})" if records.note else ""
    return f"{with_s('record', records.count)} {listed(words)}{note}"


def _run(run: Run) -> str:
    if run.first == run.last:
        return shown(run.first)
    every = "" if run.stride == 1 else f" in steps of {shown(run.stride)}"
    return f"{shown(run.first)}..{shown(run.last)}{every}"


def _rates(population: Population, seconds: Fraction, style: Style) -> list[str]:
    """Two different things over the same time: how much was read, and how much of the data was covered."""
    occurrences, distinct = decimal(population.occurrences / seconds), decimal(population.distinct / seconds)
    columns = max(len(occurrences), len(distinct))
    over = "the pass" if population.portion is None else "these steps"
    read = f"repeats included: {shown(population.occurrences)} in {decimal(seconds)} s"
    covered = f"each record once: {shown(population.distinct)} in {decimal(seconds)} s"
    return [
        f"    over {over}",
        f"      {occurrences:>{columns}}  occurrences per second       {style.ink('faint', read)}",
        f"      {distinct:>{columns}}  distinct records per second  {style.ink('faint', covered)}",
    ]
