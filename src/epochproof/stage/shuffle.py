"""`shuffle(seed, reseed, shared)`: one permutation for each key."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from epochproof.stage._options import Seed
from epochproof.stage._permutation import own_seed
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.node import Bool, Int, apply, constant, number, within


class Shuffle(Stage):
    """The order of `DistributedSampler`: `randperm(n)` of a generator seeded with seed + epoch."""

    moves: ClassVar[bool] = True

    seed: Annotated[Int, Seed()] = number(0)
    reseed: Literal["epoch", "never"] = "epoch"
    shared: Literal[True, False] = True

    def key(self, here: Here) -> Int:
        """What the permutation depends on. A fixed seed counts modulo 2^32, as it does in torch."""
        fixed = constant(self.seed)
        seed = self.seed if fixed is None else number(fixed % 2**32)
        return seed + here.lane.told if self.reseed == "epoch" else seed

    def stream(self, here: Here) -> Int:
        """0 is the permutation that all ranks share; rank r's own is r + 1."""
        return number(0) if self.shared else here.lane.rank + 1

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
        torch, key = reality.torch, reality.options["seed"]
        epoch = reality.first + reality.epoch if self.reseed == "epoch" else 0
        if self.shared:
            sampler = torch.utils.data.DistributedSampler(stream, 1, 0, shuffle=True, seed=key)
            sampler.set_epoch(epoch)
        else:
            generator = torch.Generator().manual_seed(own_seed(key + epoch, reality.rank + 1))
            sampler = torch.randperm(len(stream), generator=generator).tolist()
        return [stream[at] for at in sampler]
