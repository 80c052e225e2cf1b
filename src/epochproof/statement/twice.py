"""What a second prover says of the claims, from the texts of their obligations alone."""

from __future__ import annotations

from importlib.util import find_spec

from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.statement.verification import Finding

PROVER = "cvc5"


def available() -> bool:
    """Whether the second prover is installed."""
    return find_spec(PROVER) is not None


def proved_twice(checked: Checked) -> Checked:
    """The claims, proved again.

    Raises:
        SpecError: The second prover is not installed.
    """
    from epochproof.prove.recheck import recheck  # noqa: PLC0415 -- an extra

    return recheck(checked)


def disputed(checked: Checked) -> tuple[str, ...]:
    """For each claim about which the two provers disagree, what is known of it."""
    found = [each for each in checked.claims if each.second is not None and each.second.disputed]
    return tuple(f'"{safe(each.text)}": {safe(each.verdict.reason)}' for each in found)


def agreement(checked: Checked) -> Finding:
    """What to tell of claims that were proved again, and are not disputed."""
    found = [each.second for each in checked.claims if each.second is not None]
    if not found:
        return Finding("recheck", "ok", "no verdict rests on a prover: worlds or rows were looked at", "V4")
    shown = sum(each.raw + each.linear for each in found)
    every = shown + sum(each.undecided for each in found)
    text = f"{shown} of {every} obligations proved again, by {found[0].solver}"
    return Finding("recheck", "ok" if shown == every else "skipped", text, "V4")
