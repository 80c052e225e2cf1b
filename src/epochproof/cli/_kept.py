"""The answer that a call of `check` gave before, as long as nothing changed that it rests on."""

from __future__ import annotations

import os
import stat
import sys

try:
    from _blake2 import blake2b  # what `hashlib` hands on; that one takes longer to import than all of this
except ImportError:
    from hashlib import blake2b

from epochproof.cli import _store
from epochproof.cli._versions import State, interpreter, own_sources, packages, state

TYPE_CHECKING = False  # as `typing` has it, whose import alone takes milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SCHEMA = "epochproof/kept/1"

_SMALL = 8 << 20
"""A file of so many bytes is known by its bytes, a larger one by its state: size, times, inode."""

_SUFFIX = ".epoch"


class UnkeptError(Exception):
    """The call reads what no later call can be compared with: a pipe, a file that cannot be read."""


def _words(words: Sequence[str]) -> object:
    return list(words)


def _stream(_: Sequence[str]) -> object:
    """What decides how the output looks."""
    out = sys.stdout
    asked = [os.environ.get(name) for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES")]
    try:
        wide = list(os.get_terminal_size(out.fileno())) if out.isatty() else []
    except (OSError, ValueError):
        wide = []
    return out.isatty(), out.encoding, wide, asked


def _specs(words: Sequence[str]) -> object:
    """The bytes of every file that a word names, and of every spec below a folder that one names."""
    found = [(path, mark(path)) for word in words for path in _named(word)]
    return [each for each in found if each[1] is not None]


INGREDIENTS: dict[str, Callable[[Sequence[str]], object]] = {
    "words": _words,
    "stream": _stream,
    "specs": _specs,
    "sources": lambda _: own_sources(),
    "packages": lambda _: packages(),
    "interpreter": lambda _: interpreter(),
}
"""All that the answer of a call rests on, save the files that its specs name."""


def key(words: Sequence[str]) -> str | None:
    """What the call is kept under; `None` if it reads what cannot be compared."""
    try:
        return name([(each, of(words)) for each, of in INGREDIENTS.items()])
    except (UnkeptError, OSError, RecursionError):
        return None


def name(value: object) -> str:
    """A name of its own for each value, by its text."""
    return blake2b(repr(value).encode("utf-8", "backslashreplace"), digest_size=32).hexdigest()


def prover() -> str | None:
    """What all verdicts of this process rest on, beside what is read; `None` if that cannot be seen."""
    try:
        return name([INGREDIENTS[each](()) for each in ("sources", "packages", "interpreter")])
    except OSError:  # the package is no folder, but part of an archive
        return None


def recalled(words: Sequence[str]) -> int | None:
    """Prints what the call printed before and returns its exit code; `None` if it has to be answered anew."""
    call = key(words)
    found = None if call is None else entry(call)
    if found is None:
        return None
    sys.stdout.write(found[0])
    return found[1]


def entry(under: str) -> tuple[str, int, dict[str, State | None]] | None:
    """The output and the exit code that were kept, and the files that they rest on, none of which changed.

    Args:
        under: The name of the entry.

    Returns:
        With each file the state in which it was compared; `None` if there is no such entry.
    """
    match _store.load(under):
        case {"output": str(output), "exit_code": int(code), "files": dict(files), "digest": str(digest)}:
            now = states(list(files))
            if digest == _sealed(under, output, code, files) and _unchanged(files):
                return output, code, now
    return None


def keep(under: str, output: str, code: int, files: Mapping[str, State | None]) -> None:
    """Keeps an answer, unless a file changed while it was found.

    Args:
        under: The name of the entry.
        output: What was printed.
        code: The exit code.
        files: The files that the specs name, each with its state before it was read.
    """
    try:
        marks = {path: mark(path) for path in files}
    except UnkeptError:
        return
    if states(list(files)) == files:
        seal = _sealed(under, output, code, marks)
        kept = {"schema": SCHEMA, "output": output, "exit_code": code, "files": marks, "digest": seal}
        _store.save(under, kept)


def mark(path: str) -> str | None:
    """By what a file is known later: its bytes if it is small, else its state; `None` if it is missing.

    Raises:
        UnkeptError: It is no file, or cannot be read.
    """
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise UnkeptError
        if found.st_size > _SMALL:
            return f"state {state(path)}"
        with open(path, "rb") as content:
            return f"bytes {blake2b(content.read()).hexdigest()}"
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        raise UnkeptError from None


def states(paths: Sequence[str]) -> dict[str, State | None]:
    """The state of each file."""
    return {path: state(path) for path in paths}


def _unchanged(files: Mapping[str, object]) -> bool:
    try:
        return all(mark(path) == known for path, known in files.items())
    except UnkeptError:
        return False


def _sealed(under: str, output: str, code: int, files: Mapping[str, object]) -> str:
    return name([SCHEMA, under, output, code, sorted(files.items())])


def _named(word: str) -> list[str]:
    """The word, or the specs below it where it is a folder; at least those that `check` reads."""
    if not os.path.isdir(word):
        return [word]
    found: list[str] = []
    with os.scandir(word) as entries:
        for each in sorted(entries, key=lambda entry: entry.name):
            if not each.is_dir():
                found += [each.path] if each.name.endswith(_SUFFIX) else []
            elif not each.is_symlink() and not each.name.startswith("."):
                found += _named(each.path)
    return found
