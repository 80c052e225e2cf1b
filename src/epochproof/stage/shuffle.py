"""`shuffle(seed, reseed, shared)`: one permutation for each key."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from epochproof.stage._keys import Keys, real_epoch, real_seed
from epochproof.stage._options import Seed
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Bool, Int, apply, number, within


class Shuffle(Keys, Stage):
    """The order of `DistributedSampler`: `randperm(n)` of a generator seeded with seed + epoch."""

    moves: ClassVar[bool] = True

    seed: Annotated[Int, Seed()] = number(0)
    reseed: Literal["epoch", "never"] = "epoch"
    shared: Literal[True, False] = True

    def bijective(self) -> bool:
        return self.shared

    def length(self, here: Here) -> Int:
        return here.n

    def source(self, p: Int, here: Here) -> Int:
        return apply("permuted", self.key(here), self.stream(here), here.n, p)

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(first(lap), apply("position", self.key(here), self.stream(here), here.n, q))

    def kept(self, span: Interval, here: Here) -> Interval | None:
        return span if span.high is None and span.low is number(0) else None

    def assumes(self) -> tuple[str, ...]:
        return ("all ranks agree on the seed and the epoch",) if self.shared else ()

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        return [("nothing to shuffle", within(0, here.n, 2)), ("shuffled", here.n >= 2)]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        torch = reality.torch
        if self.shared:
            seed = reality.options["seed"]
            sampler = torch.utils.data.DistributedSampler(stream, 1, 0, shuffle=True, seed=seed)
            sampler.set_epoch(real_epoch(self, reality))
        else:
            generator = torch.Generator().manual_seed(real_seed(self, reality))
            sampler = torch.randperm(len(stream), generator=generator).tolist()
        return [stream[at] for at in sampler]
