"""Arguments of a command: argparse, with errors as diagnostics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from epochproof.diagnostics import fail
from epochproof.language.suggest import suggest


class Parser(argparse.ArgumentParser):
    """Reads the arguments of one command; names are never abbreviated."""

    def __init__(self, *, prog: str, description: str | None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """Raises what is wrong with the call, with a suggestion for a misspelt option."""
        known = [option for action in self._actions for option in action.option_strings]
        unknown = message.removeprefix("unrecognized arguments: ") if "unrecognized" in message else ""
        near = suggest(unknown.split()[0].partition("=")[0], known) if unknown.startswith("-") else ""
        cure = near or f"`{self.prog} --help` shows how it is called"
        raise fail("E509", message.replace("'", "`"), None, help=cure)


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str] = ("text", "json")) -> None:
    """The option `--format`."""
    parser.add_argument(
        "--format",
        choices=formats,
        default="text",
        help="for a person, or for a program (default: text)",
    )
