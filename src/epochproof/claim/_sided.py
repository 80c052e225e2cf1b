"""Conditions of which sufficient reasons are known: one why they hold, one why they do not."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.term.node import FALSE, TRUE, Bool, both, either, negate


@dataclass(frozen=True, eq=False, repr=False)
class Sided:
    """`yes` implies the condition, `no` implies its contrary; both may be false.

    A fresh variable in either stands for each of its values: where `yes` holds for all of them, so does
    the condition.
    """

    yes: Bool
    no: Bool

    def __invert__(self) -> Sided:
        return Sided(self.no, self.yes)

    def __and__(self, other: Sided) -> Sided:
        return Sided(both(self.yes, other.yes), either(self.no, other.no))

    def __or__(self, other: Sided) -> Sided:
        return Sided(either(self.yes, other.yes), both(self.no, other.no))


def exactly(condition: Bool) -> Sided:
    """A condition that is known both ways."""
    return Sided(condition, negate(condition))


ALWAYS, NEVER = exactly(TRUE), exactly(FALSE)
