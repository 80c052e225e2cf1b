"""A counterexample in words: in short behind a claim, and in full below it."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.diagnostics import Source
from epochproof.language.columns import safe
from epochproof.prove.verdict import Blame, Counterexample, Leak
from epochproof.report import _leak
from epochproof.report._style import Style, listed, shown, with_s

MOST_RECORDS = 20
"""The prover shows no more; so many may stand for more."""

_IN_A_ROW = 3
"""From one more than this on, consecutive records are shown by the first and the last."""


def in_short(counterexample: Counterexample) -> str:
    """`size 1, ranks 3, batch 1: record 0`; empty where every value is fixed and no record is at fault."""
    drawn = "draws made up" if counterexample.made_up else ""
    shows = records(counterexample.records)
    if counterexample.leak is not None:
        shows = _leak.in_short(counterexample.leak)
    parts = [", ".join(filter(None, [values(counterexample), drawn])), shows]
    return ": ".join(part for part in parts if part)


def values(counterexample: Counterexample) -> str:
    """`size 1, ranks 3, batch 1`; empty where every value is fixed."""
    names = _short(list(counterexample.parameters))
    numbers = counterexample.parameters.values()
    return ", ".join(f"{name} {shown(value)}" for name, value in zip(names, numbers, strict=True))


def in_full(counterexample: Counterexample, source: Source, style: Style) -> list[str]:
    """The values, where it shows, and the line at fault; one line each."""
    if counterexample.leak is not None:
        return [*_in_rows(counterexample, counterexample.leak), *_at_fault(counterexample, source, style)]
    size = "the smallest" if counterexample.smallest else "a small"
    lines = [f"{size} counterexample, replayed in {_REPLAYED[counterexample.replayed]}"]
    lines.append(f"  {_given(counterexample) or 'every value is fixed by the spec'}")
    if counterexample.made_up:
        lines.append("  under draws that the model allows; no seed is known to give them")
    where = [
        records(counterexample.records),
        "" if counterexample.rank is None else f"on rank {shown(counterexample.rank)}",
        "" if counterexample.epoch is None else f"in epoch {shown(counterexample.epoch)}",
    ]
    if any(where):
        lines.append(f"  {', '.join(part for part in where if part)}")
    lines += [f"  {each}" for each in met(counterexample)]
    return [*lines, *_at_fault(counterexample, source, style)]


def _in_rows(counterexample: Counterexample, leak: Leak) -> list[str]:
    """What rows of a manifest share, and the values that meet the premise."""
    given = _given(counterexample)
    return [*_leak.in_full(leak), *([f"  with {given}"] if given else [])]


def _given(counterexample: Counterexample) -> str:
    return ", ".join(f"{name} = {shown(value)}" for name, value in counterexample.parameters.items())


def _at_fault(counterexample: Counterexample, source: Source, style: Style) -> list[str]:
    return [] if counterexample.blame is None else [blamed(counterexample.blame, source, style)]


def met(counterexample: Counterexample) -> list[str]:
    """How long the sources are, and the two records that meet; nothing where none do."""
    lines = []
    for name, lengths in counterexample.lengths.items():
        some = [shown(each) for each in trimmed(lengths)]
        rest = len(lengths) - len(some)
        none = f", and {shown(rest)} of none" if rest else ""
        lines.append(f"{name} of {listed(some)} frames{none}")
    for each in counterexample.meeting or ():
        parts = [f"{name} {shown(index)}" for name, index in each.indices.items()]
        parts += (
            [] if each.frames is None else [f"frames {shown(each.frames[0])}..{shown(each.frames[1] - 1)}"]
        )
        parts += [] if each.rank is None else [f"on rank {shown(each.rank)}"]
        lines.append(f"{each.population} has {', '.join(parts)}")
    if counterexample.shared is not None and counterexample.meeting is not None:
        lines.append(_leak.in_world(counterexample.shared, *counterexample.meeting))
    return lines


def trimmed(lengths: Sequence[int]) -> list[int]:
    """The lengths of sources up to the last that has any frames."""
    last = max((at for at, each in enumerate(lengths) if each), default=-1)
    return list(lengths[: last + 1])


_REPLAYED = {"model": "the model", "torch": "torch"}


def records(numbers: Sequence[int]) -> str:
    """`record 0`, `records 0, 1 and 9`; as many as are shown at most may stand for more."""
    if not numbers:
        return ""
    words = in_runs(numbers)
    listing = f"{', '.join(words)}, …" if len(numbers) >= MOST_RECORDS else listed(words)
    return f"{with_s('record', len(numbers))} {listing}"


def in_runs(numbers: Sequence[int]) -> list[str]:
    """Each number, or `4 to 19` for four and more in a row."""
    words: list[str] = []
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        if end - at >= _IN_A_ROW:
            words.append(f"{shown(numbers[at])} to {shown(numbers[end])}")
        else:
            words += [shown(each) for each in numbers[at : end + 1]]
        at = end + 1
    return words


def blamed(blame: Blame, source: Source, style: Style) -> str:
    """`train.epoch:14  shard(ranks, tail = pad)  <- record 9 is lost here`."""
    line, _ = source.position(blame.span.start)
    written = source.text[blame.span.start : blame.span.end]
    if blame.stage == "loader" or "\n" in written:
        written = source.line(line).strip()
    place = style.ink("faint", safe(f"{source.path}:{line}"))
    return f"{place}  {style.ink('strong', safe(written))}  {style.ink('bad', f'<- {blame.text}')}"


def _short(names: list[str]) -> list[str]:
    """The names without their loader, where that leaves them different."""
    last = [name.partition(".")[2] or name for name in names]
    return [short if last.count(short) == 1 else name for name, short in zip(names, last, strict=True)]
