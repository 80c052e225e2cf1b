"""`formula per prefix`: the formula holds of the first occurrences of an epoch, however many they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from epochproof.claim._nodes import Condition, Node, Symbols, Use, World
from epochproof.claim._parts import occurrences
from epochproof.claim._prefix import Prefix
from epochproof.claim._question import ZERO
from epochproof.claim._sided import Sided
from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.term.node import Int, either, implies, less_equal


@dataclass(frozen=True, eq=False, repr=False)
class PerPrefix(Condition):
    """The operand, of every prefix of an epoch by step, slot and rank, the empty one included."""

    of_prefixes: ClassVar[bool] = True

    operand: Condition
    use: Use
    """One of the uses of a loader in it: all are of one loader."""

    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def tells_records(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        length, total = symbols.question.fresh("prefix"), occurrences(symbols.view(self.use))

        def of(prefix: Int) -> Sided:
            return self.operand.sided(replace(symbols, prefix=prefix))

        return Sided(
            implies(less_equal(length, total), of(length).yes),
            either(*(of(each).no for each in (ZERO, total))),
        )

    def holds(self, world: World) -> bool:
        return self._broken(world) is None

    def shows(self, world: World) -> frozenset[int]:
        broken = self._broken(world)
        return frozenset() if broken is None else frozenset(broken.records)

    def prefix_length(self, world: World) -> int | None:
        broken = self._broken(world)
        return None if broken is None else broken.length

    def _broken(self, world: World) -> Prefix | None:
        """The shortest prefix of which the operand is false."""
        prefix = Prefix(world.lists[self.use.loader], world.epoch)
        world = replace(world, prefix=prefix)
        while self.operand.holds(world):
            if not prefix.grow():
                return None
        return prefix


def per(operand: Condition, written: tree.Per) -> Condition:
    """The condition that the operand holds of each of what is written after `per`."""
    if written.what != "prefix":
        raise fail("E301", f"there is no `per {written.what}`", written.what_span, help="write `per prefix`")
    uses = [each for each in operand.walk() if isinstance(each, Use)]
    if len({each.loader for each in uses}) != 1:
        raise _refused(
            "is about the occurrences of one loader", written.operand.span, "name one loader in it"
        )
    for use in uses:
        if use.run or use.rank:
            cure = "leave `run` and `rank` out"
            raise _refused("is about all ranks in one epoch", use.span, cure)
        if not use.quantity.of_parts:
            cure = "count `occurrences`, as in `train.occurrences(web)`"
            raise _refused(f"cannot speak of `{use.quantity.name}`", use.span, cure)
    if any(
        each.changed() or each.ranges_over_ranks() or isinstance(each, PerPrefix) for each in operand.walk()
    ):
        raise _refused("takes a formula about one run", written.operand.span, "compare numbers or sets in it")
    return PerPrefix(operand, replace(uses[0], part=""))


def _refused(why: str, span: Span, cure: str) -> Exception:
    return fail("E303", f"`per prefix` {why}", span, help=cure)
