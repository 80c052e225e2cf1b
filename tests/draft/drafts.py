"""Drafts of the samples: made, counted with the numbers that they ask for, checked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import epochproof
from epochproof.config.entry import Scalar
from epochproof.draft._drafted import Drafted, drafted
from epochproof.prove.population import Population
from epochproof.prove.session import counted

SAMPLES = Path(__file__).parent / "samples"
TRAINED, HELD_OUT = 1003, 101


def made(folder: Path, *names: str) -> Drafted:
    """The draft of some samples, which are copied to the folder, or of files that are there."""
    for name in names:
        if not (folder / name).exists():
            shutil.copy(SAMPLES / name, folder / name)
    found = drafted({folder / name: name for name in names})
    (folder / "draft.epoch").write_text(found.text)
    return found


def count(
    folder: Path, loader: str = "train", values: Mapping[str, int] | None = None, **overrides: Scalar
) -> Population:
    """What a loader of the draft in the folder reads.

    Args:
        folder: Where the draft is.
        loader: Its name.
        values: Of free parameters, beside the sizes.
        **overrides: Values in place of bound ones, `__` for a dot.
    """
    bound = {name.replace("__", "."): value for name, value in overrides.items()}
    schedule = epochproof.load(folder / "draft.epoch", overrides=bound)
    text = (folder / "draft.epoch").read_text()
    sizes = {"records": TRAINED, "held_out": HELD_OUT}
    free = {f"{name}.size": size for name, size in sizes.items() if re.search(rf"{name} +{{ size in", text)}
    found = counted(schedule, free | dict(values or {}), None)
    return next(each for each in found if each.loader == loader)


def verdicts(folder: Path) -> dict[str, str]:
    """The verdict of each claim of the draft by its text."""
    return {each.text: each.verdict.word for each in epochproof.check(folder / "draft.epoch").claims}


def holds(folder: Path, formula: str) -> bool:
    """Whether a formula about the draft is proved."""
    text = f'{(folder / "draft.epoch").read_text()}\nprove "it" : {formula}\n'
    (folder / "asked.epoch").write_text(text)
    return epochproof.check(folder / "asked.epoch").claims[-1].verdict.word == "proved"
