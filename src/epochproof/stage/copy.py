"""`copy(LANES)`: every lane reads the whole stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from epochproof.stage._options import Lanes
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Int


class Copy(Stage):
    """What an iterable dataset does that ignores its worker id: said aloud, and blamed where it repeats."""

    lanes: Annotated[frozenset[str], Lanes()]

    def length(self, here: Here) -> Int:
        return here.n

    def refuses(self, above: Sequence[Stage]) -> str:
        if any(self.lanes & stage.axes() for stage in above):
            return "these lanes were dealt to above, so that none reads everything"
        return ""

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
