"""Orders as arrays are the permutations that torch draws."""

from __future__ import annotations

import pytest

from epochproof.audit.orders import order
from epochproof.stage._permutation import permutation


@pytest.mark.parametrize("n", [0, 1, 2, 1_999, 2_001, 5_003, 40_000])
@pytest.mark.parametrize(("key", "stream"), [(0, 0), (7, 0), (2**32 + 5, 0), (3, 2)])
def test_array_is_the_permutation(n: int, key: int, stream: int) -> None:
    assert order(key, stream, n).tolist() == permutation(key, stream, n)[0]


def test_length_at_which_torch_draws_otherwise_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        order(0, 0, 2**28)
