"""The digest of meaning: formatting leaves it alone, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.language.format import format_text
from epochproof.language.parse import parse, read
from epochproof.statement.semantic import semantic_digest

ROOT = Path(__file__).resolve().parents[2]
SPEC = """edition 1
dataset records { size = 1_000 }
loader train over records { ranks = 3, shard(ranks, tail = pad), batch(4) }
prove "all" : train.omitted == {} given train.ranks >= 0.5
"""


@pytest.mark.parametrize("name", ["sc241", "any-size", "mixture", "resume", "forecast"])
def test_examples_mean_the_same_however_they_are_written(name: str) -> None:
    text = (ROOT / "examples" / f"{name}.epoch").read_text()
    spread = text.replace("(", " ( ").replace("==", "  ==  ").replace("\n", "\n\n# a comment\n")

    assert semantic_digest(parse(spread)) == semantic_digest(parse(format_text(text)))


@pytest.mark.parametrize(
    ("old", "new"), [("1_000", "1000"), ("0.5", "0.50"), (", batch", " batch"), ("prove", "# why\nprove")]
)
def test_another_way_to_write_it_means_the_same(old: str, new: str) -> None:
    assert semantic_digest(parse(SPEC.replace(old, new))) == semantic_digest(parse(SPEC))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1_000", "1_001"),
        ("pad", "drop"),
        ("records", "clips"),
        ('"all"', '"each"'),
        ("prove", "refute"),
        (" given train.ranks >= 0.5", ""),
        ("0.5", "0.51"),
        ("batch(4)", "batch(4, tail = drop)"),
        ("ranks = 3", "ranks in 1..3"),
    ],
)
def test_another_meaning_has_another_digest(old: str, new: str) -> None:
    assert semantic_digest(parse(SPEC.replace(old, new))) != semantic_digest(parse(SPEC))


def test_bound_value_belongs_to_the_meaning(tmp_path: Path) -> None:
    bound = SPEC.replace("edition 1", 'edition 1\nbind t = config("t.yaml")').replace(
        "batch(4)", "batch(t.n)"
    )
    (tmp_path / "s.epoch").write_text(bound)

    def digest(config: str) -> str:
        (tmp_path / "t.yaml").write_text(config)
        return semantic_digest(read(tmp_path / "s.epoch"))

    assert digest("n: 4") == digest("# more\nn:   4\nunused: 1") == semantic_digest(parse(SPEC))
    assert digest("n: 5") != digest("n: 4")
