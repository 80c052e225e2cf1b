"""Whatever stands in a file, it is a spec or a diagnostic; and what is a spec can be formatted."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from epochproof.codes import explain
from epochproof.diagnostics import SpecError
from epochproof.language import tree
from epochproof.language.format import format_text
from epochproof.language.parse import parse
from epochproof.report.diagnostics_as_text import render

SEEDS = [path.read_text() for path in sorted((Path(__file__).parent / "originals").glob("*.epoch"))]
TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|\s+|\.\.|[<>=!]=|//|.')
COMMENT = re.compile(r'"[^"\r\n]*"|(#[^\r\n]*)')
WORDS = (
    "edition dataset loader over prove refute assume given in and or not if then else equal across by ceil"
)
SIGNS = (
    'bind unaffected distinct ?? ( ) { } , : = == < .. // / * % + - " # . \n 0 1_000 0.8 9x {} a.b \r\n \t'
)
SPARE = [*WORDS.split(" "), *SIGNS.split(" "), "\0", "\u202e", "é", "日", "\ufeff"]


def mutated(text: str, chance: random.Random) -> str:
    """A text with up to four small changes to its tokens or its characters."""
    for _ in range(chance.randint(1, 4)):
        parts: list[str] = TOKEN.findall(text) if chance.random() < 0.8 else list(text)
        at = chance.randrange(len(parts) + 1)
        to = min(len(parts), at + chance.choice((0, 1, 1, 2, 5)))
        other = chance.randrange(len(parts) + 1)
        moved, again, spare = parts[other : other + 3], parts[at:to] * 2, [chance.choice(SPARE)]
        new = chance.choice(([], [], spare, again, moved, ["\n"]))
        text = "".join([*parts[:at], *new, *parts[to:]])
    return text


def comments(text: str) -> list[str]:
    """The comments of a text, in order, without the space at their ends."""
    return [found.rstrip() for found in COMMENT.findall(text) if found]


def outcome(text: str) -> tree.Spec | SpecError:
    """What parsing gives; any other exception fails the test."""
    try:
        return parse(text)
    except SpecError as error:
        return error


def check(text: str) -> bool:
    """Whether a text is a spec; asserts what holds for every spec and for every diagnostic."""
    found = outcome(text)
    if isinstance(found, SpecError):
        assert found.diagnostics and found.source is not None
        for each in found.diagnostics:
            assert explain(each.code) is not None
            assert each.span is not None and 0 <= each.span.start <= each.span.end <= len(found.source.text)
            assert each.message and each.message in render(each, found.source)
        return False
    written = format_text(text)
    assert format_text(written) == written
    assert comments(written) == comments(text)
    return True


def run(rounds: int, seed: int) -> int:
    """How many of so many mutated texts are specs."""
    chance = random.Random(seed)  # noqa: S311 -- repeats by its seed
    return sum(check(mutated(chance.choice(SEEDS), chance)) for _ in range(rounds))


def test_small_changes_give_a_spec_or_a_diagnostic() -> None:
    specs = run(2_000, seed=1)

    assert 200 < specs < 1_800


@pytest.mark.slow
def test_many_small_changes_give_a_spec_or_a_diagnostic() -> None:
    specs = run(10_000, seed=2)

    assert 1_000 < specs < 9_000


def test_noise_gives_a_diagnostic() -> None:
    chance = random.Random(3)  # noqa: S311 -- repeats by its seed
    for _ in range(300):
        noise = "".join(chance.choices(SPARE, k=chance.randint(1, 60)))

        assert isinstance(outcome(f"edition 1\n{noise}"), tree.Spec | SpecError)


@pytest.mark.parametrize("text", SEEDS)
def test_every_beginning_gives_a_spec_or_a_diagnostic(text: str) -> None:
    for end in range(0, len(text), 7):
        check(text[:end])
