"""`augment(stream, process_seed)`: where the random numbers of a sample come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Int


class Augment(Stage):
    """`worker`: ambient state, seeded for each worker process; `record`: derived from the record alone."""

    matters_to: ClassVar[frozenset[str] | None] = frozenset({"augmentation"})

    stream: Literal["worker", "record"] = "worker"
    process_seed: Literal["same", "distinct", "independent"] = "same"

    def length(self, here: Here) -> Int:
        return here.n

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(isinstance(stage, Augment) for stage in above):
            return "a sample draws its random numbers once"
        return ""

    def assumes(self) -> tuple[str, ...]:
        if self.stream == "record":
            return ()
        each = ("each sample draws the same amount of random numbers",)
        if self.process_seed == "independent":
            return (*each, "streams of independently seeded processes do not meet")
        return each

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
