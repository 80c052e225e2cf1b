"""From the text of a spec to its tree, or to diagnostics."""

from __future__ import annotations

from pathlib import Path

from lark import Token
from lark.exceptions import UnexpectedToken

from epochproof.diagnostics import Source, Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.balance import check as check_balance
from epochproof.language.build import span_of
from epochproof.language.engine import steps
from epochproof.language.repeats import repeats
from epochproof.language.scan import cropped, scan
from epochproof.language.suggest import suggest

EDITIONS = ("1",)
MOST_BYTES = 1_000_000


def parse(text: str, path: str = "<spec>") -> tree.Spec:
    """The tree of a spec.

    Args:
        text: The whole text; a byte order mark before it is left out.
        path: Where the text comes from, for messages.

    Raises:
        SpecError: The text breaks a rule of the language. Its `source` is set.
    """
    source = Source(path, text.removeprefix("\ufeff"))
    try:
        tokens = scan(source)
        _check_edition(tokens)
        check_balance(tokens)
        edition, statements = _tree(source, tokens)
    except SpecError as error:
        error.source = source
        raise
    spec = tree.Spec(source, edition, statements)
    repeated = repeats(spec)
    if repeated:
        raise SpecError(tuple(repeated), source)
    return spec


def read(path: str | Path) -> tree.Spec:
    """The tree of the spec in a file: UTF-8, with any line breaks.

    Raises:
        SpecError: The file cannot be read, is no text, or breaks a rule of the language.
    """
    source = Source(str(path), "")
    try:
        text = _decoded(_bytes(source.path), source.path)
    except SpecError as error:
        error.source = source
        raise
    return parse(text, source.path)


def _bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise fail("E119", f"there is no file `{path}`", None, help="check the path") from None
    except IsADirectoryError:
        raise fail("E119", f"`{path}` is a directory", None, help="name the files in it") from None
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise fail("E119", f"cannot read `{path}`: {reason}", None, help="check the path") from None
    if len(content) > MOST_BYTES:
        raise fail(
            "E121", f"`{path}` holds more than {MOST_BYTES:,} bytes", None, help="split it into several specs"
        )
    return content


def _decoded(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        wrong = f"line {line} of `{path}` is not UTF-8 (byte 0x{content[error.start]:02x})"
        raise fail("E120", wrong, None, help="save the file as UTF-8") from None


def _check_edition(tokens: list[Token]) -> None:
    first = tokens[0] if tokens else None
    if first is None or first.type != "EDITION":
        near = suggest(first, ["edition"]) if first is not None else ""
        at = span_of(first) if first is not None else Span(0, 0)
        cure = near or "begin with `edition 1`"
        raise fail("E105", "expected `edition 1` at the top of the file", at, help=cure)
    second = tokens[1] if len(tokens) > 1 else None
    if second is not None and second.type == "NUMBER" and second not in EDITIONS:
        known = f"this version knows edition {' and '.join(EDITIONS)}"
        raise fail("E106", f"unknown edition `{cropped(second)}`", span_of(second), help=known)


def _tree(source: Source, tokens: list[Token]) -> tuple[int, tuple[tree.Statement, ...]]:
    parser = steps()
    built: tuple[int, tuple[tree.Statement, ...]]
    at = 0
    try:
        for at, token in enumerate(tokens):  # noqa: B007 -- the error names the token that was refused
            parser.feed_token(token)
        at = len(tokens)
        built = parser.feed_eof(tokens[-1])  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        from epochproof.language.expected import Place, refusal  # noqa: PLC0415 -- only wrong texts need it

        raise refusal(Place(source, tokens, at, _accepted(tokens[:at]))) from None
    return built


def _accepted(tokens: list[Token]) -> frozenset[str]:
    # The parser that failed has reduced some rules on the refused token; a fresh one has not.
    parser = steps()
    for token in tokens:
        parser.feed_token(token)
    return frozenset(parser.accepts())  # type: ignore[no-untyped-call]
