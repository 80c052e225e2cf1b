"""Write a page about a spec, or about a signed statement."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from epochproof.cli._envelopes import is_statement, read_envelope
from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, parted
from epochproof.diagnostics import fail

_STANDARD_OUTPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `report` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, `-`, or a signed statement")
    parser.add_argument(
        "-o", "--output", required=True, metavar="PAGE", help="where the page is written, or `-`"
    )
    add_set(parser)


def _of_spec(arguments: argparse.Namespace) -> str:
    from epochproof.prove.account import account  # noqa: PLC0415 -- a statement needs no prover
    from epochproof.report.page_as_html import render  # noqa: PLC0415 -- as above
    from epochproof.schedule.read import read_schedule  # noqa: PLC0415 -- as above

    spec = parsed(arguments.file)
    bound, given = parted(spec, arguments.set)
    return render(account(read_schedule(spec, bound), given))


def _of_statement(arguments: argparse.Namespace) -> str:
    from epochproof.statement.page import statement_as_html  # noqa: PLC0415 -- specs are not signed
    from epochproof.statement.verify import statement_of  # noqa: PLC0415 -- as above

    if arguments.set:
        raise fail("E509", "`--set` is for a spec: a statement has its numbers", None, help="leave it out")
    envelope = read_envelope(arguments.file)
    keys = [each.keyid for each in envelope.signatures]
    return statement_as_html(statement_of(envelope.payload), keys, Path(arguments.file).name)


def run(arguments: argparse.Namespace) -> int:
    """Writes the page, whatever the verdicts are."""
    page = _of_statement(arguments) if is_statement(arguments.file) else _of_spec(arguments)
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
