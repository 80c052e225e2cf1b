"""Prove what a change of a spec does to each loader."""

from __future__ import annotations

import argparse
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.cli._inputs import parsed
from epochproof.cli._parser import add_format
from epochproof.cli._terminal import colour
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.parse import parse
from epochproof.prove.change import changes
from epochproof.report import diff_as_json, diff_as_text
from epochproof.schedule.bound import complete
from epochproof.schedule.read import Schedule, read_schedule

if TYPE_CHECKING:
    from epochproof.config.read import Content

_GIT = "git:"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `diff` takes."""
    parser.add_argument("old", metavar="OLD", help="the spec before; the only one with `--against`")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the spec after")
    parser.add_argument("--against", metavar="git:REV", help="take the spec before from a git revision")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints one change a loader; 0 if every loader is identical, 1 if one is not, 3 if one is undecided."""
    try:
        found = changes(*_pair(arguments))
    except SpecError as error:
        if arguments.format == "text":
            raise
        print(diff_as_json.refused(error))
        return 2
    if arguments.format == "json":
        print(diff_as_json.render(found))
    else:
        print(diff_as_text.render(found, colour=colour(sys.stdout)))
    changed = [each for each in found if each.kind != "identical"]
    if any(each.decided for each in changed):
        return 1
    return 3 if changed else 0


def _pair(arguments: argparse.Namespace) -> tuple[Schedule, Schedule]:
    if arguments.against is not None and arguments.new is None:
        before = _at_revision(arguments.against, arguments.old)
        return _read(before, partial(_content, arguments.against)), _read(parsed(arguments.old))
    if arguments.new is None or arguments.against is not None:
        raise _wrong("`diff` takes two specs, or one and `--against git:REV`")
    return _read(parsed(arguments.old)), _read(parsed(arguments.new))


def _read(spec: tree.Spec, content: Content | None = None) -> Schedule:
    return complete(read_schedule(spec, content=content), values=True)


def _at_revision(against: str, path: str) -> tree.Spec:
    if not against.startswith(_GIT):
        raise _wrong(f"`--against` takes `git:REV`, not `{against}`")
    shown = _content(against, Path(path))
    return parse(shown.decode("utf-8", errors="replace"), f"{path} at {against.removeprefix(_GIT)}")


def _content(against: str, file: Path) -> bytes:
    """The bytes of a file at a revision, as bound files of a spec are at the same one."""
    revision = against.removeprefix(_GIT)
    command = ["git", "show", "--end-of-options", f"{revision}:./{file.name}"]
    try:
        shown = subprocess.run(command, capture_output=True, check=False, cwd=file.parent)  # noqa: S603 -- no shell reads it
    except FileNotFoundError:
        missing = "folder" if not file.parent.is_dir() else "`git`"
        raise _wrong(f"there is no {missing} to ask for `{file}` at `{revision}`") from None
    if shown.returncode:
        reason = shown.stderr.decode(errors="replace").strip().removeprefix("fatal: ").partition("\n")[0]
        raise _wrong(f"git cannot show `{file}` at `{revision}`: {reason}")
    return shown.stdout


def _wrong(message: str) -> SpecError:
    error = fail("E514", message, None, help="see `epochproof diff --help`")
    error.source = Source("diff", "")
    return error
