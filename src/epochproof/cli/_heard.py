"""A stream that is listened to while it is written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO


class Heard:
    """Hands all on to a stream, and remembers the text; `whole` unless bytes went another way."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._said: list[str] = []
        self.whole = True

    def write(self, text: str) -> int:
        """Writes and remembers."""
        self._said.append(text)
        return self._stream.write(text)

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self._said)

    def __getattr__(self, name: str) -> object:
        if name in ("buffer", "writelines", "fileno", "detach"):
            self.whole = False
        return getattr(self._stream, name)


@contextmanager
def heard() -> Iterator[tuple[Heard, Heard]]:
    """Listens to the output and the error stream."""
    out, err = Heard(sys.stdout), Heard(sys.stderr)
    with redirect_stdout(out), redirect_stderr(err):  # type: ignore[type-var]
        yield out, err
