"""Lay two offers side by side: what each reads, and whether it is the same population."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.cli._envelopes import is_statement, read_envelope
from epochproof.cli._overrides import add_set, parted
from epochproof.cli._terminal import show_diagnostics
from epochproof.cli._windows import portion, seconds
from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe

if TYPE_CHECKING:
    from epochproof.statement.comparison import Comparison
    from epochproof.statement.offer import Offer, Window

_SIDES, UNTRUSTED = ("A", "B"), "E910"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `compare` takes."""
    for side in _SIDES:
        parser.add_argument(
            side.lower(),
            metavar=side,
            help="a spec or a signed statement; `FILE:LOADER` where it speaks of several loaders",
        )
    add_set(parser)
    parser.add_argument(
        "--elapsed",
        action="append",
        default=[],
        metavar="SIDE=TIME",
        help="how long a pass took, or the steps, as `A=12.5s`: adds both rates of that side",
    )
    parser.add_argument(
        "--steps",
        action="append",
        default=[],
        metavar="SIDE=A..B",
        help="the steps that the time of a side is about, both included, from 0, as `A=10..20`",
    )
    parser.add_argument(
        "--key", action="append", default=[], metavar="PATH", help="a public key to trust, for statements"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")


def run(arguments: argparse.Namespace) -> int:
    """Prints both offers; 0 the same population, 1 different ones, 3 open."""
    try:
        found = _compared(arguments)
    except SpecError as error:
        return _refused(error, arguments.format)
    if arguments.format == "json":
        from epochproof.statement.comparison_as_json import comparison_as_json  # noqa: PLC0415 -- for programs

        print(comparison_as_json(found))
    else:
        from epochproof.statement.comparison_as_text import comparison_as_text  # noqa: PLC0415 -- for persons

        print(comparison_as_text(found))
    sys.stdout.flush()
    return {"same": 0, "different": 1, "open": 3}[found.population]


def _refused(error: SpecError, form: str) -> int:
    """Shows what is wrong; 4 where nobody trusted signed, else 2."""
    if form == "json":
        from epochproof.statement.comparison_as_json import refused  # noqa: PLC0415 -- for programs

        print(refused(error))
    else:
        show_diagnostics(error)
    return 4 if error.diagnostics[0].code == UNTRUSTED else 2


def _compared(arguments: argparse.Namespace) -> Comparison:
    from epochproof.statement.comparison import compared  # noqa: PLC0415 -- `--help` is quick without

    windows = _windows(arguments)
    a, b = (
        _offer(each, windows[side], arguments)
        for side, each in zip(_SIDES, (arguments.a, arguments.b), strict=True)
    )
    _all_taken(arguments, (a, b))
    return compared(a, b)


def _windows(arguments: argparse.Namespace) -> dict[str, Window]:
    """The window of each side."""
    from epochproof.statement.offer import Window  # noqa: PLC0415 -- `--help` is quick without

    steps, took = (_sided(getattr(arguments, name), f"--{name}") for name in ("steps", "elapsed"))
    for side in steps:
        if side not in took:
            cure = f"add `--elapsed {side}=12.5s`"
            raise fail("E920", f"`--steps` of {side} are given without their time", None, help=cure)
    return {
        side: Window(
            portion(steps[side]) if side in steps else None, seconds(took[side]) if side in took else None
        )
        for side in _SIDES
    }


def _sided(options: Sequence[str], name: str) -> dict[str, str]:
    found = dict[str, str]()
    for each in options:
        side, _, value = each.partition("=")
        if side not in _SIDES or not value or side in found:
            raise fail(
                "E920",
                f"`{name} {safe(each)}` does not say for which side",
                None,
                help=f"write `{name} A=…` and `{name} B=…`, each once",
            )
        found[side] = value
    return found


def _offer(named: str, window: Window, arguments: argparse.Namespace) -> Offer:
    """The offer that a file is; its name ends in `:LOADER` where there is no such file."""
    path, loader = (named, "") if Path(named).is_file() else _parted(named)
    if is_statement(path):
        return _of_statement(path, loader, window, arguments.key)
    from epochproof.language.parse import read  # noqa: PLC0415 -- a statement needs none
    from epochproof.statement.offered import of_spec  # noqa: PLC0415 -- as above

    spec = read(path)
    bound, values = parted(spec, arguments.set)
    if bound:
        name, cure = next(iter(bound)), "change a copy of the file, and compare with that"
        raise fail(
            "E908", f"`--set {name}` would compare something else than the bound file says", None, help=cure
        )
    try:
        return of_spec(spec, loader, values, window)
    except SpecError as error:
        error.source = error.source or spec.source
        raise


def _parted(named: str) -> tuple[str, str]:
    path, found, loader = named.rpartition(":")
    return (path, loader) if found and path else (named, "")


def _of_statement(path: str, loader: str, window: Window, keys: Sequence[str]) -> Offer:
    from epochproof.statement.offer import of_statement  # noqa: PLC0415 -- specs are not signed
    from epochproof.statement.verify import statement_of  # noqa: PLC0415 -- as above

    envelope = read_envelope(path)
    signature = "its signature was not checked"
    if keys:
        from epochproof.statement.keys import read_public  # noqa: PLC0415 -- an extra

        trusted = {read_public(Path(each)): Path(each).name for each in keys}
        signers = envelope.signers(trusted)
        if not signers:
            raise fail(UNTRUSTED, f"no key that is trusted signed `{safe(path)}`", None, help="see `verify`")
        signature = f"signed by {', '.join(trusted[each] for each in signers)}"
    return of_statement(path, statement_of(envelope.payload), loader, window, signature)


def _all_taken(arguments: argparse.Namespace, offers: tuple[Offer, Offer]) -> None:
    """Raises what is wrong where a value is one of neither spec."""
    from epochproof.cli._overrides import given  # noqa: PLC0415 -- rarely needed

    for name in given(arguments.set):
        if not any(name in each.values for each in offers):
            cure = "`epochproof count` names the parameters of a spec"
            raise fail(
                "E502", f"neither offer has a parameter `{safe(name)}` with that value", None, help=cure
            )
