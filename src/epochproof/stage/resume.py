"""`resume(position, order, counter, after, ranks, batch, times)`: where a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from epochproof.stage._options import Again, AtLeast, Fixed, Open, Seed
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Int, number

MOST_TIMES = 8
"""So often a run is interrupted at most: each time adds a stop to every formula."""


class Resume(Stage):
    """Every quantity but `lost` and `replayed` describes the run without the interruption."""

    matters_to: ClassVar[frozenset[str] | None] = frozenset({"lost", "replayed"})

    position: Literal["consumed", "fetched", "epoch_start"] = "consumed"
    order: Literal["same", "fresh"] = "same"
    counter: Literal["rank", "global"] = "rank"
    after: Annotated[Int, AtLeast(0), Open("after")] = number(0)
    ranks: Annotated[Int | None, AtLeast(1), Open("resumed.ranks", given=True)] = None
    batch: Annotated[Int | None, AtLeast(1), Open("resumed.batch", given=True)] = None
    seed: Annotated[Int, Seed(), Open("resumed.seed")] = number(0)
    times: Annotated[int, Fixed(1, MOST_TIMES)] = 1
    afters: Annotated[tuple[Int, ...], Again("after")] = ()
    seeds: Annotated[tuple[Int, ...], Again("seed")] = ()

    def each(self) -> tuple[Resume, ...]:
        """Its interruptions in their order, each as a `resume` that is the only one."""
        stops, seeds = (self.after, *self.afters), (self.seed, *self.seeds)
        return tuple(
            self.changed(after=after, seed=seed, times=1, afters=(), seeds=())
            for after, seed in zip(stops, seeds, strict=True)
        )

    def after_workers(self) -> bool:
        return True

    def length(self, here: Here) -> Int:
        return here.n

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(isinstance(stage, Resume) for stage in above):
            return "a loader has one `resume`; interruptions in a row are `times = 2`"
        deals = [stage for stage in above if stage.axes()]
        if self.counter == "global" and (len(deals) != 1 or deals[0].axes() != {"rank"}):
            return "a global count needs exactly one `shard(ranks)` above"
        return ""

    def assumes(self) -> tuple[str, ...]:
        same = "the resumed run reads the same dataset"
        return (same if self.order == "fresh" else f"{same}, under the same seed and epoch",)

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
