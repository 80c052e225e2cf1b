"""How a trace differs from a schedule, told by counting lists: nothing that the audit uses is used here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.audit.traces import Row

_LEVELS = (
    ("epoch", "rank", "step", "slot", "record"),
    ("epoch", "rank", "step", "record"),
    ("epoch", "rank", "record"),
    ("epoch", "record"),
)


def differences(due: Sequence[Row], read: Sequence[Row], size: int) -> dict[str, int]:
    """How many occurrences of each kind there are; kinds without any are left out."""
    matched = []
    for keys in _LEVELS:
        one, other = (Counter(tuple(row[key] for key in keys) for row in rows) for rows in (due, read))
        matched.append((one & other).total())
    lacking, extra = one - other, other - one
    found = {
        "order": matched[1] - matched[0],
        "step": matched[2] - matched[1],
        "rank": matched[3] - matched[2],
        "missing": lacking.total(),
        "unknown": sum(many for (_, record), many in extra.items() if not 0 <= record < size),
    }
    known = {key: many for key, many in extra.items() if 0 <= key[1] < size}
    found["repeated"] = sum(many for key, many in known.items() if one[key])
    found["unexpected"] = sum(many for key, many in known.items() if not one[key])
    places = {tuple(row[key] for key in _LEVELS[0][:4]) for row in due}
    here = Counter(tuple(row[key] for key in _LEVELS[0][:4]) for row in read)
    by = {tuple(row[key] for key in _LEVELS[0][:4]): row["worker"] for row in due}
    workers = [
        (by[place], row["worker"])
        for row in read
        if (place := tuple(row[key] for key in _LEVELS[0][:4])) in by
    ]
    found["worker"] = sum(-1 not in pair and pair[0] != pair[1] for pair in workers)
    found["twice"] = sum(many - 1 for place, many in here.items() if place in places)
    found.update(_flags(due, read))
    return {kind: many for kind, many in found.items() if many}


def _flags(due: Sequence[Row], read: Sequence[Row]) -> dict[str, int]:
    """Marks of padding that are missing or wrong, where the record is right; ranks with other steps."""
    pads = {tuple(row[key] for key in _LEVELS[0]): row["padded"] for row in due}
    right = [
        (pads[key], row["padded"]) for row in read if (key := tuple(row[each] for each in _LEVELS[0])) in pads
    ]
    return {
        "unmarked": sum(one and not other for one, other in right),
        "marked": sum(other and not one for one, other in right),
        "steps": _steps(due, read),
    }


def _steps(due: Sequence[Row], read: Sequence[Row]) -> int:
    last = [dict[tuple[int, int], int](), dict[tuple[int, int], int]()]
    for found, rows in zip(last, (due, read), strict=True):
        for row in rows:
            key = row["epoch"], row["rank"]
            found[key] = max(found.get(key, 0), row["step"] + 1)
    ranks = {(epoch, rank) for epoch, rank in last[0]}
    return sum(last[0].get(each, 0) != last[1].get(each, 0) for each in ranks)


def first(due: Sequence[Row], read: Sequence[Row]) -> tuple[int, int, int, int] | None:
    """The first place, as time went by, whose records are not those that are due: epoch, rank, step, slot."""
    one, other = (Counter(tuple(row[key] for key in _LEVELS[0]) for row in rows) for rows in (due, read))
    places = [(epoch, step, rank, slot) for epoch, rank, step, slot, _ in (one - other) + (other - one)]
    if not places:
        return None
    epoch, step, rank, slot = min(places)
    return epoch, rank, step, slot
