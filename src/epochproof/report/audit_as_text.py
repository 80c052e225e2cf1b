"""An audit as a person reads it: what was read, each kind of difference with its first place."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from epochproof.language.columns import safe
from epochproof.report._audit import At, Audited, Balance, Broken, Finding, Kind, Leaked, Portion, Read
from epochproof.report._decimal import decimal
from epochproof.report._style import Style, counted, listed, shown, with_s

_WORDS: dict[Kind, tuple[str, str, str]] = {
    "missing": ("missing", "occurrence was due and not read", "occurrences were due and not read"),
    "repeated": (
        "repeated",
        "occurrence beyond those that were due",
        "occurrences beyond those that were due",
    ),
    "unexpected": (
        "unexpected",
        "occurrence of a record that was not due in the epoch",
        "occurrences of records that were not due in the epoch",
    ),
    "unknown": (
        "unknown",
        "occurrence of a record that the dataset has not",
        "occurrences of records that the dataset has not",
    ),
    "rank": ("wrong rank", "occurrence was due on another rank", "occurrences were due on another rank"),
    "step": ("wrong step", "occurrence was due in another step", "occurrences were due in another step"),
    "order": (
        "wrong order",
        "occurrence was due elsewhere in its step",
        "occurrences were due elsewhere in their step",
    ),
    "twice": ("read twice", "row at a place that another row has", "rows at places that other rows have"),
    "worker": ("wrong worker", "occurrence came from another worker", "occurrences came from other workers"),
    "unmarked": (
        "unmarked padding",
        "occurrence is padding, and not marked",
        "occurrences are padding, and not marked",
    ),
    "marked": (
        "wrongly marked",
        "occurrence is marked as padding, and is none",
        "occurrences are marked as padding, and are none",
    ),
    "steps": (
        "steps",
        "rank has another number of steps than scheduled",
        "ranks have another number of steps than scheduled",
    ),
}
_ORDERS = {
    "fixed": "no order is left open",
    "known": "in the order of the seed",
    "learned": "in the order that the trace shows",
}
_MOST_EPOCHS = 8


def render(audited: Audited, *, colour: bool = False, symbols: bool = True) -> str:
    """Several lines without a line break at the end.

    Args:
        audited: What was found.
        colour: Whether to write ANSI colours.
        symbols: Whether the output can show signs beyond ASCII.
    """
    style = Style(colour, symbols)
    lines = [style.ink("strong", f"{safe(audited.trace)}, beside `{audited.loader}` of {safe(audited.spec)}")]
    lines += [f"  {each}" for each in _scope(audited)]
    lines += ["", *_read(audited)]
    if audited.portion is not None:
        lines += ["", *_portion(audited.portion, style)]
    if audited.findings:
        lines += ["", *_findings(audited, style)]
    if audited.broken:
        lines += ["", *_broken(audited.broken, style)]
    return "\n".join(each.rstrip() for each in [*lines, "", _sum(audited, style)])


def _scope(audited: Audited) -> Iterator[str]:
    values = [
        f"{name} = {shown(value)}" + (" (as the trace says)" if name in audited.said else "")
        for name, value in audited.parameters.items()
    ]
    if values:
        yield ", ".join(values)
    if audited.segments > 1:
        again = f", which read {counted(audited.replayed, 'occurrence')} again" if audited.replayed else ""
        yield f"{counted(audited.segments, 'segment')} joined into one run{again}"
    yield f"compared place by place, {_ORDERS[audited.order]}"
    if audited.enumerated:
        yield f"by enumerating the schedule: {audited.enumerated}"
    yield from audited.notes


def _read(audited: Audited) -> list[str]:
    rows = [(f"epoch {shown(epoch)}", read) for epoch, read in audited.epochs[:_MOST_EPOCHS]]
    hidden = len(audited.epochs) - len(rows)
    if len(audited.epochs) != 1:
        rows.append(("the run", audited.run))
    head = ("", "occurrences", "distinct", "padding", "omitted", "repeated")
    table = [head, *((name, *_figures(read)) for name, read in rows)]
    wide = [max(len(row[at]) for row in table) for at in range(len(head))]
    lines = [
        "  "
        + "  ".join(
            f"{cell:>{width}}" if at else f"{cell:{width}}"
            for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        )
        for row in table
    ]
    if hidden:
        lines.insert(len(lines) - 1, f"  … {counted(hidden, 'more epoch')}")
    if audited.balance is not None:
        lines.append(f"  {_balance(audited.balance)}")
    return lines


def _balance(balance: Balance) -> str:
    """How evenly the work was shared."""
    least, most = (
        f"rank {rank}" if balance.by_rank else f"worker {worker} of rank {rank}"
        for rank, worker in (balance.least_of, balance.most_of)
    )
    even = f"{shown(balance.most)} each" if balance.least == balance.most else ""
    said = even or f"{shown(balance.least)} by {least} to {shown(balance.most)} by {most}"
    return f"{counted(balance.workers, 'rank' if balance.by_rank else 'worker')} read {said}"


def _figures(read: Read) -> tuple[str, ...]:
    unknown = "not said"
    return (
        shown(read.occurrences),
        shown(read.distinct),
        unknown if read.padding is None else shown(read.padding),
        shown(read.omitted),
        "" if read.repeated is None else shown(read.repeated),
    )


def _portion(portion: Portion, style: Style) -> list[str]:
    read, words = portion.read, list[str]()
    if portion.steps is not None:
        words.append(
            f"steps {shown(portion.steps[0])}..{shown(portion.steps[1])} of each epoch, both included"
        )
    if portion.seconds is not None:
        words.append(f"from {decimal(portion.seconds[0])} s to {decimal(portion.seconds[1])} s")
    lines = [f"  {', '.join(words) or 'the whole trace'}"]
    padding = "" if read.padding is None else f", {shown(read.padding)} of them padding"
    occurrences = counted(read.occurrences, "occurrence")
    lines.append(f"    {occurrences}{padding}, of {counted(read.distinct, 'distinct record')}")
    return lines + (_rates(read, portion.duration, style) if portion.duration else [])


def _rates(read: Read, seconds: Fraction, style: Style) -> list[str]:
    rates = decimal(read.occurrences / seconds), decimal(read.distinct / seconds)
    wide = max(map(len, rates))
    told = (
        f"repeats included: {shown(read.occurrences)} in {decimal(seconds)} s",
        f"each record once: {shown(read.distinct)} in {decimal(seconds)} s",
    )
    return [
        f"    {rates[0]:>{wide}}  occurrences per second       {style.ink('faint', told[0])}",
        f"    {rates[1]:>{wide}}  distinct records per second  {style.ink('faint', told[1])}",
    ]


def _findings(audited: Audited, style: Style) -> list[str]:
    mark = style.ink("bad", "✗" if style.symbols else "x")
    lines = list[str]()
    if audited.first is not None:
        lines += [f"  first difference: {_place(audited.first)}", f"    {_beside(audited.first)}", ""]
    for each in audited.findings:
        name, one, many = _WORDS[each.kind]
        lines.append(f"  {mark} {name:16}  {counted(each.count, one, many)}{_records(each)}")
        lines.append(f"      {style.ink('faint', f'first at {_place(each.first)}: {_beside(each.first)}')}")
    return lines


def _records(found: Finding) -> str:
    if not found.records:
        return ""
    words = [safe(str(each)) for each in found.records]
    more = [f"{shown(found.count - len(words))} more"] if found.count > len(words) >= 8 else []
    return f": {with_s('record', len(words))} {listed([*words, *more])}"


def _place(at: At) -> str:
    words = [f"epoch {shown(at.epoch)}", f"rank {shown(at.rank)}"]
    words += [] if at.step is None else [f"step {shown(at.step)}"]
    words += [] if at.slot is None else [f"slot {shown(at.slot)}"]
    return ", ".join(words)


def _beside(at: At) -> str:
    return f"expected {safe(at.expected)}, found {safe(at.found)}"


def _broken(broken: tuple[Broken, ...], style: Style) -> list[str]:
    heads = (
        ("broken", "the loader is not as it is written, or one of these does not hold of this run"),
        ("false", "in this run it is false that"),
        ("open", "proved of the schedule, and not of this run"),
    )
    lines = list[str]()
    for how, head in heads:
        some = [each for each in broken if each.how == how]
        lines += [f"  {head}"] if some else []
        for each in some:
            line = "" if each.line is None else style.ink("faint", f"  line {each.line}")
            lines.append(f'    "{safe(each.text)}"{line}')
    return lines


def _sum(audited: Audited, style: Style) -> str:
    if not audited.findings:
        said = counted(audited.run.occurrences, "occurrence")
        return style.ink("good", f"what was read is what the schedule says: {said}")
    kinds = [_WORDS[each.kind][0] for each in audited.findings]
    return style.ink("bad", f"what was read is not what the schedule says: {listed(kinds)}")


def leaks(found: Leaked, *, colour: bool = False, symbols: bool = True) -> str:
    """What two traces share, as several lines without a line break at the end."""
    style = Style(colour, symbols)
    lines = [style.ink("strong", f"{safe(found.trace)}, beside {safe(found.against)}")]
    noun = "record" if found.by == "record" else f"`{safe(found.by)}`"
    if not found.count:
        return "\n".join([*lines, "", style.ink("good", f"no {noun} was read in both")])
    for each in found.examples:
        value = safe(each.value)
        both = f": record {safe(str(each.one))} here, record {safe(str(each.other))} there"
        lines.append(f"  {noun} {value}" + ("" if found.by == "record" else both))
    if found.count > len(found.examples):
        lines.append(f"  and {shown(found.count - len(found.examples))} more")
    if found.broken:
        lines += ["", *_broken(found.broken, style)]
    many = (
        counted(found.count, "record")
        if found.by == "record"
        else f"{counted(found.count, 'value')} of {noun}"
    )
    was = "was" if found.count == 1 else "were"
    return "\n".join([*lines, "", style.ink("bad", f"{many} {was} read in both")])
