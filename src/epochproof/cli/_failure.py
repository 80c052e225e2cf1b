"""Errors that no command answers for, and the exit codes that they end in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from traceback import format_exception

import epochproof
from epochproof.cli._terminal import show_diagnostics
from epochproof.diagnostics import Drift, SpecError, fail
from epochproof.language.suggest import suggest


def failed(error: Exception) -> int:
    """Shows the error; 2 where the spec or the call is wrong, 4 for a drift, 70 for a fault of ours."""
    if isinstance(error, SpecError):
        show_diagnostics(error)
        return 2
    if isinstance(error, Drift):
        print(f"drift: {error}", file=sys.stderr)
        return 4
    print("".join(format_exception(error)), file=sys.stderr)
    print(f"This is a fault of epochproof {epochproof.__version__}.", file=sys.stderr)
    print("Please report it with the lines above and the spec.", file=sys.stderr)
    return 70


def unknown(word: str, commands: Sequence[str]) -> SpecError:
    """What is wrong with a call whose first word is no command."""
    what = "option" if word.startswith("-") else "command"
    near = suggest(word, [*commands, "--help", "--version"])
    return fail("E508", f"unknown {what} `{word}`", None, help=near or f"commands are {', '.join(commands)}")
