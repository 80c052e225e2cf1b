"""Sign what is proved about a spec: a statement that a stranger can check."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from epochproof.cli._overrides import add_set, parted
from epochproof.cli._passphrase import add_audience, add_passphrase, passphrase
from epochproof.diagnostics import Source, fail
from epochproof.language.columns import safe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `attest` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec")
    parser.add_argument(
        "--key",
        action="append",
        required=True,
        metavar="PATH",
        help="the private key that signs; may be given several times",
    )
    parser.add_argument("-o", "--out", required=True, metavar="PATH", help="the envelope that is written")
    add_set(parser)
    parser.add_argument("--trace", metavar="DIR", help="what a run recorded: adds what it read, as roots")
    parser.add_argument("--of", metavar="LOADER", help="the loader that was recorded")
    parser.add_argument(
        "--show-ids", action="store_true", help="name records; without it there are only numbers"
    )
    add_audience(parser)
    parser.add_argument(
        "--recheck",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="prove again by cvc5 (default: if it is installed)",
    )
    add_passphrase(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes the envelope; the exit code is that of `check`."""
    from epochproof.language.parse import read  # noqa: PLC0415 -- `--help` is quick without
    from epochproof.statement import twice  # noqa: PLC0415 -- as above
    from epochproof.statement.as_text import statement_as_text  # noqa: PLC0415 -- as above
    from epochproof.statement.attest import attested, signed  # noqa: PLC0415 -- as above
    from epochproof.statement.derived import Asked  # noqa: PLC0415 -- as above
    from epochproof.statement.keys import read_private  # noqa: PLC0415 -- as above

    if arguments.of is not None and arguments.trace is None:
        raise fail("E908", "`--of` is about a trace", None, help="name the trace with `--trace`")
    secret = passphrase(arguments)
    keys = [read_private(Path(each), secret) for each in arguments.key]
    bound, values = parted(read(arguments.file), arguments.set)
    if bound:
        raise fail(
            "E908",
            f"`--set {next(iter(bound))}` would state something else than the bound file says",
            None,
            help="change the file, and attest that",
        )
    recheck = twice.available() if arguments.recheck is None else arguments.recheck
    asked = Asked(
        _now(),
        values,
        arguments.show_ids,
        recheck,
        keys[0].commitment_key(arguments.audience),
        None if arguments.trace is None else Path(arguments.trace),
        arguments.of,
    )
    statement, found = attested(Path(arguments.file), asked)
    if disputed := twice.disputed(found.checked):
        print("\n".join(["nothing is signed:", *disputed]), file=sys.stderr)
        return 4
    _write(Path(arguments.out), signed(statement, keys))
    print(statement_as_text(statement))
    print(f"\nsigned by {', '.join(each.public.keyid[:12] for each in keys)} in {safe(arguments.out)}")
    sys.stdout.flush()
    return {"as stated": 0, "not as stated": 1, "undecided": 3}[statement.predicate.result]


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        wrong = fail("E510", f"cannot write `{safe(str(path))}`: {str(error.strerror).lower()}", None)
        wrong.source = Source(str(path), "")
        raise wrong from None
