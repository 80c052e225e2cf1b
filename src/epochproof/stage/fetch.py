"""`fetch(workers, prefetch)`: worker b mod W builds batch b; the order does not change."""

from __future__ import annotations

from typing import Annotated

from epochproof.stage._options import AtLeast
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Bool, Int, both, equal, number


class Fetch(Stage):
    """Map-style workers of `DataLoader`, in order; 0 workers is the main process, without look-ahead."""

    workers: Annotated[Int, AtLeast(0)]
    prefetch: Annotated[Int, AtLeast(1)] = number(2)

    def length(self, here: Here) -> Int:
        return here.n

    def assumes(self) -> tuple[str, ...]:
        return ("workers return their batches in order",)

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        batches = here.steps.count(here.n)
        return [
            ("no workers", equal(self.workers, 0)),
            ("one worker", equal(self.workers, 1)),
            ("idle workers", both(self.workers >= 2, batches < self.workers)),
            ("busy workers", both(self.workers >= 2, batches >= self.workers)),
        ]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        workers = reality.options["workers"] if reality.processes else 0
        loader = reality.torch.utils.data.DataLoader(
            range(1 + max((max(group) if isinstance(group, list) else group for group in stream), default=0)),
            sampler=stream,
            batch_size=None,
            num_workers=workers,
            prefetch_factor=reality.options["prefetch"] if workers else None,
        )
        return list(loader)
