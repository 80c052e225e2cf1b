"""The state of a manifest's file, by which a change is seen while it is read, and between two readings."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from epochproof.diagnostics import fail
from epochproof.language.columns import safe
from epochproof.manifest.pin import Pin

State = tuple[int, ...]
"""What changes when a file does: its length, its time in nanoseconds, its inode."""


def state_of(pin: Pin, file: Path) -> State:
    """The state of the manifest's file.

    Raises:
        SpecError: It is missing, empty, no file, or cannot be read.
    """
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


def refuse_change(pin: Pin, file: Path, state: State) -> None:
    """Refuses a file that is no longer in the state."""
    if state_of(pin, file) != state:
        cure = "check again when nothing writes to it"
        raise fail("E612", f"`{safe(pin.path)}` changed while it was read", pin.span, help=cure)
