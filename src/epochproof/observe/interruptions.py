"""A loader with a `resume`, interrupted after each of its first steps and at its end, beside the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epochproof.observe.compare import Apart, apart
from epochproof.observe.interruption import Way, jobs_of, ways
from epochproof.observe.real import Numbers, Read, Values
from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.interrupted import interrupted
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.stage.batch import Batch
from epochproof.term.node import Op

MOST_STOPS, MOST_RANKS, MOST_READ = 4, 8, 4_000
"""So many stopping steps besides the last one, ranks, and occurrences of an interrupted instance at most."""

SHORT = "stops after a smaller last batch, to go on with other ranks: torch counts records, the model batches"
ENDED = "stops after a rank has ended, to go on in another world: torch counts records, the model batches"
LARGE = "interruptions of large instances"


class Interruptions:
    """The interruptions of one loader; `left_out` says which ones did not run."""

    def __init__(self, torch: Any, loader: Loader, names: tuple[str, ...]) -> None:
        self._jobs, self._numbers = jobs_of(loader), Numbers(loader)
        self._ways = list(zip(*(ways(torch, job) for job in self._jobs), strict=True))
        self._model = Compiled(plan_of(loader), loader.epochs, names)
        self.left_out: dict[str, None] = {}

    def difference(
        self, values: Values, epochs: Sequence[int], *, processes: bool
    ) -> tuple[int, int, str, Apart] | None:
        """Epoch, rank, name of the real objects and what differs first; `None` where nothing does."""
        if not self._jobs or not self._runs(values):
            return None
        for stop in self._stops(values, few=processes):
            lists = self._model.run(tuple(stop[name] for name in self._model.names))
            for turns in self._ways:
                if ("processes" if processes else "alone") not in turns[0].runs:
                    continue
                for epoch in epochs[: 1 if processes else 2]:
                    found = self._one(turns, lists, stop, epoch, processes=processes)
                    if found is not None:
                        return (epoch, *found)
        return None

    def _runs(self, values: Values) -> bool:
        weight = self._model.weight(tuple(values[name] for name in self._model.names), all_epochs=False)
        large = weight > MOST_READ or self._numbers.ranks(values) > MOST_RANKS
        if large:
            self.left_out[LARGE] = None
        return not large

    def _stops(self, values: Values, *, few: bool) -> list[Values]:
        """The values with each stopping step: the first ones and the last, or the one that is fixed.

        A later stop is after one step, and the second one also at once and at the end.
        """
        found = [values]
        for turn, job in enumerate(self._jobs):
            after = job.resume.after
            if after.op is Op.VARIABLE:
                found = [
                    {**each, str(after.value): step}
                    for each in found
                    for step in self._steps(each, turn, few=few)
                ]
        return found

    def _steps(self, values: Values, turn: int, *, few: bool) -> list[int]:
        lists = self._model.run(tuple(values[name] for name in self._model.names))
        runs = interrupted(lists.plan)
        left = lists.variant(runs.runs[turn]).epoch(0) if runs else []
        most = max((lane.steps for lane in left), default=0)
        if few:
            return [most // 2]
        if turn == 0:
            return sorted({*range(min(most, MOST_STOPS) + 1), most})
        return sorted({0, min(1, most), most}) if turn == 1 else [min(1, most)]

    def _one(
        self, turns: Sequence[Way], lists: Lists, values: Values, epoch: int, *, processes: bool
    ) -> tuple[int, str, Apart] | None:
        """What each rank read before each stop, and what the ranks of the last job read to the end."""
        found = interrupted(lists.plan)
        if found is None:
            return None
        *parts, rest = (lists.variant(each) for each in found.parts)
        saved: list[Any] = []
        stops = [lists.value(after) for after in found.after]
        for turn, (way, part, after) in enumerate(zip(turns, parts, stops, strict=True)):
            stopped = [
                way.stop(values, rank, epoch, after, saved, processes=processes) for rank in range(part.ranks)
            ]
            wrong = _first_apart(part, epoch, [each.read for each in stopped])
            if wrong is not None:
                return wrong[0], f"{way.name}, stopped after {_listed(stops[: turn + 1])}", wrong[1]
            saved = [each.saved for each in stopped]
            run = lists.variant(found.runs[turn])
            # Only the first time can the world change.
            why = "" if turn else self._uncounted(run, part.epoch(epoch), epoch, (rest.ranks, after))
            if why:
                self.left_out[why] = None
                return None
        ranks = range(min(rest.ranks, MOST_RANKS))
        reads = [turns[-1].go_on(values, rank, epoch, saved, processes=processes) for rank in ranks]
        wrong = _first_apart(rest, epoch, reads)
        return wrong and (wrong[0], f"{turns[-1].name}, resumed after {_listed(stops)}", wrong[1])

    def _uncounted(self, whole: Lists, before: Sequence[Delivered], epoch: int, then: tuple[int, int]) -> str:
        """Why the real objects count another position than the model does, `then` on so many ranks.

        They do where some rank has read its whole epoch: fewer steps than the others, or a smaller last one.
        """
        ranks, after = then
        if ranks == len(before) and self._jobs[0].resume.batch is None:
            return ""
        if any(lane.steps < after for lane in before):
            return ENDED
        keeps = any(isinstance(stage, Batch) and stage.tail == "keep" for stage in whole.plan.stages)
        read = [lane.steps == whole.lane(epoch, at).steps for at, lane in enumerate(before)]
        short = any(ended and _ends_short(lane) for ended, lane in zip(read, before, strict=True))
        return SHORT if short and keeps and ranks != len(before) else ""


def _first_apart(part: Lists, epoch: int, reads: Sequence[Read]) -> tuple[int, Apart] | None:
    """The first rank that really read something else, and what differs first."""
    for rank, read in enumerate(reads):
        wrong = apart(part.lane(epoch, rank), read)
        if wrong is not None:
            return rank, wrong
    return None


def _listed(steps: Sequence[int]) -> str:
    return " and ".join(map(str, steps))


def _ends_short(lane: Delivered) -> bool:
    """Whether the last step holds less than the first, or may: nobody knows the size of a single one."""
    return lane.steps == 1 or (lane.steps > 1 and lane.step.count(lane.steps - 1) < lane.step.count(0))
