"""What the streams of the process can show: colours, symbols, columns."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from epochproof.diagnostics import SpecError
from epochproof.report.diagnostics_as_text import render

_COLUMNS = 100
"""How wide an output is that goes to a file or a pipe."""


def colour(stream: TextIO) -> bool:
    """Whether to write colours: on a terminal, unless NO_COLOR forbids or FORCE_COLOR demands them."""
    if os.environ.get("NO_COLOR"):
        return False
    if forced := os.environ.get("FORCE_COLOR"):
        return forced != "0"
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def symbols(stream: TextIO) -> bool:
    """Whether the stream can show signs beyond ASCII."""
    return (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def columns(stream: TextIO) -> int:
    """How wide a line may be."""
    return shutil.get_terminal_size((_COLUMNS, 24)).columns if stream.isatty() else _COLUMNS


def show_diagnostics(error: SpecError) -> None:
    """Writes every diagnostic of an error to the error stream, below what was printed before."""
    sys.stdout.flush()
    shown = [render(each, error.source, colour=colour(sys.stderr)) for each in error.diagnostics]
    print("\n\n".join(shown), file=sys.stderr)
    sys.stderr.flush()
