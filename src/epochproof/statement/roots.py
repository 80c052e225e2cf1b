"""Roots over keyed commitments to record ids: what was read, in which order, without saying which records."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from epochproof.statement.merkle import Tree, root
from epochproof.statement.predicate import Root


class Committer:
    """Commits to the ids of one dataset under a key: equal ids give equal commitments, and no others do."""

    def __init__(self, key: bytes, dataset: str) -> None:
        self._keyed = hmac.new(key, dataset.encode("utf-8") + b"\x00", sha256)
        self._known: dict[str, bytes] = {}

    def commit(self, record: str) -> bytes:
        """HMAC-SHA256 over the name of the dataset, a zero byte, and the id of the record."""
        found = self._known.get(record)
        if found is None:
            keyed = self._keyed.copy()
            keyed.update(record.encode("utf-8"))
            found = self._known[record] = keyed.digest()
        return found


def key_commitment(key: bytes) -> str:
    """The digest by which a key is known that nobody shows, in hexadecimal digits."""
    return sha256(key).hexdigest()


def set_root(commitments: Iterable[bytes]) -> Root:
    """The root over different commitments, in ascending order."""
    leaves = sorted(set(commitments))
    return Root(root(leaves).hex(), str(len(leaves)))


@dataclass
class Rooted:
    """What is read, epoch by epoch and rank by rank, while it is read: a tree for each of them."""

    committer: Committer
    occurrences: int = 0
    _lanes: dict[tuple[int, int], Tree] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)

    def read(self, epoch: int, rank: int, records: Iterable[str]) -> None:
        """Adds what the rank reads next in the epoch."""
        tree = self._lanes.setdefault((epoch, rank), Tree())
        before = tree.leaves
        for each in records:
            leaf = self.committer.commit(each)
            self._seen.add(leaf)
            tree.add(leaf)
        self.occurrences += tree.leaves - before

    @property
    def epochs(self) -> int:
        """How many epochs were begun."""
        return len({epoch for epoch, _ in self._lanes})

    @property
    def ranks(self) -> int:
        """How many ranks read something."""
        return len({rank for _, rank in self._lanes})

    def order_root(self) -> Root:
        """The root over each epoch and rank that read something: both numbers, its root, how much it read."""
        leaves = [
            epoch.to_bytes(8) + rank.to_bytes(8) + tree.root() + tree.leaves.to_bytes(8)
            for (epoch, rank), tree in sorted(self._lanes.items())
            if tree.leaves
        ]
        return Root(root(leaves).hex(), str(self.occurrences))

    def set_root(self) -> Root:
        """The root over the distinct records."""
        return set_root(self._seen)
