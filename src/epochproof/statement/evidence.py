"""Words of a statement that decide something: evidence by its strength, and who checked nothing."""

from __future__ import annotations

NOBODY = "nobody"
"""Who checked an assumption that nobody checked."""

TRACE = "trace"
"""Who checked an assumption about the order that each rank agrees on with the schedule, in one run."""

ABOUT_ORDER = ("all ranks agree", "all workers agree", "workers return their batches in order")
"""How the assumptions begin that are borne out where each rank read what the schedule says, in its order."""

RANKS = ("run", "manifest", "enumerated", "exhausted", "solver", "two solvers")
"""From the weakest to the strongest."""


def rank(evidence: str) -> int:
    """The place of an evidence among the ranks, -1 where it is none: `exhausted(12)` ranks as `exhausted`."""
    word = evidence.partition("(")[0]
    return RANKS.index(word) if word in RANKS else -1
