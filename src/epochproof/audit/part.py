"""One part while it is written: a file of fixed length that is mapped into memory, and its journal in it."""

from __future__ import annotations

import errno
import mmap
import os
from pathlib import Path
from zlib import crc32

from epochproof.audit.journal import END, HEAD, MAGIC, filled
from epochproof.diagnostics import SpecError, fail

BYTES = 16 * 2**20
"""The length of a part; a frame that is longer gets a part of its own."""


class Part:
    """A journal that frames are put into.

    The room of the whole part is taken when it is opened, so that a full disk is an error there, and not a
    signal that ends the process in the middle of a batch.
    """

    def __init__(self, path: Path, least: int) -> None:
        self.path, size = path, max(BYTES, least)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            try:
                _take_room(handle, size)
                self._map = mmap.mmap(handle, size)
            finally:
                os.close(handle)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise unwritable(path, error) from None
        self._map[: len(MAGIC)] = MAGIC
        self._at, self._end = len(MAGIC), size - len(END)

    def put(self, body: bytes) -> bool:
        """Whether the frame of this body found room; if so, it is safe from the death of this process."""
        at, size = self._at, len(body)
        start = at + 8
        stop = start + size
        if stop + 8 > self._end:
            return False
        self._map[start:stop] = body
        self._map[at:start] = HEAD.pack(size, crc32(body))
        self._at = start + filled(size)
        return True

    def close(self) -> None:
        """Gives back the room that was not needed."""
        self._map[self._at : self._at + len(END)] = END
        self._map.close()
        os.truncate(self.path, self._at + len(END))


def room(body: bytes) -> int:
    """The bytes of a part that holds nothing but the frame of this body."""
    return len(MAGIC) + HEAD.size + filled(len(body)) + 2 * len(END)


def unwritable(path: Path, error: OSError) -> SpecError:
    """The error that says why nothing can be written to `path`."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    told = "the disk is full" if full else (error.strerror or str(error)).lower()
    cure = "" if not full else "free some room, or record to a folder on another disk"
    return fail("E803", f"`{path}` cannot be written: {told}", None, help=cure)


def _take_room(handle: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size)
    else:
        os.write(handle, bytes(size))
