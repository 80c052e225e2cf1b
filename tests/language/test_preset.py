"""Presets as text: what parses, how it is written, what a syntax error says."""

from __future__ import annotations

import pytest

from epochproof.diagnostics import SpecError
from epochproof.language.format import format_text
from epochproof.language.parse import parse
from epochproof.language.preset import Choice, Preset, Use

UNTIDY = """edition 1
bind team = presets("team.epoch")
preset our.Sampler(
  batch,  # for each rank
  drop = {0,1}) {
  describes   =  "ours"
# above the choice
  if batch == 1 and  not drop {
    # inside
    shuffle(seed=1) # beside
    # at the end
  } else if drop { shard(ranks) } else { # beside else
   use torch.DataLoader( batch )
  # before the brace
  }

  if drop { batch(2) }
  if drop { batch(2) batch(3) } else { use  more.Batches( n = 3 ) }
  # last
}
preset Nothing( ) {}
preset Short() { describes = "w" if x { copy(ranks) } }
dataset images { size = 1 }
loader train over images { use our.Sampler(in 1..4) }
"""
TIDY = """edition 1
bind team = presets("team.epoch")
# for each rank
preset our.Sampler(batch, drop = {0, 1}) {
  describes = "ours"
  # above the choice
  if batch == 1 and not drop {
    # inside
    shuffle(seed = 1)  # beside
    # at the end
  } else if drop {
    shard(ranks)
  } else {  # beside else
    use torch.DataLoader(batch)
    # before the brace
  }

  if drop { batch(2) }
  if drop {
    batch(2)
    batch(3)
  } else {
    use more.Batches(n = 3)
  }
  # last
}
preset Nothing() {}
preset Short() { describes = "w", if x { copy(ranks) } }
dataset images { size = 1 }
loader train over images { use our.Sampler(in 1..4) }
"""


def test_presets_are_written_in_one_way() -> None:
    assert format_text(UNTIDY) == TIDY
    assert format_text(TIDY) == TIDY


def test_name_parameters_and_parts_are_kept() -> None:
    _, preset, *_ = parse(UNTIDY).statements

    assert isinstance(preset, Preset)
    assert preset.name == "our.Sampler"
    assert [each.name for each in preset.parameters] == [None, "drop"]
    assert [type(each).__name__ for each in preset.entries] == ["Setting", "Choice", "Choice", "Choice"]
    choice = preset.entries[1]
    assert isinstance(choice, Choice)
    (inner,) = choice.otherwise
    assert isinstance(inner, Choice) and isinstance(inner.otherwise[0], Use)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("use torch.DataLoader()", "E101", "found `use`"),
        ("loader l over d { use }", "E101", "expected a name, found `}`"),
        ("loader l over d { use torch.X }", "E101", "expected `(`, found `}`"),
        ("loader l over d { if a { batch(1) } }", "E101", "expected a stage, a setting or `}`, found `if`"),
        ("preset P { }", "E101", "expected `(`, found `{`"),
        ("preset P() { if a batch(1) }", "E101", "expected an operator or `{`, found `batch`"),
        ("preset use() { }", "E111", "`use` is a keyword and names nothing else"),
        ("preset P() {} preset P() {}", "E116", "`P` is defined twice"),
        ('preset P() { describes = "a" describes = "b" }', "E117", "setting `describes` is given twice"),
    ],
)
def test_syntax_error_says_what_was_expected(text: str, code: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(f"edition 1\n{text}")
    found = caught.value.diagnostics[0]

    assert found.code == code
    assert message in found.message


def test_use_outside_a_loader_says_where_it_stands() -> None:
    with pytest.raises(SpecError) as caught:
        parse("edition 1\nuse torch.DataLoader()")

    assert caught.value.diagnostics[0].help == "`use` stands in a loader or a preset"
