"""`X distinct across AXIS`: no value of X occurs on two ranks, on two workers, or in two epochs."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.claim._nodes import Condition, Node, Symbols, World
from epochproof.claim._sets import UseSequence
from epochproof.claim._sided import Sided
from epochproof.claim.augmentation import CHOICES, Augmentation
from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.term.node import FALSE, Bool, both, differ, equal, implies, negate

_AXES = ("ranks", "workers", "epochs")


@dataclass(frozen=True, eq=False, repr=False)
class DistinctAcross(Condition):
    """Two samples that differ along the axis draw different random numbers.

    Ranks and workers are compared within an epoch, workers within a rank.
    """

    use: UseSequence
    quantity: Augmentation
    axis: str

    def parts(self) -> tuple[Node, ...]:
        return (self.use,)

    def tells_records(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        view = symbols.view(self.use.use)
        one, other = self.quantity.sample(view, "1"), self.quantity.sample(view, "2")
        apart: dict[str, Bool] = {
            "ranks": both(equal(one.epoch, other.epoch), differ(one.rank, other.rank)),
            "workers": both(
                equal(one.epoch, other.epoch),
                equal(one.rank, other.rank),
                differ(one.draw.worker, other.draw.worker),
            ),
            "epochs": differ(one.epoch, other.epoch),
        }
        alike = both(*(equal(a, b) for a, b in zip(one.draw.key, other.draw.key, strict=True)))
        return Sided(implies(both(one.exists, other.exists, apart[self.axis]), negate(alike)), FALSE)

    def holds(self, world: World) -> bool:
        seen = world.seen(self.use.use)
        for choice in CHOICES:
            found: dict[object, int] = {}
            for rank, worker, epoch, key in self.quantity.samples(seen, choice):
                where, value = {
                    "ranks": ((epoch, key), rank),
                    "workers": ((epoch, rank, key), worker),
                    "epochs": ((key,), epoch),
                }[self.axis]
                if found.setdefault(where, value) != value:
                    return False
        return True


def distinct_across(operand: Node, axis: tree.Name, span: Span) -> Condition:
    """The condition that the operand, `augmentation`, is distinct across the axis."""
    if str(axis) not in _AXES:
        known = ", ".join(_AXES)
        raise fail(
            "E301",
            f"nothing is `distinct across {axis}`",
            axis.span,
            help=suggest(str(axis), _AXES) or f"axes: {known}",
        )
    if isinstance(operand, UseSequence) and isinstance(operand.quantity, Augmentation):
        return DistinctAcross(operand, operand.quantity, str(axis))
    cure = "write `train.augmentation distinct across ranks`, or the like"
    raise fail("E303", "only `augmentation` can be `distinct across` something", span, help=cure)
