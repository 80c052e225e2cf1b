"""A picture of a schedule as a table of HTML: rows are ranks and workers, columns are steps."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.report._counterexample import in_runs
from epochproof.report._html import Html, element, joined
from epochproof.report._style import counted, listed, shown
from epochproof.schedule.picture import MOST_POSITIONS, Cell, Picture, Row

_GOLDEN = 137
"""Degrees between the hues of one record and the next, so that neighbours differ."""

_MOST_CHIPS = 60
"""So many records are shown as chips in a row."""

_READ_OFTEN = 99

_NONE, _TIMES = "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"


def grid(picture: Picture, caption: str, *, streams: int = 1, marked: Sequence[int] = ()) -> Html:
    """The table of a picture in a region that scrolls, and what is omitted below it.

    Args:
        picture: What is read.
        caption: What the table shows.
        streams: How many lanes read everything alike: a record is repeated if it is read more often.
        marked: Records that stand out, those of a counterexample.
    """
    if not picture.steps:
        return joined(element("p", "No rank runs a step."), _omitted(picture, marked))
    rows = _alike(picture) if streams > 1 else picture.rows
    if sum(len(step or ()) for row in rows for step in row.steps) > MOST_POSITIONS:
        return joined(element("p", "This is too large to be drawn."), _omitted(picture, marked))
    several = any(row.worker is not None for row in rows)
    names = [
        element("th", "rank", scope="col"),
        element("th", "worker", scope="col") if several else None,
        *(element("th", f"step {shown(step)}", scope="col") for step in range(len(rows[0].steps))),
    ]
    together = streams > 1 and len(rows) < len(picture.rows)
    body = [_row(row, streams, marked, several=several, together=together) for row in rows]
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *names)),
        element("tbody", *body),
        class_="grid",
    )
    region = element("div", table, class_="scroll", role="group", tabindex=0, aria_label=caption)
    return joined(region, _omitted(picture, marked))


def legend() -> Html:
    """What the marks of a chip mean."""
    signs = [
        (_chip(Cell(3, padded=False, times=1), 1, ()), "record 3, in a colour of its own"),
        (_chip(Cell(3, padded=True, times=1), 1, ()), "introduced by padding"),
        (_chip(Cell(3, padded=False, times=2), 1, ()), "read twice in the epoch"),
        (_lost(3, ()), "read by nobody"),
        (_chip(Cell(3, padded=False, times=1), 1, (3,)), "shows that the claim is false"),
        (element("span", _NONE, class_="none"), "the rank has no such step"),
    ]
    return element("ul", *(element("li", sign, " ", meaning) for sign, meaning in signs), class_="legend")


def _alike(picture: Picture) -> tuple[Row, ...]:
    """One row, if all lanes read the same; it is without the turns of other workers."""
    own = {tuple(step for step in row.steps if step) for row in picture.rows}
    if len(own) > 1 or picture.streams < len(picture.rows):
        return picture.rows
    return (Row(0, None, own.pop()),)


def _row(row: Row, streams: int, marked: Sequence[int], *, several: bool, together: bool) -> Html:
    who = "all" if together else f"rank {shown(row.rank)}"
    worker = "" if row.worker is None else f"worker {shown(row.worker)}"
    cells = []
    for step in row.steps:
        if step is None:
            cells.append(element("td", element("span", _NONE, class_="none")))
        else:
            cells.append(element("td", *(_chip(cell, streams, marked) for cell in step)))
    return element(
        "tr",
        element("th", who, scope="row"),
        element("th", worker, scope="row") if several else None,
        *cells,
    )


def _chip(cell: Cell, streams: int, marked: Sequence[int]) -> Html:
    """A record in its colour, with a sign and a hidden word for all that colour and border say."""
    times = cell.times // streams
    kinds = ["chip", *(["pad"] if cell.padded else []), *(["again"] if times > 1 else [])]
    signs, words = ("+" if cell.padded else ""), [" padding"] if cell.padded else []
    if times > 1:
        signs += f"{_TIMES}{min(times, _READ_OFTEN)}"
        words.append(f" read {counted(times, 'time')}")
    if cell.record in marked:
        kinds.append("marked")
        words.append(" of the counterexample")
    return _mark(cell.record, kinds, signs, words)


def _lost(record: int, marked: Sequence[int]) -> Html:
    kinds = ["chip", "lost", *(["marked"] if record in marked else [])]
    return _mark(record, kinds, "", [" omitted", *([" of the counterexample"] if record in marked else [])])


def _mark(record: int, kinds: list[str], signs: str, words: list[str]) -> Html:
    return element(
        "span",
        shown(record),
        element("i", signs, aria_hidden="true") if signs else None,
        element("span", *words, " ", class_="unseen") if words else element("span", " ", class_="unseen"),
        class_=" ".join(kinds),
        style=f"--h:{record * _GOLDEN % 360}",
    )


def _omitted(picture: Picture, marked: Sequence[int]) -> Html | None:
    omitted = picture.omitted
    if not omitted:
        return None
    if len(omitted) <= _MOST_CHIPS:
        named = joined(*(_lost(record, marked) for record in omitted))
    else:
        words = in_runs(omitted)
        more = f" and {counted(len(words) - _MOST_CHIPS, 'more run')}" if len(words) > _MOST_CHIPS else ""
        named = joined(listed(words[:_MOST_CHIPS]) if not more else ", ".join(words[:_MOST_CHIPS]) + more)
    return element("p", f"omitted, {counted(len(omitted), 'record')}: ", named, class_="omitted")
