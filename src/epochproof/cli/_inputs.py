"""The specs that a call names: files, folders, and `-` for the standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.parse import MOST_BYTES, parse, read

STANDARD_INPUT = "-"
_SUFFIX = ".epoch"


def files(named: Sequence[str]) -> Iterator[str | SpecError]:
    """The paths of the specs, each once, in the order named; a folder gives those below it, sorted.

    Folders whose name begins with a dot are not entered.

    Yields:
        In place of a folder that holds no spec, or a part of it that cannot be read, what is wrong.
    """
    given: set[str] = set()
    for each in named:
        inside = each != STANDARD_INPUT and Path(each).is_dir()
        for found in _below(Path(each)) if inside else [each]:
            if isinstance(found, SpecError):
                yield found
            elif found not in given:
                given.add(found)
                yield found


def _below(folder: Path) -> list[str | SpecError]:
    found: list[str | SpecError] = []
    unread: list[str | SpecError] = []
    pending = [folder]
    while pending:
        here = pending.pop()
        try:
            inside = list(here.iterdir())
        except OSError as error:
            unread.append(_wrong("E119", here, f"cannot read `{here}`: {str(error.strerror).lower()}"))
            continue
        pending += [each for each in inside if _entered(each)]
        found += [str(each) for each in inside if each.suffix == _SUFFIX and not each.is_dir()]
    found.sort(key=str)
    if not found and not unread:
        return [_wrong("E501", folder, f"there is no `{_SUFFIX}` file in `{folder}`")]
    return [*found, *unread]


def _entered(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")


def _wrong(code: str, path: Path, message: str) -> SpecError:
    error = fail(code, message, None, help="check the path")
    error.source = Source(str(path), "")
    return error


def parsed(path: str) -> tree.Spec:
    """The tree of the spec in a file, or on the standard input.

    Raises:
        SpecError: It cannot be read, is no text, or breaks a rule of the language. Its `source` is set.
    """
    if path != STANDARD_INPUT:
        return read(path)
    name = "<stdin>"
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise _unfit("E121", f"`{name}` holds more than {MOST_BYTES:,} bytes", name)
    try:
        return parse(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _unfit("E120", f"line {line} of `{name}` is not UTF-8", name) from None


def _unfit(code: str, message: str, name: str) -> SpecError:
    error = fail(code, message, None)
    error.source = Source(name, "")
    return error
