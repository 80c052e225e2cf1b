"""Explain a diagnostic code, or a claim and its verdict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.claim._claim import Claim
from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, overrides
from epochproof.cli._terminal import colour, columns, symbols
from epochproof.codes import all_codes, explain
from epochproof.diagnostics import SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.prove.session import Session, opened
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
    claim = _found(session, which)
    out = sys.stdout
    return claim_as_text.render(
        session.judged(claim),
        claim.written.span,
        session.source,
        colour=colour(out),
        symbols=symbols(out),
        columns=columns(out),
    )


def _found(session: Session, which: str | None) -> Claim:
    """The claim with this number, this text, or alone in holding these words."""
    claims = session.claims
    texts = [each.written.text for each in claims]
    if which is None:
        raise _unknown(session, f"which claim of `{session.source.path}`?", "")
    if which.isascii() and which.isdecimal() and 1 <= int(which) <= len(claims):
        return claims[int(which) - 1]
    same = [each for each in claims if each.written.text == which]
    near = same or [each for each in claims if which.lower() in each.written.text.lower()]
    if len(near) == 1:
        return near[0]
    what = "there is no claim" if not near else f"{len(near)} claims hold"
    raise _unknown(session, f"{what} `{which}`", "" if near else suggest(which, texts))


def _unknown(session: Session, message: str, near: str) -> SpecError:
    claims = session.claims
    texts = [f"{at} `{each.written.text}`" for at, each in enumerate(claims[:9], 1)]
    more = ", …" if len(claims) > len(texts) else ""
    listing = f"claims are {', '.join(texts)}{more}" if claims else "the spec has no claims"
    error = fail("E512", message, None, help=near or listing)
    error.source = session.source
    return error
