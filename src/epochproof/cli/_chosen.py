"""Which claim of a spec a call means."""

from __future__ import annotations

from epochproof.claim._claim import Claim
from epochproof.diagnostics import SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.prove.session import Session


def chosen(session: Session, which: str | None) -> Claim:
    """The claim with this number, this text, or alone in holding these words.

    Raises:
        SpecError: There is none, or several hold the words. Its `source` is set.
    """
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
