"""Options about a private key: its passphrase, from a file, as shells remember calls; its audience."""

from __future__ import annotations

import argparse
from pathlib import Path

from epochproof.diagnostics import fail

MOST_BYTES = 1_024


def add_passphrase(parser: argparse.ArgumentParser) -> None:
    """The option `--passphrase-file`."""
    parser.add_argument(
        "--passphrase-file",
        metavar="PATH",
        help="the first line of this file locks and opens the private key",
    )


def add_audience(parser: argparse.ArgumentParser) -> None:
    """The option `--audience`."""
    parser.add_argument(
        "--audience",
        default="",
        metavar="NAME",
        help="for whom record ids are committed to: each name has a secret of its own",
    )


def passphrase(arguments: argparse.Namespace) -> bytes | None:
    """The first line of the file, if one is named.

    Raises:
        SpecError: It cannot be read, or the line is empty.
    """
    if arguments.passphrase_file is None:
        return None
    path = Path(arguments.passphrase_file)
    try:
        with path.open("rb") as file:
            found = file.readline(MOST_BYTES + 2).rstrip(b"\r\n")
    except OSError as error:
        why = str(error.strerror).lower()
        raise fail("E906", f"cannot read `{path}`: {why}", None, help="check the path") from None
    if not 0 < len(found) <= MOST_BYTES:
        raise fail(
            "E906",
            f"the first line of `{path}` is no passphrase",
            None,
            help=f"it has 1 to {MOST_BYTES:,} bytes",
        )
    return found
