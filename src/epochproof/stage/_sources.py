"""A mix as a loop over torch datasets: an iterator for each source, taken in turn until the mix ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle, repeat
from typing import Any

from epochproof.stage._stage import Stream


class Source:
    """The records of one dataset in order, again and again; `exhausted` once all were given."""

    def __init__(self, torch: Any, records: Stream) -> None:  # noqa: ANN401 -- torch is not imported here
        self._records = torch.utils.data.Subset(records, range(len(records)))
        self._sampler = torch.utils.data.SequentialSampler(self._records)
        self.exhausted = False
        self._begin()

    def _begin(self) -> None:
        self._indices: Iterator[int] = iter(self._sampler)
        self._ahead = next(self._indices)

    def draw(self) -> object:
        """The next record."""
        found = self._records[self._ahead]
        try:
            self._ahead = next(self._indices)
        except StopIteration:
            self.exhausted = True
            self._begin()
        return found


def in_a_row(weights: Sequence[int]) -> Iterator[int]:
    """The sources as a round robin visits them, each as often as its weight says."""
    return cycle(chain.from_iterable(repeat(source, weight) for source, weight in enumerate(weights)))


def furthest_behind(weights: Sequence[int]) -> Iterator[int]:
    """The sources as a greedy mix visits them: the one whose error would be the largest."""
    had, drawn = [0] * len(weights), 0
    while True:
        drawn += 1
        errors = [weight * drawn - sum(weights) * each for weight, each in zip(weights, had, strict=True)]
        source = max(range(len(weights)), key=errors.__getitem__)
        had[source] += 1
        yield source


def mixed(
    sources: Sequence[Source], visited: Iterator[int], ends: Callable[[Sequence[Source], int], bool]
) -> list[object]:
    """What is drawn until the mix `ends`, which is asked after each record."""
    found = list[object]()
    for source in visited:
        found.append(sources[source].draw())
        if ends(sources, len(found)):
            break
    return found
