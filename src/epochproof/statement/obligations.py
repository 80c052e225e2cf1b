"""What a verdict rests on, as texts for any prover: the one place that says how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from epochproof.prove.verdict import Judged
from epochproof.term.as_smtlib import as_smtlib


@dataclass(frozen=True)
class Obligation:
    """A text in SMT-LIB whose conditions cannot hold together, and its digest."""

    text: str
    digest: str


def obligations(judged: Judged) -> tuple[Obligation, ...]:
    """The obligations of a claim that was proved; none where worlds, or rows, were looked at one by one."""
    texts = [as_smtlib(each) for each in judged.verdict.obligations]
    return tuple(Obligation(each, sha256(each.encode()).hexdigest()) for each in texts)
