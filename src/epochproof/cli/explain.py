"""Explain a diagnostic code, or a claim and its verdict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.cli._chosen import chosen
from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, overrides
from epochproof.cli._terminal import colour, columns, symbols
from epochproof.codes import all_codes, explain
from epochproof.diagnostics import fail
from epochproof.language.suggest import suggest
from epochproof.prove.session import opened
from epochproof.report import claim_as_text, code_as_text
from epochproof.schedule.read import read_schedule

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `explain` takes."""
    parser.usage = "%(prog)s [-h] CODE\n       %(prog)s [-h] FILE CLAIM"
    parser.add_argument("subject", metavar="CODE | FILE", help="a code such as E105, or a spec")
    parser.add_argument(
        "claim", nargs="?", metavar="CLAIM", help="the text of a claim of the spec, or its number from 1"
    )
    add_set(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the explanation."""
    subject = arguments.subject
    if arguments.claim is None and not subject.endswith(".epoch") and not Path(subject).is_file():
        print(_code(arguments.subject))
    else:
        print(_claim(arguments.subject, arguments.claim, overrides(arguments.set)))
    return 0


def _code(given: str) -> str:
    found = explain(given)
    if found is None:
        near = suggest(given.upper(), [each.code for each in all_codes()])
        cure = near or "a code stands behind the word `error`, as in error[E105]"
        raise fail("E511", f"there is no code `{given}`", None, help=cure)
    return code_as_text.render(found, colour=colour(sys.stdout))


def _claim(path: str, which: str | None, values: Mapping[str, Scalar]) -> str:
    session = opened(read_schedule(parsed(path), values))
    claim = chosen(session, which)
    out = sys.stdout
    return claim_as_text.render(
        session.judged(claim),
        claim.written.span,
        session.source,
        colour=colour(out),
        symbols=symbols(out),
        columns=columns(out),
    )
