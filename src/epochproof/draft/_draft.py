"""What a framework makes of its files: populations, loaders, claims and traps, with marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from epochproof.draft._file import File
from epochproof.draft._term import Line, Term


@dataclass(frozen=True)
class Loader:
    """A loader of a draft: its settings, then its stages."""

    name: str
    over: str
    settings: tuple[Line, ...]
    stages: tuple[Line, ...]


@dataclass(frozen=True)
class Draft:
    """The parts of a spec, in the order in which they are written."""

    datasets: tuple[Line, ...]
    loaders: tuple[Loader, ...]
    claims: tuple[Line, ...] = ()
    traps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Files:
    """The files of a draft: the config of the training, and those that stand beside it."""

    main: File
    beside: dict[str, File] = field(default_factory=dict)
    """By what they are: `accelerate`, `deepspeed`, `launch`, `data`."""

    def every(self) -> tuple[File, ...]:
        """All of them, the config of the training first."""
        return (self.main, *(each for each in self.beside.values() if each is not self.main))


def setting(name: str, term: Term) -> Line:
    """`name = value`, or `name in range`."""
    return Line(f"{name} {term.sign}", term.mark)


def dataset(name: str, what: str) -> Line:
    """A population whose size no file says."""
    return Line(f"dataset {name} {{ size in 1.. }}", f"needs you: {what}, `size = 1_000`")


def loader(name: str, over: str, settings: list[Line], stages: list[Line]) -> Loader:
    """A loader of a draft."""
    return Loader(name, over, tuple(settings), tuple(stages))


def traps(file: File, known: Iterable[tuple[bool, str, str]]) -> tuple[str, ...]:
    """What can go wrong, of what is known: whether it applies, the key that is to blame, what happens."""
    return tuple(
        f"{key} ({file.place(key)}) {text}" if key else text for applies, key, text in known if applies
    )


def padded(name: str, batch: str = "") -> list[Line]:
    """Claims about a loader that pads the last batches of `batch` records."""
    most = f"{name}.ranks * {batch or f'{name}.batch'}"
    return [
        Line(f'prove "{name}: an epoch reads every record" : {name}.omitted == {{}}'),
        Line(f'prove "{name}: padding costs less than a global batch" : {name}.padding < {most}'),
        Line(f'prove "{name}: every rank takes as many steps" : {name}.steps equal across ranks'),
    ]


def dealt(name: str) -> list[Line]:
    """Claims about a loader that neither pads nor drops anything."""
    return [
        Line(f'prove "{name}: an epoch reads every record" : {name}.omitted == {{}}'),
        Line(f'prove "{name}: nothing is read twice" : {name}.multiplicity <= 1'),
    ]


def cut(name: str) -> list[Line]:
    """Claims about a loader that drops the last batches."""
    return [
        Line(
            f'prove "{name}: an epoch omits less than a global batch" : count({name}.omitted)'
            f" < {name}.ranks * {name}.batch"
        ),
        Line(f'prove "{name}: nothing is read twice" : {name}.multiplicity <= 1'),
        Line(f'prove "{name}: every rank takes as many steps" : {name}.steps equal across ranks'),
    ]
