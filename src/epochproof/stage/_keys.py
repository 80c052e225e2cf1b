"""What an order or a sequence of draws depends on, and the seed of the generator that gives it in torch."""

from __future__ import annotations

from typing import Protocol

from epochproof.stage._permutation import own_seed
from epochproof.stage._stage import Here, Reality
from epochproof.term.node import Int, constant, number


class Keyed(Protocol):
    """A stage with a seed, which may be new in each epoch and each rank's own."""

    @property
    def seed(self) -> Int: ...
    @property
    def reseed(self) -> str: ...
    @property
    def shared(self) -> bool: ...


class Keys:
    """What stages with a seed do with it."""

    def key(self: Keyed, here: Here) -> Int:
        """Seed plus told epoch, or the seed. A fixed seed counts modulo 2^32, as it does in torch."""
        fixed = constant(self.seed)
        seed = self.seed if fixed is None else number(fixed % 2**32)
        return seed + here.lane.told if self.reseed == "epoch" else seed

    def stream(self: Keyed, here: Here) -> Int:
        """0 is the order or sequence that all ranks share; rank r's own is r + 1."""
        return number(0) if self.shared else here.lane.rank + 1


def real_epoch(stage: Keyed, reality: Reality) -> int:
    """What `set_epoch` is told for the stage."""
    return reality.first + reality.epoch if stage.reseed == "epoch" else 0


def real_seed(stage: Keyed, reality: Reality) -> int:
    """The seed of torch's generator."""
    key = reality.options["seed"] + real_epoch(stage, reality)
    return key if stage.shared else own_seed(key, reality.rank + 1)
