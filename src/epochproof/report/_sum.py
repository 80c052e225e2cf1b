"""How many claims there are, and how many are as stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged
from epochproof.report._style import counted, shown

_OUTCOMES = ("as stated", "not as stated", "vacuous", "unknown")


def in_a_line(outcomes: Sequence[Checked | SpecError]) -> str:
    """`2 files, 3 claims: 2 as stated, 1 not as stated; 1 file could not be read`."""
    claims = [claim for each in outcomes if isinstance(each, Checked) for claim in each.claims]
    found = Counter(map(_outcome, claims))
    parts = [f"{shown(found[word])} {word}" for word in _OUTCOMES if found[word]] or ["nothing to prove"]
    files = f"{counted(len(outcomes), 'file')}, " if len(outcomes) > 1 else ""
    line = f"{files}{counted(len(claims), 'claim')}: {', '.join(parts)}"
    wrong = sum(isinstance(each, SpecError) for each in outcomes)
    return f"{line}; {counted(wrong, 'file')} could not be read" if wrong else line


def is_good(outcomes: Sequence[Checked | SpecError]) -> bool:
    """Whether every spec could be read and every claim is as stated."""
    return all(isinstance(each, Checked) and each.ok for each in outcomes)


def _outcome(claim: Judged) -> str:
    if claim.as_stated:
        return "as stated"
    return claim.verdict.word if claim.verdict.word in ("vacuous", "unknown") else "not as stated"
