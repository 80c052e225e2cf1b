"""What each file of a call is: the config of one framework, and files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from epochproof.diagnostics import SpecError, fail
from epochproof.draft._beside import KINDS
from epochproof.draft._draft import Files
from epochproof.draft._file import File
from epochproof.draft._room import Framework, frameworks


def recognised(files: Sequence[File]) -> tuple[Framework, Files]:
    """The framework whose config is among the files, and the files by what they are.

    Raises:
        SpecError: One is of no kind that is known, or two are of one kind.
    """
    found = [(framework.recognises(file), framework, file) for file in files for framework in frameworks()]
    sure, framework, main = max(found, key=lambda each: each[0])
    beside: dict[str, File] = {}
    for file in files:
        kind = next((name for name, each in KINDS.items() if each.recognises(file)), None)
        if kind is not None:
            if kind in beside:
                raise _twice(beside[kind], file, KINDS[kind].title)
            beside[kind] = replace(file, name=KINDS[kind].name)
        elif not any(each for each, _, other in found if other is file):
            raise _unknown(f"`{file.path}` is no config that is recognised")
        elif file is not main:
            raise _twice(main, file, "the config of a training")
    if not sure:
        raise _unknown("no config of a training is among the files")
    return framework, Files(next((each for each in beside.values() if each.path == main.path), main), beside)


def _twice(first: File, other: File, what: str) -> SpecError:
    message = f"`{first.path}` and `{other.path}` are both {what}"
    return fail("E516", message, None, help="make a draft of one, and bind the other by hand")


def _unknown(message: str) -> SpecError:
    known = [f"{each.TITLE.rpartition(' (')[0]} ({each.SIGNS})" for each in frameworks()]
    beside = ", ".join(each.title for each in KINDS.values())
    cure = (
        f"recognised are {', '.join(known)}; beside one of them {beside};"
        ' a spec of your own binds any config: `bind t = config("train.yaml")`'
    )
    return fail("E516", message, None, help=cure)
