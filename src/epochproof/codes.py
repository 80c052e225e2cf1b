"""The catalogue of diagnostic codes: what each one means, why it matters, what to write instead."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_CATALOGUE = Path(__file__).with_name("codes.toml")


@dataclass(frozen=True)
class Code:
    """One entry of the catalogue.

    `example` is a spec that has the fault and `instead` one that has not; both are empty where the fault lies
    outside the text of a spec, or takes too long a text to show.
    """

    code: str
    name: str
    summary: str
    why: str
    example: str
    instead: str


@lru_cache(maxsize=1)
def all_codes() -> tuple[Code, ...]:
    """Every code that a diagnostic of this package can have, in ascending order."""
    entries = tomllib.loads(_CATALOGUE.read_text(encoding="utf-8"))
    return tuple(_entry(code, entries[code]) for code in sorted(entries))


def explain(code: str) -> Code | None:
    """The entry of a code, in any letter case; `None` where there is no such code."""
    return next((each for each in all_codes() if each.code == code.upper()), None)


def _entry(code: str, fields: dict[str, str]) -> Code:
    return Code(
        code,
        fields["name"],
        fields["summary"],
        fields["why"].strip(),
        fields.get("example", ""),
        fields.get("instead", ""),
    )
