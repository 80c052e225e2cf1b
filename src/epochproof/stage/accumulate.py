"""`accumulate(n, tail)`: groups batches into optimizer steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from epochproof.stage._options import AtLeast
from epochproof.stage._stage import (
    Here,
    Interval,
    Place,
    Reality,
    Stage,
    Steps,
    Stream,
    Waiting,
    afresh,
    first,
)
from epochproof.term.node import Bool, Int, both, ceil_divide, equal, maximum, minimum, negate, number


class Accumulate(Stage):
    """Gradient accumulation: an optimizer step every n batches.

    What is left at the end of an epoch makes a smaller step (`keep`), is thrown away (`drop`), or joins
    the first step of the next epoch (`carry`).
    """

    regroups: ClassVar[bool] = True

    n: Annotated[Int, AtLeast(1)]
    tail: Literal["keep", "drop", "carry"] = "keep"

    def after_workers(self) -> bool:
        return True

    def length(self, here: Here) -> Int:
        if self.tail != "drop":
            return here.n
        return minimum(here.n, here.steps.before(self.n * (here.steps.count(here.n) // self.n)))

    def place(self, q: Int, lap: Int, here: Here) -> Place:
        return Place(both(first(lap), q < self.length(here)), q)

    def kept(self, span: Interval, here: Here) -> Interval | None:
        return Interval(span.low, self.length(here)) if span.high is None and self.tail == "drop" else span

    def _waiting(self, here: Here) -> Int:
        """Batches that the epochs before left over, modulo n."""
        if self.tail != "carry":
            return number(0)
        return (here.lane.epoch * here.steps.count(here.n)) % self.n

    def grouped(self, here: Here) -> Steps:
        inner, waiting = here.steps, self._waiting(here)
        if self.tail == "carry":
            return Steps(
                count=lambda n: (waiting + inner.count(n)) // self.n,
                of=lambda p: (waiting + inner.of(p)) // self.n,
                before=lambda k: maximum(0, inner.before(k * self.n - waiting)),
                through=lambda n, epochs: (epochs * inner.count(n)) // self.n,
            )
        return afresh(
            count=lambda n: ceil_divide(inner.count(n), self.n),
            of=lambda p: inner.of(p) // self.n,
            before=lambda k: inner.before(k * self.n),
        )

    def cases(self, here: Here) -> list[tuple[str, Bool]]:
        batches = here.steps.count(here.n)
        divides = equal(batches % self.n, 0)
        return [("whole steps", divides), ("a smaller last step", negate(divides))]

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(isinstance(stage, Accumulate) and stage.tail == "carry" for stage in above):
            return "steps that are carried into the next epoch cannot be grouped again"
        return ""

    def real(self, stream: Stream, reality: Reality) -> Stream:
        """A real optimizer, one weight a batch: each step shows the batches whose gradients it applied."""
        torch, size = reality.torch, reality.options["n"]
        weights = torch.zeros(len(stream), requires_grad=True)
        optimizer = torch.optim.SGD([weights], lr=1.0)
        waiting = reality.epoch * len(stream) % size if self.tail == "carry" else 0
        steps: list[list[int]] = []
        for at in range(len(stream)):
            weights[at].backward()
            last = at == len(stream) - 1 and self.tail == "keep"
            if (waiting + at + 1) % size == 0 or last:
                steps.append(_taken(_applied(optimizer, weights), stream))
        if self.tail == "carry" and weights.grad is not None:
            steps.append(Waiting(_taken(weights.grad.nonzero().flatten().tolist(), stream)))
        return steps


def _applied(optimizer: Any, weights: Any) -> list[int]:  # noqa: ANN401 -- torch is not imported here
    before = weights.detach().clone()
    optimizer.step()
    optimizer.zero_grad()
    moved: list[int] = (before - weights.detach()).nonzero().flatten().tolist()
    return moved


def _taken(batches: list[int], stream: Stream) -> list[int]:
    """The records of some batches of the stream, or its positions themselves where nothing is batched."""
    groups = [stream[at] if isinstance(stream[at], list) else [stream[at]] for at in batches]
    return [record for group in groups for record in group]
