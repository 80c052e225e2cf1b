"""What happens in one world from stage to stage: what reaches each, what it drops, adds, deals and moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.diagnostics import Span
from epochproof.schedule.loader import Loader
from epochproof.schedule.picture import Picture, pictures


@dataclass(frozen=True)
class Chapter:
    """What the schedule is after a stage, and what the stage did to it; `name` is empty before the first.

    `dropped` are the records that nobody reads from here on, `added` those that are read more often, as
    each lane reads them that has everything.
    """

    name: str
    span: Span
    picture: Picture
    dropped: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    dealt: bool = False
    moved: bool = False
    grouped: bool = False
    within: str = ""
    """The presets around the stage, the inner one first."""


def tale(loader: Loader, values: Mapping[str, int], *, epoch: int = 0) -> tuple[Chapter, ...]:
    """The chapters of a loader with these parameters; none where a picture would be too large."""
    found = pictures(loader, values, epoch=epoch)
    drawn = [each for each in found if each is not None]
    if len(drawn) < len(found):
        return ()
    chapters = [Chapter("", loader.span, drawn[0])]
    for placed, before, after in zip(loader.stages, drawn, drawn[1:], strict=False):
        chapters.append(
            Chapter(
                placed.name,
                placed.span,
                after,
                dropped=tuple(sorted(set(before.counts) - set(after.counts))),
                added=_added(before, after),
                dealt=bool(placed.stage.axes()),
                moved=placed.stage.moves and _order(before) != _order(after),
                grouped=placed.stage.regroups,
                within=placed.within,
            )
        )
    return tuple(chapters)


def _added(before: Picture, after: Picture) -> tuple[int, ...]:
    """The records that are read more often than before, apart from lanes that all read the same."""
    return tuple(
        sorted(
            record
            for record, times in after.counts.items()
            if times * before.streams > before.counts.get(record, 0) * after.streams
        )
    )


def _order(picture: Picture) -> list[list[int]]:
    """The records of each row in their order."""
    return [[cell.record for step in row.steps for cell in step or ()] for row in picture.rows]
