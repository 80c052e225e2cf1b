"""Write the draft of a spec from a training config."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from epochproof.diagnostics import fail

_STANDARD_OUTPUT = "-"
_SUFFIX = ".epoch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `init` takes."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="the config of a training, and files beside it: of accelerate, of DeepSpeed, a launch script",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="SPEC",
        help="where the spec is written, or `-` (default: beside the first file, with its name and `.epoch`)",
    )
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(arguments: argparse.Namespace) -> int:
    """Writes the draft, and says what it needs."""
    from epochproof.draft._drafted import drafted  # noqa: PLC0415 -- `--help` needs no config

    files = [Path(each) for each in dict.fromkeys(arguments.files)]
    target = arguments.output or str(files[0].parent / f"{files[0].stem}{_SUFFIX}")
    folder = Path() if target == _STANDARD_OUTPUT else Path(target).parent
    found = drafted({each: _written(each, folder) for each in files})
    if target == _STANDARD_OUTPUT:
        sys.stdout.write(found.text)
        return 0
    _write(Path(target), found.text, force=arguments.force)
    print(f"{target}: a draft for {found.title}")
    if found.asked:
        print("it needs you to say")
    for each in found.asked:
        print(f"  {each}")
    print(f"a first verdict: epochproof check {target}")
    return 0


def _written(file: Path, folder: Path) -> str:
    """The path of a file as a spec in the folder writes it."""
    return Path(os.path.relpath(file, folder)).as_posix()


def _write(path: Path, text: str, *, force: bool) -> None:
    if path.suffix != _SUFFIX:
        what = f"cannot write `{path}`: it is not named like a spec"
        raise fail("E510", what, None, help="name it `train.epoch`")
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        what = f"cannot write `{path}`: it is there already"
        raise fail("E510", what, None, help="`--force` writes over it") from None
    except OSError as error:
        raise fail("E510", f"cannot write `{path}`: {str(error.strerror).lower()}", None) from None
