"""`fetch(workers, prefetch)`: worker b mod W builds batch b; the order does not change."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from epochproof.stage._options import AtLeast
from epochproof.stage._seen import Seen
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Bool, Int, both, equal, maximum, number

_PATIENCE = 60
"""Seconds until a worker that does not answer is an error."""


class Fetch(Stage):
    """Map-style workers of `DataLoader`, in order; 0 workers is the main process, without look-ahead."""

    matters_to: ClassVar[frozenset[str] | None] = frozenset(
        {"order", "global_batches", "augmentation", "lost", "replayed"}
    )

    workers: Annotated[Int, AtLeast(0)]
    prefetch: Annotated[Int, AtLeast(1)] = number(2)
    persistent: Literal[False, True] = False

    def after_workers(self) -> bool:
        return True

    def length(self, here: Here) -> Int:
        return here.n

    def worker(self, step: Int) -> Int:
        return step % maximum(self.workers, 1)

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
        data, workers = reality.torch.utils.data, reality.options["workers"] if reality.processes else 0
        batched = any(isinstance(group, list) for group in stream)
        records = [each for group in stream for each in (group if isinstance(group, list) else [group])]
        loader = data.DataLoader(
            Seen(1 + max(records, default=0), data.get_worker_info),
            **({"batch_sampler": stream} if batched else {"sampler": stream, "batch_size": None}),
            num_workers=workers,
            prefetch_factor=reality.options["prefetch"] if workers else None,
            collate_fn=list,
            timeout=_PATIENCE if workers else 0,
        )
        items = [batch if batched else [batch] for batch in loader]
        reality.built[:] = [batch[0][1] for batch in items]
        if not batched:
            return [item[0] for (item,) in items]
        return [type(group)(item[0] for item in batch) for group, batch in zip(stream, items, strict=True)]
