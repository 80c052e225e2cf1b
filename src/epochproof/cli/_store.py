"""Answers on disk: a private folder with a JSON file for each; what is not as it should be is not there."""

from __future__ import annotations

import os
import stat

MOST_ENTRIES, MOST_BYTES = 2_000, 1 << 22
"""So many answers are kept, none of more bytes; the oldest go first."""

FOLDER = "EPOCHPROOF_CACHE_DIR"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def folder() -> str:
    """Where answers are kept: as the environment says, else in the user's folder for caches."""
    caches = os.environ.get("XDG_CACHE_HOME", "")
    caches = caches if os.path.isabs(caches) else os.path.expanduser("~/.cache")
    return os.environ.get(FOLDER) or os.path.join(caches, "epochproof")


def load(name: str) -> dict[str, object] | None:
    """The object that was kept under the name; `None` if there is none, or others could have written it."""
    import json  # noqa: PLC0415 -- most calls of other commands keep nothing

    room = _opened()
    if room is None:
        return None
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=room)
        with open(file, "rb") as content:
            found = os.fstat(file)
            if not (stat.S_ISREG(found.st_mode) and _own(found) and found.st_size <= MOST_BYTES):
                return None
            document = json.loads(content.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        os.close(room)
    return document if isinstance(document, dict) else None


def save(name: str, document: dict[str, object]) -> None:
    """Keeps the object under the name, in one step; where that is not possible, nothing happens."""
    import json  # noqa: PLC0415 -- as above

    content = json.dumps(document).encode()
    room = _opened(create=True) if len(content) <= MOST_BYTES else None
    if room is None:
        return
    draft = f".{os.getpid()}-{os.urandom(8).hex()}"
    try:
        _write(room, draft, content)
        os.replace(draft, name, src_dir_fd=room, dst_dir_fd=room)
        _forget_oldest(room)
    except OSError:
        _remove(room, draft)
    finally:
        os.close(room)


def _opened(*, create: bool = False) -> int | None:
    """The folder, if it is the user's own and nobody else can write to it."""
    if not hasattr(os, "geteuid"):
        return None
    path = folder()
    try:
        if create and not os.path.lexists(path):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            _make(path)
        room = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if _own(os.fstat(room)):
        return room
    os.close(room)
    return None


def _make(path: str) -> None:
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:  # another process was faster
        pass


def _own(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


def _write(room: int, name: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(name, flags, 0o600, dir_fd=room), "wb") as file:
        file.write(content)


def _forget_oldest(room: int) -> None:
    names = os.listdir(room)
    if len(names) > MOST_ENTRIES:
        names.sort(key=lambda name: _age(room, name), reverse=True)
        for name in names[: len(names) - MOST_ENTRIES]:
            _remove(room, name)


def _age(room: int, name: str) -> int:
    """Larger for an older file; one that another process removed has none."""
    try:
        return -os.stat(name, dir_fd=room, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def _remove(room: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=room)
    except OSError:
        pass
