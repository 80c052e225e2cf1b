"""Weights that a manifest lists, kept under a number that stands for them in terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

_FIRST = 2**64
"""Smaller numbers stand for weights of the tool's own making."""


@dataclass(frozen=True)
class Weights:
    """The weight of each record, exactly; one at least is above 0."""

    exact: tuple[Fraction, ...]

    @cached_property
    def floats(self) -> list[float]:
        """What torch is handed: the nearest numbers of double precision."""
        return [float(each) for each in self.exact]

    @cached_property
    def counts(self) -> Mapping[Fraction, int]:
        """How many records have each weight, rising."""
        return dict(sorted(Counter(self.exact).items()))


_KEPT: dict[int, Weights] = {}
"""By a digest of what they are, so that what a number stands for never changes."""


def number_of(exact: Sequence[Fraction]) -> int:
    """The number that stands for these weights."""
    from hashlib import blake2b  # noqa: PLC0415 -- few loaders draw by listed weights

    digest = blake2b(" ".join(map(str, exact)).encode(), digest_size=16).digest()
    found = _FIRST + int.from_bytes(digest)
    _KEPT.setdefault(found, Weights(tuple(exact)))
    return found


def weights_of(column: int) -> Weights | None:
    """The weights that the number stands for; `None` where it is one of the tool's own making."""
    return _KEPT.get(column)
