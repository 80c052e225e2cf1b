"""Signed statements as a call names them: told from specs by how they begin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epochproof.statement.envelope import Envelope


def is_statement(path: str) -> bool:
    """Whether the file begins like an object of JSON: no spec does."""
    try:
        with Path(path).open("rb") as file:
            return file.read(64).lstrip().startswith(b"{")
    except OSError:
        return False


def read_envelope(path: str) -> Envelope:
    """The envelope in a file; its signatures are not checked.

    Raises:
        SpecError: It is none.
    """
    from epochproof.statement import envelope as dsse  # noqa: PLC0415 -- specs are not signed

    with Path(path).open("rb") as file:
        return dsse.read(file.read(dsse.MOST_BYTES + 1))
