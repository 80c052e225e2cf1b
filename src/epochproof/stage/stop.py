"""`stop(steps)`: ends the epoch after so many steps on each rank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

from epochproof.stage._options import AtLeast
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Bool, Int, both, equal, minimum


class Stop(Stage):
    """`limit_train_batches` and step budgets: counts what the stages above form."""

    steps: Annotated[Int, AtLeast(0)]

    def after_workers(self) -> bool:
        return True

    def length(self, here: Here) -> Int:
        return minimum(here.n, here.steps.before(self.steps))

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(first(lap), q < self.length(here)), q)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        return Interval(span.low, here.steps.before(self.steps) if span.high is None else span.high)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        steps = here.steps.count(here.n)
        return [
            ("stops at once", equal(self.steps, 0)),
            ("stops midway", both(self.steps >= 1, self.steps < steps)),
            ("stops at the end", both(self.steps >= 1, self.steps >= steps)),
        ]

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(getattr(stage, "tail", "") == "carry" for stage in above):
            return "a step that is carried into the next epoch cannot end this one; put `stop` above"
        return ""

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return list(islice(stream, reality.options["steps"]))
