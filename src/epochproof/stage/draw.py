"""`draw(n, replacement, weights)`: n random draws from the stream, under one key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from epochproof.stage._drawn import column
from epochproof.stage._keys import Keys, real_seed
from epochproof.stage._options import AtLeast, Column, Seed
from epochproof.stage._stage import Here, Interval, Place, Reality, Stage, Stream, first
from epochproof.term.fold import variables
from epochproof.term.node import Bool, Int, apply, both, choose, constant, either, equal, number, within


class Draw(Keys, Stage):
    """`RandomSampler` and `WeightedRandomSampler`, whose generator is seeded with seed + epoch.

    Without replacement: whole permutations, then the first positions of one more; the first permutation is
    that of `shuffle`. With it: which position a draw gives, which draws before gave it, and when it comes
    for the k-th time are functions about which only this is known. A further place is no padding.
    """

    moves: ClassVar[bool] = True

    n: Annotated[Int | None, AtLeast(0)] = None
    replacement: Literal[True, False] = True
    weights: Annotated[Int, Column()] = number(0)
    seed: Annotated[Int, Seed()] = number(0)
    reseed: Literal["epoch", "never"] = "epoch"
    shared: Literal[True, False] = True

    @property
    def uniform(self) -> bool:
        """Whether each position is as likely as any other."""
        return constant(self.weights) == 0

    def asked(self, here: Here) -> Int:
        """How many draws there are, unless there is nothing to draw from."""
        return here.n if self.n is None else self.n

    def _apply(self, function: str, here: Here, *arguments: Int) -> Int:
        weights = number(0) if self.uniform else self.weights
        table = (weights, self.key(here), self.stream(here), here.n, self.asked(here))
        return apply(function, *table, *arguments)

    def _shuffled(self, function: str, here: Here, lap: Int, at: Int) -> Int:
        stream = self.stream(here) if self.n is None else apply("round", self.stream(here), lap)
        return apply(function, self.key(here), stream, here.n, at)

    def pads(self) -> bool:
        return self.replacement or self.n is not None

    def repeats(self) -> bool:
        return self.pads()

    def per_rank(self) -> bool:
        return not self.shared

    def made_up(self) -> frozenset[str]:
        return frozenset(variables(self.seed)) if self.replacement and self.uniform else frozenset()

    def bijective(self) -> bool:
        return self.shared and not self.pads()

    def length(self, here: Here) -> Int:
        return here.n if self.n is None else choose(equal(here.n, 0), 0, self.n)

    def source(self, p: Int, here: Here) -> Int:
        if self.replacement:
            return self._apply("picked", here, p)
        if self.n is None:
            return self._shuffled("permuted", here, number(0), p)
        return self._shuffled("permuted", here, p // here.n, p % here.n)

    def lap(self, p: Int, here: Here) -> Int:
        if self.replacement:
            return self._apply("again", here, p)
        return number(0) if self.n is None else p // here.n

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        if not self.pads():
            return Place(first(lap), self._shuffled("position", here, lap, q))
        if self.replacement:
            position = self._apply("nth", here, q, lap)
        else:
            position = lap * here.n + self._shuffled("position", here, lap, q)
        return Place(both(lap >= 0, position < self.asked(here)), position)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        everything = span.high is None and span.low is number(0)
        return span if everything and not self.pads() else None

    def cure(self) -> str:
        senseless = not self.uniform and not self.replacement
        return "write `replacement = true`, or leave `weights` out" if senseless else ""

    def refuses(self, above: Sequence[Stage]) -> str:
        if self.cure():
            return "torch gives records of weight 0, too, once the others are used up"
        return super().refuses(above)

    def assumes(self) -> tuple[str, ...]:
        return ("all ranks agree on the seed and the epoch",) if self.shared else ()

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        n = self.asked(here)
        some = [("some are drawn", within(1, n, here.n)), ("more are drawn than there are", n > here.n)]
        return [
            ("nothing is drawn", either(equal(here.n, 0), equal(n, 0))),
            ("as many are drawn as there are", both(here.n >= 1, equal(n, here.n))),
            *(((name, both(here.n >= 1, holds)) for name, holds in some) if self.n is not None else ()),
        ]

    def real(self, stream: Stream, reality: Reality) -> Stream:
        data, options = reality.torch.utils.data, reality.options
        seed = real_seed(self, reality)
        generator = reality.torch.Generator().manual_seed(seed)
        n = options.get("n", len(stream))
        try:
            sampler: Any
            if self.uniform:
                sampler = data.RandomSampler(stream, self.replacement, n, generator)
            else:
                weights = column(options["weights"] - 1, len(stream))
                sampler = data.WeightedRandomSampler(weights, n, replacement=True, generator=generator)
            return [stream[at] for at in sampler]
        except (ValueError, RuntimeError, ZeroDivisionError):
            # Torch refuses to draw nothing, or from nothing.
            if n and len(stream):
                raise
            return []
