"""Write a page about a spec: verdicts, schedules, counterexamples."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, parted
from epochproof.diagnostics import fail
from epochproof.prove.account import account
from epochproof.report.page_as_html import render
from epochproof.schedule.read import read_schedule

_STANDARD_OUTPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `report` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, or `-`")
    parser.add_argument(
        "-o", "--output", required=True, metavar="PAGE", help="where the page is written, or `-`"
    )
    add_set(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes the page, whatever the verdicts are."""
    spec = parsed(arguments.file)
    bound, given = parted(spec, arguments.set)
    page = render(account(read_schedule(spec, bound), given))
    if arguments.output == _STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(page.encode())
        return 0
    path = Path(arguments.output)
    if path.suffix == ".epoch":
        raise fail(
            "E510", f"cannot write `{path}`: it is named like a spec", None, help="name it `page.html`"
        )
    try:
        path.write_bytes(page.encode())
    except OSError as error:
        raise fail("E510", f"cannot write `{path}`: {str(error.strerror).lower()}", None) from None
    return 0
