"""A loader with a `resume`, interrupted after each of its first steps and at its end, beside the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from epochproof.observe.compare import Apart, apart
from epochproof.observe.interruption import Job, Way, job_of, ways
from epochproof.observe.real import Numbers, Values
from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.interrupted import interrupted
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.stage.batch import Batch
from epochproof.term.node import Op

MOST_STOPS, MOST_RANKS, MOST_READ = 4, 8, 4_000
"""So many stopping steps besides the last one, ranks, and occurrences of an interrupted instance at most."""

SHORT = "stops after a smaller last batch, to go on with other ranks: torch counts records, the model batches"
LARGE = "interruptions of large instances"


class Interruptions:
    """The interruptions of one loader; `left_out` says which ones did not run."""

    def __init__(self, torch: Any, loader: Loader, names: tuple[str, ...]) -> None:
        job = job_of(loader)
        self._job, self._numbers = job, Numbers(loader)
        self._ways: list[Way] = [] if job is None else ways(torch, job)
        self._model = Compiled(plan_of(loader), loader.epochs, names)
        self.left_out: dict[str, None] = {}

    def difference(
        self, values: Values, epochs: Sequence[int], *, processes: bool
    ) -> tuple[int, int, str, Apart] | None:
        """Epoch, rank, name of the real objects and what differs first; `None` where nothing does."""
        if self._job is None or not self._runs(values):
            return None
        for stop in self._stops(self._job, values, few=processes):
            lists = self._model.run(tuple(stop[name] for name in self._model.names))
            for way in self._ways:
                if ("processes" if processes else "alone") not in way.runs:
                    continue
                for epoch in epochs[: 1 if processes else 2]:
                    found = self._one(way, lists, stop, epoch, processes=processes)
                    if found is not None:
                        return (epoch, *found)
        return None

    def _runs(self, values: Values) -> bool:
        weight = self._model.weight(tuple(values[name] for name in self._model.names), all_epochs=False)
        large = weight > MOST_READ or self._numbers.ranks(values) > MOST_RANKS
        if large:
            self.left_out[LARGE] = None
        return not large

    def _stops(self, job: Job, values: Values, *, few: bool) -> Iterator[Values]:
        """The values with each stopping step: the first ones and the last, or the one that is fixed."""
        after = job.resume.after
        lists = self._model.run(tuple(values[name] for name in self._model.names))
        found = interrupted(lists.plan)
        if found is None:
            return
        most = max((lane.steps for lane in lists.variant(found.whole).epoch(0)), default=0)
        if after.op is not Op.VARIABLE:
            yield values
            return
        chosen = {most // 2} if few else {*range(min(most, MOST_STOPS) + 1), most}
        yield from ({**values, str(after.value): step} for step in sorted(chosen))

    def _one(
        self, way: Way, lists: Lists, values: Values, epoch: int, *, processes: bool
    ) -> tuple[int, str, Apart] | None:
        """One stop: what each rank read before it, and what the ranks of the new job read after it."""
        found = interrupted(lists.plan)
        if found is None:
            return None
        after, saved = lists.value(found.after), []
        before, resumed = lists.variant(found.before), lists.variant(found.resumed)
        for rank in range(before.ranks):
            stopped = way.stop(values, rank, epoch, after, processes=processes)
            saved.append(stopped.saved)
            wrong = apart(before.lane(epoch, rank), stopped.read)
            if wrong is not None:
                return rank, f"{way.name}, stopped after {after}", wrong
        if self._short(lists.variant(found.whole), before.epoch(epoch), epoch, resumed.ranks):
            self.left_out[SHORT] = None
            return None
        for rank in range(min(resumed.ranks, MOST_RANKS)):
            read = way.go_on(values, rank, epoch, saved, processes=processes)
            wrong = apart(resumed.lane(epoch, rank), read)
            if wrong is not None:
                return rank, f"{way.name}, resumed after {after}", wrong
        return None

    def _short(self, whole: Lists, before: Sequence[Delivered], epoch: int, ranks: int) -> bool:
        """Whether some rank read its whole epoch, whose last step is smaller, and the ranks change."""
        keeps = any(isinstance(stage, Batch) and stage.tail == "keep" for stage in whole.plan.stages)
        if ranks == len(before) or not keeps:
            return False
        return any(
            _ends_short(lane) and lane.steps == whole.lane(epoch, at).steps for at, lane in enumerate(before)
        )


def _ends_short(lane: Delivered) -> bool:
    """Whether the last step holds less than the first, or may: nobody knows the size of a single one."""
    return lane.steps == 1 or (lane.steps > 1 and lane.step.count(lane.steps - 1) < lane.step.count(0))
