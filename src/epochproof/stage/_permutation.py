"""The permutations that torch draws, without torch (measured in `tests/observe`)."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from random import Random

_WORDS = 624
_SMALL = (2**32 - 1) // 20
"""From this length on, torch draws 64-bit numbers and fills inside out."""


def twister(seed: int) -> Random:
    """MT19937 seeded like torch's generator: `init_genrand` of the low 32 bits."""
    state = [seed % 2**32]
    for at in range(1, _WORDS):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + at) % 2**32)
    twister = Random()  # noqa: S311 -- it stands for torch's generator, not for secrets
    twister.setstate((3, (*state, _WORDS), None))
    return twister


def randperm(n: int, seed: int) -> list[int]:
    """`torch.randperm(n)` of a generator seeded with `seed`; only its low 32 bits count.

    Raises:
        ValueError: n reaches 214 748 364, where torch takes another way.
    """
    if n >= _SMALL:
        raise ValueError(f"a permutation of {n} records is too long to draw")
    return _lap_of(n, seed, 0)


def _lap_of(n: int, seed: int, lap: int) -> list[int]:
    """The permutation that the generator draws after `lap` others of the same length."""
    draw, order = twister(seed).getrandbits, list(range(n))
    for _ in range(lap * max(0, n - 1)):
        draw(32)
    for at in range(n - 1):
        other = at + draw(32) % (n - at)
        order[at], order[other] = order[other], order[at]
    return order


def later(stream: int, lap: int) -> int:
    """The stream of the permutation that is drawn after `lap` others; the first one is the stream's own."""
    if lap <= 0:
        return stream
    together = stream + lap
    return -(together * (together + 1) // 2 + lap)


def _as_lap(stream: int) -> tuple[int, int]:
    """The stream and the lap that `later` took."""
    if stream >= 0:
        return stream, 0
    together = (isqrt(8 * -stream + 1) - 1) // 2
    lap = -stream - together * (together + 1) // 2
    return together - lap, lap


@lru_cache(maxsize=512)
def permutation(key: int, stream: int, n: int) -> tuple[list[int], list[int]]:
    """The order under (key, stream) and its inverse; stream 0 is the one that ranks share.

    Streams below 0 are those that `later` gives.
    """
    stream, lap = _as_lap(stream)
    order = _lap_of(n, own_seed(key, stream) if stream else key, lap)
    inverse = [0] * n
    for position, item in enumerate(order):
        inverse[item] = position
    return order, inverse


def own_seed(key: int, stream: int) -> int:
    """A seed for a rank's own permutation: distinct for each (key, stream), and never their sum."""
    return (key * 0x9E3779B1 ^ stream * 0x85EBCA6B) % 2**32
