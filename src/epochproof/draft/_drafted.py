"""From the files of a training to the draft of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from epochproof.draft._file import read
from epochproof.draft._recognise import recognised
from epochproof.draft._write import asked, written


@dataclass(frozen=True)
class Drafted:
    """The text of a spec, the framework that it is for, and what the user has to say."""

    text: str
    title: str
    asked: tuple[str, ...]


def drafted(paths: Mapping[Path, str]) -> Drafted:
    """The draft.

    Args:
        paths: Where the files are, each with its path as the spec writes it.

    Raises:
        SpecError: A file cannot be read, or is not recognised.
    """
    framework, files = recognised([read(path, as_written) for path, as_written in paths.items()])
    draft = framework.draft(files)
    return Drafted(written(draft, files, framework.TITLE), framework.TITLE, tuple(asked(draft)))
