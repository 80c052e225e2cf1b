"""Make a key that signs statements, or show what a key is known by."""

from __future__ import annotations

import argparse
from pathlib import Path

from epochproof.cli._passphrase import add_audience, add_passphrase, passphrase
from epochproof.language.columns import safe
from epochproof.statement import keys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `key` takes."""
    what = parser.add_subparsers(dest="what", required=True, metavar="new|show")
    new = what.add_parser("new", help="make an Ed25519 key", description="Make an Ed25519 key.")
    new.add_argument(
        "--out",
        default="epochproof.pem",
        metavar="PATH",
        help="the private key (default: epochproof.pem); the public one lies beside it, as `….pub.pem`",
    )
    add_passphrase(new)
    show = what.add_parser("show", help="print a public key", description="Print what a key is known by.")
    show.add_argument("file", metavar="FILE", help="a public key, or a private one")
    show.add_argument(
        "--commitment",
        action="store_true",
        help="print the secret under which record ids are committed to, for an auditor",
    )
    add_audience(show)
    add_passphrase(show)


def run(arguments: argparse.Namespace) -> int:
    """Makes or shows a key."""
    return _new(arguments) if arguments.what == "new" else _show(arguments)


def _new(arguments: argparse.Namespace) -> int:
    key = keys.new()
    path = Path(arguments.out)
    public = keys.store(key, path, passphrase(arguments))
    print(f"keyid   {key.public.keyid}")
    print(f"sign    {safe(str(path))}  keep it secret")
    print(f"verify  {safe(str(public))}  give it to whoever checks your statements")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    path = Path(arguments.file)
    if arguments.commitment:
        held = keys.read_private(path, passphrase(arguments))
        print(held.commitment_key(arguments.audience).hex())
        return 0
    public = keys.read_any(path, passphrase(arguments))
    print(f"keyid   {public.keyid}")
    print(public.pem, end="")
    return 0
