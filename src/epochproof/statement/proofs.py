"""What a verdict rests on, as texts for any prover: the one place that knows how they are written."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.prove.obligations import obligations
from epochproof.prove.verdict import Judged

TWO = "two solvers"


@dataclass(frozen=True)
class Proof:
    """The texts of a verdict's obligations with their digests, and its evidence.

    `second` says what the second prover found: nothing where it was not asked.
    """

    texts: tuple[str, ...]
    digests: tuple[str, ...]
    evidence: str
    second: str = ""


def proof(judged: Judged, *, recheck: bool) -> Proof:
    """The proof behind a verdict; with `recheck`, the second prover reads each text on its own."""
    found = obligations(judged)
    return Proof(
        tuple(each.text for each in found), tuple(each.digest for each in found), judged.verdict.evidence
    )
