"""`steps`: the steps that a rank runs."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._counts import over_workers
from epochproof.claim._quantity import NumberQuantity, Seen
from epochproof.claim._question import View
from epochproof.term.node import Int


class Steps(NumberQuantity):
    """Batches of a rank, optimizer steps after `accumulate`; without either, each record is a step."""

    name: ClassVar[str] = "steps"
    per_rank: ClassVar[bool] = True
    of_lengths: ClassVar[bool] = True

    def number(self, view: View) -> Int:
        last = view.plan.heres(view.plan.lane(view.this_rank, view.this_epoch))[-1]
        each = last.steps.through(last.n, view.epochs) if view.run else last.steps.count(last.n)
        return over_workers(view.plan, each, view)

    def counted(self, seen: Seen) -> int:
        return sum(seen.lists.lane(epoch, seen.this_rank).steps for epoch in seen.epochs())
