"""`weigh(padding)` or `weigh(by)`: what each delivered record counts for in a metric."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar

from epochproof.stage._options import Exact, Level
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Int

INVERSE = "inverse_multiplicity"


class Weigh(Stage):
    """`padding`: what padding weighs, all else weighs 1. `by`: each occurrence weighs 1 / multiplicity.

    Or 1 / m where m occurrences in the epoch are made of the same record of a dataset `by` name.

    Both are about what the loader delivers in the end, so that it does not matter where the stage stands.
    """

    matters_to: ClassVar[frozenset[str] | None] = frozenset({"weight"})
    alternatives: ClassVar[tuple[str, ...]] = ("padding", "by")

    padding: Annotated[Fraction | None, Exact()] = None
    by: Annotated[str | None, Level((INVERSE,))] = None

    def length(self, here: Here) -> Int:
        return here.n

    def refuses(self, above: Sequence[Stage]) -> str:
        return "records are weighed above" if any(isinstance(stage, Weigh) for stage in above) else ""

    def assumes(self) -> tuple[str, ...]:
        return ("the code that reads a record multiplies what it counts by its weight",)

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
