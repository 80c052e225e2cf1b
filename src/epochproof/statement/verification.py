"""What is asked of a statement and what becomes of it: findings, the level that is reached, the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from epochproof.statement.policy import LEVELS, Policy
from epochproof.statement.predicate import Statement

REFUSED = 4
"""The exit code where something is not what was signed, or not true."""

Word = Literal["ok", "skipped", "refused", "noted"]


@dataclass(frozen=True)
class Finding:
    """One line of the answer: what was looked at, on which level, what was found; a code where refused."""

    what: str
    word: Word
    text: str
    level: str = ""
    code: str = ""


@dataclass(frozen=True)
class Given:
    """What a buyer holds beside the envelope."""

    policy: Policy
    spec: Path | None = None
    files: Sequence[Path] = ()
    trace: Path | None = None
    recheck: bool = False
    up_to: str = "V5"
    commitment_key: bytes | None = None


@dataclass(frozen=True)
class Verification:
    """What was found out about an envelope; `statement` is `None` where nobody who is trusted signed it."""

    findings: tuple[Finding, ...]
    unmet: tuple[str, ...] = ()
    statement: Statement | None = None

    @property
    def level(self) -> str:
        """The highest level up to which nothing was left out; V4 is one that may be."""
        reached = {each.level for each in self.findings if each.word == "ok"}
        highest = ""
        for each in LEVELS:
            if each in reached:
                highest = each
            elif each != "V4":
                break
        return highest

    @property
    def exit_code(self) -> int:
        """0: accepted. 1: the policy is not met. 4: something is not what was signed, or not true."""
        if any(each.word == "refused" for each in self.findings):
            return REFUSED
        return 1 if self.unmet else 0
