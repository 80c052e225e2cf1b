"""Write specs in the one canonical style."""

from __future__ import annotations

import argparse
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path

from epochproof.cli._inputs import STANDARD_INPUT, files, parsed
from epochproof.cli._terminal import show_diagnostics
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language.format import format_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `fmt` takes."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="specs, folders that hold some, or `-` for a filter"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if a file would change"
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change")


def run(arguments: argparse.Namespace) -> int:
    """Formats the files; a wrong one does not stop the others."""
    changed = wrong = False
    for path in files(arguments.files):
        try:
            if isinstance(path, SpecError):
                raise path
            changed |= _formatted(path, check=arguments.check, diff=arguments.diff)
        except SpecError as error:
            show_diagnostics(error)
            wrong = True
    return 2 if wrong else int(changed and arguments.check)


def _formatted(path: str, *, check: bool, diff: bool) -> bool:
    """Formats one file, or shows what that would do; whether it changes."""
    source = parsed(path).source
    formatted = format_text(source.text, source.path)
    changed = formatted != source.text
    if diff:
        _show_difference(source.path, source.text, formatted)
    elif path == STANDARD_INPUT and not check:
        sys.stdout.write(formatted)
    elif changed and check:
        print(f"{source.path} would change")
    elif changed:
        _replace(path, formatted)
        print(f"{source.path} formatted")
    return changed


def _show_difference(path: str, before: str, after: str) -> None:
    lines = unified_diff(before.splitlines(), after.splitlines(), path, f"{path} formatted", lineterm="")
    for line in lines:
        print(line)


def _replace(path: str, text: str) -> None:
    """Puts the text in the file's place at once, with its permissions; a link keeps pointing at it."""
    target = Path(path).resolve()
    try:
        target.open("ab").close()  # whom the file refuses may not replace it
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            fresh = Path(folder, target.name)
            fresh.write_bytes(text.encode("utf-8"))
            fresh.chmod(target.stat().st_mode & 0o7777)
            fresh.replace(target)
    except OSError as error:
        wrong = fail("E510", f"cannot write `{path}`: {str(error.strerror).lower()}", None)
        wrong.source = Source(path, "")
        raise wrong from None
