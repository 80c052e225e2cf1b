"""From what a spec says about a manifest to the manifest: opened, compared with its digest, checked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.manifest._faults import faults
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest, digest_of
from epochproof.manifest.pin import Pin


def read_manifest(pin: Pin, folder: Path) -> Manifest:
    """The manifest; a relative path is meant from the folder.

    Raises:
        SpecError: It cannot be read or has faults; one diagnostic for each column at fault.
    """
    file = folder / pin.path
    before = _state(pin, file)
    _check_digest(pin, file)
    with opened(pin, file) as table:
        records, wrong = faults(table)
    if _state(pin, file) != before:
        cure = "check again when nothing writes to it"
        raise fail("E612", f"`{safe(pin.path)}` changed while it was read", pin.span, help=cure)
    if wrong:
        raise SpecError(tuple(wrong))
    return Manifest(pin, file, records)


def _state(pin: Pin, file: Path) -> tuple[int, ...]:
    """What changes when the file does."""
    path = safe(pin.path)
    try:
        found = file.stat()
        readable = stat.S_ISREG(found.st_mode) and os.access(file, os.R_OK)
    except FileNotFoundError:
        cure = "a relative path is meant from the folder of the spec"
        raise fail("E602", f"there is no manifest `{path}`", pin.span, help=cure) from None
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise fail("E602", f"cannot read `{path}`: {reason}", pin.span, help="check the path") from None
    if stat.S_ISDIR(found.st_mode):
        raise fail("E602", f"`{path}` is a directory", pin.span, help="name one file in it")
    if not readable:
        wrong = "permission denied" if stat.S_ISREG(found.st_mode) else "it is no file on a disk"
        raise fail("E602", f"cannot read `{path}`: {wrong}", pin.span, help="check the path")
    if not found.st_size:
        raise fail("E604", f"`{path}` is empty", pin.span, help="a manifest lists at least one record")
    return found.st_size, found.st_mtime_ns, found.st_ino


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
