"""Making a statement: what is found about a spec, and the digests of its files, signed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.statement import envelope as dsse
from epochproof.statement.derived import Asked, Derived, derived, unchanged
from epochproof.statement.predicate import PREDICATE_TYPE, STATEMENT_TYPE, Statement
from epochproof.statement.shape import written
from epochproof.statement.subjects import digest, subjects

if TYPE_CHECKING:
    from epochproof.statement.keys import PrivateKey


def attested(spec: Path, asked: Asked) -> tuple[Statement, Derived]:
    """The statement about a spec, and what it was made from.

    Raises:
        SpecError: The spec is wrong, or a file that it names, or one changed meanwhile.
    """
    before = digest(spec)
    found = derived(spec, asked)
    files: dict[str, Path | None] = {name: spec if at == 0 else None for at, name in enumerate(found.files)}
    if asked.trace is not None:
        files[f"{asked.trace.resolve().name}/"] = asked.trace
    subject = subjects(spec.parent, files)
    unchanged(before, dict(subject[0].digest), subject[0].name)
    return Statement(STATEMENT_TYPE, subject, PREDICATE_TYPE, found.predicate), found


def signed(statement: Statement, keys: Sequence[PrivateKey]) -> str:
    """The envelope of a statement, as JSON: the payload is canonical, as RFC 8785 has it."""
    import rfc8785  # noqa: PLC0415 -- an extra

    return dsse.written(dsse.signed(rfc8785.dumps(written(statement)), keys))
