"""A rank's folder that one writer holds."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from epochproof.audit.part import unwritable
from epochproof.diagnostics import fail

NAME = ".lock"

_held: set[Path] = set()
"""What this process holds: the lock of a file is between processes alone."""


class Held:
    """The folder of one rank, held from here on.

    The lock is the process's own: it ends with the process, however that ends, and worker processes that it
    started do not keep it.

    Raises:
        SpecError: E802: another writer holds it. E803: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.folder = folder.resolve()
            if self.folder in _held:
                raise _taken(folder, "in this process")
            self._handle = os.open(self.folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise unwritable(folder, error) from None
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            raise _taken(folder, "in another process") from None
        _held.add(self.folder)

    def release(self) -> None:
        """Lets others write there."""
        if self.folder in _held:
            _held.remove(self.folder)
            os.close(self._handle)


def _taken(folder: Path, where: str) -> Exception:
    cure = "give each rank its number, `rank=`, and each loader a folder of its own"
    return fail("E802", f"`{folder}` is being written to {where}", None, help=cure)
