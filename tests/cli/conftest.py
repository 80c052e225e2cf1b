"""Specs with a known exit code each, and streams that are no terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = """edition 1
dataset images { size in 1.. }
loader train over images {
  ranks in 1..4096
  shard(ranks, tail = pad)
  batch(4, tail = drop)
}
"""
SPECS = {
    "right": 'prove "costs little" : count(train.omitted) < 4 * train.ranks\n',
    "refuted": 'prove "all" : train.omitted == {}\n',
    "proved": 'refute "costs little" : count(train.omitted) < 4 * train.ranks\n',
    "vacuous": 'prove "nothing" : train.omitted == {} given images.size < 1\n',
    "wrong": 'prove "typo" : trian.omitted == {}\n',
}
SC241 = Path(__file__).parents[1] / "language" / "originals" / "sc241.epoch"


@pytest.fixture(autouse=True)
def no_colours_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours are asked for by a test or not at all."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def specs(here: Path) -> Path:
    """A working folder with a spec for each claim of `SPECS`, and `sc241.epoch`."""
    for name, claim in SPECS.items():
        (here / f"{name}.epoch").write_text(HEAD + claim)
    (here / "sc241.epoch").write_text(SC241.read_text())
    return here


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on the standard input."""

    def put(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))

    return put
