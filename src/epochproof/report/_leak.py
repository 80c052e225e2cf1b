"""What rows of a manifest share and should not, in words and as a program reads it."""

from __future__ import annotations

from epochproof.language.columns import safe
from epochproof.prove.verdict import Leak, Meeting, Row, Shared
from epochproof.report._style import counted, shown

_SHOWN = 60
"""So many characters of a value are shown."""


def in_short(leak: Leak) -> str:
    """``3 values of `video`, first `fox` in rows 19 and 20``."""
    _, one, other = leak.pairs[0]
    rows = sorted({one.record, other.record})
    places = f"{'rows' if len(rows) > 1 else 'row'} {' and '.join(_number(each) for each in rows)}"
    named = f"`{_text(leak.pairs[0][0])}` " if leak.counts == "values" else ""
    return f"{_counted(leak)}, first {named}in {places}"


def in_full(leak: Leak) -> list[str]:
    """How often both sides meet in the manifest, and below it the first pairs, one line each."""
    _, one, other = leak.pairs[0]
    how = " on both sides"
    if one.interval is not None and leak.key == "frames":
        verb = f"{'lie' if leak.margin else 'overlap'}{'s' if leak.count == 1 else ''}"
        near = f" less than {shown(leak.margin)} from" if leak.margin else ""
        how = f" of {other.population} {verb}{near} one of {one.population}"
    rest = leak.count - len(leak.pairs)
    lines = [
        f"in `{safe(leak.manifest)}`, {_counted(leak)}{how}",
        *(f"  {_pair(*each)}" for each in leak.pairs),
    ]
    return [*lines, f"  and {shown(rest)} more"] if rest else lines


def in_world(found: Shared, one: Meeting, other: Meeting) -> str:
    """`s.train and s.val share 1 of 3 values of videos`; of frames, how many records meet the other side."""
    if found.counts == "values":
        values = f"{shown(found.count)} of {counted(found.of, 'value')} of {safe(found.key)}"
        return f"{one.population} and {other.population} share {values}"
    verb = f"{'lie' if found.margin else 'overlap'}{'s' if found.count == 1 else ''}"
    near = f" less than {shown(found.margin)} from" if found.margin else ""
    whole = f"{shown(found.count)} of {counted(found.of, 'record')} of {other.population}"
    return f"{whole} {verb}{near} one of {one.population}"


def as_json(leak: Leak) -> dict[str, object]:
    """The object `leak` of a counterexample."""
    return {
        "manifest": leak.manifest,
        "key": leak.key,
        "margin": leak.margin,
        "count": leak.count,
        "counts": leak.counts,
        "pairs": [
            {"shared": shared, "records": [_record(each) for each in rows]} for shared, *rows in leak.pairs
        ],
    }


def _record(row: Row) -> dict[str, object]:
    interval = None if row.interval is None else list(row.interval)
    return {"population": row.population, "record": row.record, "id": row.id, "interval": interval}


def _counted(leak: Leak) -> str:
    if leak.counts == "values":
        return f"{counted(leak.count, 'value')} of `{safe(leak.key)}`"
    return counted(leak.count, "record")


def _pair(shared: str, one: Row, other: Row) -> str:
    lead = f"{_text(shared)}: " if shared else ""
    if one.record == other.record:
        return f"{lead}{_place(one)}, which is in {other.population}, too"
    return f"{lead}{_place(one)}, {_place(other)}"


def _place(row: Row) -> str:
    """`frames 64 to 128 in row 19 of by_name.train (fox_0064.mp4)`."""
    frames = "" if row.interval is None else f"{_text(row.interval[0])} to {_text(row.interval[1])} in "
    named = "" if row.id is None else f" ({_text(row.id)})"
    return f"{frames}row {_number(row.record)} of {row.population}{named}"


def _number(record: int) -> str:
    """The number of a row, counted from 1 without the header."""
    return shown(record + 1)


def _text(value: str) -> str:
    found = safe(value)
    return found if len(found) <= _SHOWN else f"{found[:_SHOWN]}…"
