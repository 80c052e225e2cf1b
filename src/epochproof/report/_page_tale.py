"""A counterexample as a story in HTML: what reaches each stage, and what the stage does to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from epochproof.diagnostics import Source
from epochproof.prove.account import Story
from epochproof.prove.verdict import Blame, Counterexample
from epochproof.report._counterexample import in_runs
from epochproof.report._html import Html, element, joined
from epochproof.report._page_grid import grid
from epochproof.report._style import counted, listed, shown, with_s
from epochproof.schedule.picture import Picture
from epochproof.schedule.tale import Chapter
from epochproof.term.node import constant

_MOST_WORDS = 12


def story(told: Story, counterexample: Counterexample, source: Source) -> Html:
    """The chapters of one loader, the one at fault marked."""
    head, *rest = told.chapters
    last = len(rest)
    items = [_opening(head, counterexample, alone=not rest)]
    for at, (before, after) in enumerate(pairwise((head, *rest)), 1):
        items.append(_chapter(before.picture, after, counterexample, source, last=at == last))
    run = " in the second run" if told.second else ""
    several = counterexample.epoch is not None or constant(told.loader.epochs) != 1
    epoch = f" in epoch {head.picture.epoch}" if several else ""
    note = any(each.name == "resume" for each in rest)
    return joined(
        element("h4", "What ", element("code", told.loader.name), f" does{run}{epoch}, stage by stage"),
        element("p", "Drawn as it runs without an interruption.") if note else None,
        element("ol", *items, class_="tale"),
    )


def _opening(chapter: Chapter, counterexample: Counterexample, *, alone: bool) -> Html:
    picture = chapter.picture
    streams = 1 if alone else picture.streams
    fault = counterexample.blame if _blamed(counterexample, chapter) else None
    who = f", all of them on each of {counted(picture.streams, 'lane')}" if picture.streams > 1 else ""
    return element(
        "li",
        element("p", element("strong", "the dataset"), f" {counted(picture.size, 'record')}{who}"),
        _fault(fault),
        grid(picture, "what reaches the first stage", streams=streams, marked=counterexample.records),
        class_="fault" if fault else None,
    )


def _chapter(
    before: Picture, chapter: Chapter, counterexample: Counterexample, source: Source, *, last: bool
) -> Html:
    line, _ = source.position(chapter.span.start)
    written = source.text[chapter.span.start : chapter.span.end].splitlines()[0]
    fault = counterexample.blame if _blamed(counterexample, chapter) else None
    picture = chapter.picture
    streams = 1 if last else picture.streams
    return element(
        "li",
        element(
            "p",
            element("code", written),
            " ",
            element("span", f"line {line}{_within(chapter)}", class_="faint"),
        ),
        element("p", "; ".join(_effects(before, chapter))),
        _fault(fault),
        None
        if picture.rows == before.rows and streams == picture.streams
        else grid(picture, f"after {chapter.name}", streams=streams, marked=counterexample.records),
        class_="fault" if fault else None,
    )


def _blamed(counterexample: Counterexample, chapter: Chapter) -> bool:
    """Whether the line at fault is the chapter's: that of its stage, or the header of the loader."""
    blame = counterexample.blame
    return blame is not None and blame.span == chapter.span and chapter.name in ("", blame.stage)


def _within(chapter: Chapter) -> str:
    """Which stage of a preset it is, where one is meant."""
    return f", {chapter.name} in preset {chapter.within.replace('`', '')}" if chapter.within else ""


def _fault(blame: Blame | None) -> Html | None:
    if blame is None:
        return None
    return element("p", element("strong", "the line at fault: "), blame.text, class_="blame")


def _effects(before: Picture, chapter: Chapter) -> list[str]:
    """What the stage does, in words."""
    after = chapter.picture
    found = []
    if chapter.dealt and before.streams != after.streams:
        lanes = before.streams // after.streams if after.streams else before.streams
        found.append(f"deals {counted(_each(before), 'position')} to {counted(lanes, 'lane')}")
    if chapter.dropped:
        found.append(f"drops {_records(chapter.dropped)}")
    if chapter.added:
        found.append(f"adds {_records(chapter.added)}")
    if chapter.moved:
        found.append("changes the order")
    if chapter.grouped:
        found.append(f"makes {counted(after.steps, 'step')} of it on the longest rank")
    if (change := _each(after) - _each(before)) and not (chapter.dropped and chapter.added):
        verb = "more" if change > 0 else "fewer"
        where = f"on each of {counted(after.streams, 'lane')}" if after.streams > 1 else "in all"
        found.append(f"{counted(abs(change), 'occurrence')} {verb}, {shown(_each(after))} {where}")
    return found or ["passes everything on as it is"]


def _each(picture: Picture) -> int:
    """How many positions there are, apart from lanes that all read the same."""
    return picture.occurrences // max(picture.streams, 1)


def _records(records: Sequence[int]) -> str:
    words = in_runs(records)
    more = [f"{len(words) - _MOST_WORDS} more runs"] if len(words) > _MOST_WORDS else []
    return f"{with_s('record', len(records))} {listed([*words[:_MOST_WORDS], *more])}"
