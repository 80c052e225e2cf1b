"""What a change does, as people read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.prove.change import Change
from epochproof.prove.difference import Counts, Moved
from epochproof.prove.verdict import Verdict
from epochproof.report._counterexample import in_runs, values
from epochproof.report._style import Ink, Style, counted, listed, shown

_INKS: dict[str, Ink] = {
    "identical": "good",
    "order-only": "open",
    "population-changing": "bad",
    "resume-incompatible": "bad",
}
_SAYS = {
    "identical": "every rank reads the same records in the same places",
    "order-only": "the same records, each equally often, in other places",
    "population-changing": "other records, or not equally often",
    "resume-incompatible": "the same records in the same places, but no checkpoint goes on",
    "unknown": "whether the same records are read was not decided",
    "added": "only in the new spec",
    "removed": "only in the old spec",
}
_MOST = 10
"""So many records, or runs of them, are named."""

_WIDTH = max(map(len, _SAYS))


def render(changes: Sequence[Change], *, colour: bool = False) -> str:
    """One block a loader: what changed, where it first shows, and whether a checkpoint goes on."""
    style = Style(colour=colour)
    width = max((len(each.loader) for each in changes), default=0)
    lines = [line for each in changes for line in _block(each, width, style)]
    return "\n".join([*lines, "", _summary(changes)])


def _summary(changes: Sequence[Change]) -> str:
    open_ = sum(not each.decided for each in changes)
    same = sum(each.kind == "identical" for each in changes)
    parts = [(same, "identical"), (len(changes) - same - open_, "changed"), (open_, "undecided")]
    told = ", ".join(f"{shown(number)} {word}" for number, word in parts if number)
    return f"{counted(len(changes), 'loader')}{f': {told}' if told else ''}"


def _block(change: Change, width: int, style: Style) -> list[str]:
    kind = style.ink(_INKS.get(change.kind, "strong"), f"{change.kind:{_WIDTH}}")
    lines = [f"{change.loader:{width}}  {kind}  {_said(change)}"]
    detail = [change.reason] if change.reason else []
    if change.kind == "order-only":
        detail += _order(change)
    elif change.kind == "population-changing" and change.records and change.counts:
        detail += [_where(change.records), *_counts(change.counts)]
    elif change.kind == "unknown" and change.records:
        detail += [change.records.reason]
    if change.resume is not None and change.kind != "identical":
        detail += _resume(change.resume, change.handed_over)
    indent = " " * (width + 2)
    return [*lines, *(f"{indent}{each}" for each in detail)]


def _said(change: Change) -> str:
    if change.kind != "order-only" or change.order is None or change.order.word == "refuted":
        return _SAYS[change.kind]
    if change.order.word == "unknown":
        return "the same records, each equally often; in which places was not decided"
    if change.draws is not None and change.draws.word == "refuted":
        return "the same records in the same places, with other random numbers"
    return "the same records in the same places; with which random numbers was not decided"


def _order(change: Change) -> list[str]:
    """Where the order first differs, or the random numbers do, or why neither is known."""
    order, draws = change.order, change.draws
    if order and change.moved:
        return [_where(order), _moved(change.moved)]
    if order and order.word == "unknown":
        return [order.reason]
    if draws and draws.word == "refuted":
        return [_where(draws)]
    return [draws.reason] if draws else []


def _where(verdict: Verdict) -> str:
    """The smallest case, or what was found first."""
    found = verdict.counterexample
    if found is None:
        return ""
    case = "the smallest case" if found.smallest else "a small case"
    epoch = f", in epoch {shown(found.epoch)}" if found.epoch else ""
    return (f"{case}: {values(found)}" if found.parameters else "with the values of the specs") + epoch


def _moved(moved: Moved) -> str:
    old, new = ("nothing" if each is None else f"record {shown(each)}" for each in (moved.old, moved.new))
    place = f"rank {shown(moved.rank)}, step {shown(moved.step)}, slot {shown(moved.slot)}"
    return f"  first difference at {place}: {old} before, {new} now"


def _counts(counts: Counts) -> list[str]:
    parts = (
        ("read no more", counts.gone),
        ("read anew", counts.come),
        ("read less often", counts.fewer),
        ("read more often", counts.more),
    )
    return [f"  {words}: {_listed(found)}" for words, found in parts if found]


def _listed(found: Mapping[int, tuple[int, int]]) -> str:
    """`2 records, 3 and 9`, and how often they are read where that is one number for all."""
    often = set(found.values())
    times = next(
        (
            f", {counted(other, 'time')} in place of {shown(one)}"
            for one, other in often
            if one and other and len(often) == 1
        ),
        "",
    )
    runs = in_runs(sorted(found))
    if len(found) == 1:
        return f"record {runs[0]}{times}"
    which = f"{', '.join(runs[:_MOST])}, …" if len(runs) > _MOST else listed(runs)
    return f"{counted(len(found), 'record')}, {which}{times}"


def _resume(verdict: Verdict, counts: Counts | None) -> list[str]:
    if verdict.word == "proved":
        return ["a checkpoint of the old spec goes on in the new one: nothing is lost, nothing repeated"]
    if verdict.word != "refuted" or counts is None:
        return [f"whether a checkpoint of the old spec goes on was not decided: {verdict.reason}"]
    lost = {**counts.gone, **counts.fewer}
    repeated = {**counts.come, **counts.more}
    parts = [
        f"  {words}: {_listed(found)}" for words, found in (("lost", lost), ("repeated", repeated)) if found
    ]
    return [
        "resume-incompatible: a checkpoint of the old spec loses or repeats records",
        _where(verdict),
        *parts,
    ]
