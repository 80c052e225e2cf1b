"""The second prover: whether it is there, and whether it agrees, from the text of an obligation alone."""

from __future__ import annotations

from importlib.util import find_spec


def available() -> bool:
    """Whether a second prover is installed."""
    return find_spec("cvc5") is not None
