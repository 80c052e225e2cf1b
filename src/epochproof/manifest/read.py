"""From what a spec says about a manifest to the manifest: opened, compared with its digest, checked."""

from __future__ import annotations

from pathlib import Path

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.manifest._faults import faults
from epochproof.manifest._state import state_of
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest, digest_of
from epochproof.manifest.pin import Pin


def read_manifest(pin: Pin, folder: Path) -> Manifest:
    """The manifest; a relative path is meant from the folder.

    Raises:
        SpecError: It cannot be read or has faults; one diagnostic for each column at fault.
    """
    file = folder / pin.path
    state = state_of(pin, file)
    _check_digest(pin, file)
    with opened(pin, file, state) as table:
        records, wrong = faults(table)
    if wrong:
        raise SpecError(tuple(wrong))
    return Manifest(pin, file, records, state)


def _check_digest(pin: Pin, file: Path) -> None:
    if pin.digest is None:
        return
    digest = digest_of(file)
    if digest != pin.digest:
        raise fail(
            "E612",
            f"`{safe(pin.path)}` is not the file that was pinned: its digest is `sha256:{digest}`,"
            f" and the spec says `sha256:{pin.digest}`",
            pin.digest_span or pin.span,
            help="restore the file, or write the new digest once you know what changed",
        )
