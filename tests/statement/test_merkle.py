"""Merkle trees against the vectors of RFC 6962's own implementation, and against the definition."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epochproof.statement.merkle import Tree, included, inclusion, leaf, node, root

LEAVES = [
    bytes.fromhex(each)
    for each in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The vectors of the certificate-transparency repository, for the first so many leaves."""


def defined(leaves: list[bytes]) -> bytes:
    """The root as section 2.1.1 of RFC 9162 defines it."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaf(leaves[0])
    k = max(2**i for i in range(20) if 2**i < len(leaves))
    return node(defined(leaves[:k]), defined(leaves[k:]))


@pytest.mark.parametrize("count", range(9))
def test_roots_are_those_of_the_vectors(count: int) -> None:
    assert root(LEAVES[:count]).hex() == ROOTS[count]


@given(st.lists(st.binary(max_size=3), max_size=70))
@settings(max_examples=60, deadline=None)
def test_tree_that_grows_has_the_defined_root(leaves: list[bytes]) -> None:
    tree = Tree()
    for count, each in enumerate(leaves):
        assert tree.leaves == count
        tree.add(each)

    assert tree.root() == defined(leaves)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 33])
def test_each_leaf_is_included(count: int) -> None:
    leaves = [str(each).encode() for each in range(count)]
    whole = root(leaves)

    for at, each in enumerate(leaves):
        path = inclusion(leaves, at)
        assert included(each, at, count, path) == whole
        assert included(b"other", at, count, path) != whole
        assert included(each, (at + 1) % count, count, path) != whole or count == 1
        assert included(each, at, count, (*path, b"x" * 32)) is None


def test_leaf_is_no_inner_node() -> None:
    assert root([leaf(b"a") + leaf(b"b")]) != root([b"a", b"b"])
