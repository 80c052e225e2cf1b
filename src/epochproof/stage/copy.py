"""`copy(LANES)`: every lane reads the whole stream."""

from __future__ import annotations

from typing import Annotated

from epochproof.stage._options import Lanes
from epochproof.stage._stage import Here, Reality, Stage, Stream
from epochproof.term.node import Int


class Copy(Stage):
    """What an iterable dataset does that ignores its worker id: said aloud, and blamed where it repeats."""

    lanes: Annotated[frozenset[str], Lanes()]

    def length(self, here: Here) -> Int:
        return here.n

    def copies(self) -> frozenset[str]:
        return self.lanes

    def real(self, stream: Stream, reality: Reality) -> Stream:
        return stream
