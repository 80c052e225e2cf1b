"""The bound values behind a verdict: which value, from which line of which file."""

from __future__ import annotations

from epochproof.language.columns import safe
from epochproof.prove.verdict import Judged


def bound_to(claim: Judged) -> list[str]:
    """A line for each value from a bound file that the claim was read with."""
    lead = "bound to  "
    return [f"{lead if at == 0 else ' ' * len(lead)}{safe(str(each))}" for at, each in enumerate(claim.uses)]
