"""Merkle trees as RFC 6962 and RFC 9162 hash them: a root over leaves that come one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256


def leaf(content: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows leaf by leaf and holds one hash for each of its complete subtrees."""

    def __init__(self) -> None:
        self.leaves = 0
        self._subtrees: list[bytes] = []

    def add(self, content: bytes) -> None:
        """Appends a leaf."""
        found, grown = leaf(content), self.leaves
        while grown & 1:
            found, grown = node(self._subtrees.pop(), found), grown >> 1
        self._subtrees.append(found)
        self.leaves += 1

    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self._subtrees:
            return sha256(b"").digest()
        found = self._subtrees[-1]
        for each in reversed(self._subtrees[:-1]):
            found = node(each, found)
        return found


def root(contents: Iterable[bytes]) -> bytes:
    """The root over the leaves."""
    tree = Tree()
    for each in contents:
        tree.add(each)
    return tree.root()


def inclusion(contents: Sequence[bytes], at: int) -> tuple[bytes, ...]:
    """The hashes that lead from one leaf to the root, from the leaf upward."""
    if len(contents) <= 1:
        return ()
    half = 1 << (len(contents) - 1).bit_length() - 1
    if at < half:
        return (*inclusion(contents[:half], at), root(contents[half:]))
    return (*inclusion(contents[half:], at - half), root(contents[:half]))


def included(content: bytes, at: int, leaves: int, path: Sequence[bytes]) -> bytes | None:
    """The root that the path leads to from a leaf; `None` where the path fits no tree of so many leaves."""
    if not 0 <= at < leaves:
        return None
    found, last = leaf(content), leaves - 1
    for each in path:
        if last == 0:
            return None
        if at & 1 or at == last:
            found = node(each, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, each)
        at, last = at >> 1, last >> 1
    return found if last == 0 else None
