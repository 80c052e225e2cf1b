"""One part while it is written: a file of fixed length that is mapped into memory, and its journal in it."""

from __future__ import annotations

import errno
import mmap
import os
from pathlib import Path
from zlib import crc32

from epochproof.audit.journal import END, HEAD, MAGIC, filled
from epochproof.diagnostics import SpecError, fail

FIRST, MOST = 2**20, 16 * 2**20
"""The length of the first part of a segment; each further one is twice as long, up to the most."""

_head = HEAD.pack

_NO_ROOM = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)
"""What file systems say that cannot take room before it is written to."""


class Part:
    """A journal of at most `size` bytes that frames are put into.

    The room of the whole part is taken when it is opened, so that a full disk is an error there, and not a
    signal that ends the process in the middle of a batch.

    Raises:
        SpecError: E803: there is no room, or no right to write.
    """

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            try:
                os.pwrite(handle, MAGIC, 0)  # first of all: a file that is longer is always a journal
                _take_room(handle, size)
                self._held = _mapped(handle, size)
            finally:
                os.close(handle)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise unwritable(path, error) from None
        self._at, self._end = len(MAGIC), size - len(END)

    def put(self, body: bytes) -> bool:
        """Whether the frame of this body found room; if so, it is safe from the death of this process."""
        at, size = self._at, len(body)
        start = at + 8
        stop = start + size
        if stop + 8 > self._end:
            return False
        held = self._held
        held[start:stop] = body
        held[at:start] = _head(size, crc32(body))
        self._at = (stop + 7) & -8  # as `filled`, where a call would cost as much as the rest
        return True

    def close(self) -> None:
        """Gives back the room that was not needed."""
        self._held[self._at : self._at + len(END)] = END
        self._held.close()
        os.truncate(self.path, self._at + len(END))


class _Unmapped:
    """In place of a mapping, where a file system has none: what is assigned is written at once."""

    def __init__(self, handle: int) -> None:
        self._handle = os.dup(handle)

    def __setitem__(self, at: slice, held: bytes) -> None:
        os.pwrite(self._handle, held, at.start or 0)

    def close(self) -> None:
        os.close(self._handle)


def room(number: int, body: bytes = b"") -> int:
    """The length of part `number`, in which the frame of this body has room."""
    return max(min(FIRST << min(number, 9), MOST), len(MAGIC) + HEAD.size + filled(len(body)) + 2 * len(END))


def unwritable(path: Path, error: OSError) -> SpecError:
    """The error that says why nothing can be written to `path`."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    told = "the disk is full" if full else (error.strerror or str(error)).lower()
    cure = "free some room, or record to a folder on another disk" if full else ""
    return fail("E803", f"`{path}` cannot be written: {told}", None, help=cure)


def _mapped(handle: int, size: int) -> mmap.mmap | _Unmapped:
    try:
        return mmap.mmap(handle, size)
    except OSError:
        return _Unmapped(handle)


def _take_room(handle: int, size: int) -> None:
    try:
        os.posix_fallocate(handle, 0, size)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        os.pwrite(handle, bytes(size - len(MAGIC)), len(MAGIC))
