"""A manifest that was read: its number of records, and what was checked about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from epochproof.language.columns import safe
from epochproof.manifest._state import State, refuse_change
from epochproof.manifest.pin import Column, Pin


@dataclass(frozen=True)
class Manifest:
    """A manifest without faults, or a part of one: record `r` is its row `r`, counted from 0.

    Ids are unique, no group and no source is missing, weights are finite and not negative, no interval ends
    before it starts; each as far as the spec names the column.
    """

    pin: Pin
    file: Path
    records: int
    state: State = field(repr=False, compare=False)
    """By which a change of the file is seen when it is read again."""

    part: str = ""
    """The part, or what is made of the dataset, that has so many `records`; empty for the dataset itself."""

    said: str = ""
    """What else was read of it, in place of the number."""

    def column(self, role: str) -> Column | None:
        """The column that plays the role, if the spec names one."""
        return self.pin.column(role)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hexadecimal digits; computed when first asked for, unless pinned."""
        digest = self.pin.digest or digest_of(self.file)
        refuse_change(self.pin, self.file, self.state)
        return digest

    @property
    def fact(self) -> str:
        """What it settles about its dataset or part, as a sentence."""
        if self.said:
            return self.said + self.mark
        ids = " with ids of their own" if self.column("id") and not self.part else ""
        noun = "record" if self.records == 1 else "records"
        owner = f"`{self.part}`" if self.part else "the dataset"
        return f"{owner} has {self.records:_} {noun}{ids}{self.mark}"

    @property
    def mark(self) -> str:
        """What stands behind a premise that it settles."""
        return f" (checked against `{safe(self.pin.path)}`)"


def digest_of(file: Path) -> str:
    """SHA-256 of the bytes of a file, in hexadecimal digits."""
    import hashlib  # noqa: PLC0415 -- most specs name no manifest

    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
