"""Few instances show every pair of cases."""

from __future__ import annotations

from itertools import product

from epochproof.observe.cover import pairs, pairwise


def test_pairs_join_cases_of_different_stages() -> None:
    assert list(pairs(("a", "b", "a"))) == [
        ((0, "a"), (1, "b")),
        ((0, "a"), (2, "a")),
        ((1, "b"), (2, "a")),
    ]
    assert list(pairs(("a",))) == [((0, "a"),)]


def test_cover_shows_every_pair_with_few() -> None:
    every = [(cases, cases) for cases in product("abc", repeat=4)]

    chosen = pairwise(every)

    assert {pair for each in chosen for pair in pairs(each)} == {
        pair for each, _ in every for pair in pairs(each)
    }
    assert len(chosen) <= 15


def test_first_of_equals_is_chosen() -> None:
    assert pairwise([(1, "xy"), (2, "xy"), (3, "xz")]) == [1, 3]


def test_nothing_covers_nothing() -> None:
    assert pairwise([]) == []
