"""Outcomes of `check` of every kind, with texts and names that a format has to escape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epochproof.diagnostics import Source, SpecError
from epochproof.prove.session import Checked, check
from epochproof.prove.verdict import Verdict

SPEC = """edition 1
dataset images { size in 1.. }
loader train over images {
  ranks in 1..
  shard(ranks, tail = drop)
}
assume "enough" : images.size >= train.ranks
prove  "all" : train.omitted == {}
refute "few" : count(train.omitted) < train.ranks
prove  "nothing" : train.omitted == {} given images.size < 1
prove  "right" : train.occurrences <= images.size
"""
HOSTILE = (
    "a\nb\r%0A::error::x ]]> </testcase> [l](http://e) {0} `` \x1b[31m \x00 \ufffe \u202e 日本 𝄞 | <b> \ud800"
)


def mixed(path: str = "train.epoch") -> Checked:
    """Claims that are refuted, proved as false, vacuous, as stated, and undecided, in this order."""
    checked = check(SPEC)
    claims = checked.claims
    undecided = replace(
        claims[3], text="open", verdict=Verdict("unknown", reason="no rule; 3 worlds were run")
    )
    return Checked(path, (*claims, undecided), Source(path, checked.source.text))


def right(path: str = "right.epoch") -> Checked:
    """One claim, as it is stated."""
    checked = check(SPEC)
    return Checked(path, checked.claims[3:], Source(path, checked.source.text))


def hostile(path: str = HOSTILE) -> Checked:
    """Claims whose texts and file names are made to break out of a format."""
    checked = mixed(path)
    return replace(checked, claims=tuple(replace(each, text=HOSTILE) for each in checked.claims))


def wrong(text: str = "edition 1\ndataset d { size = 1 size = 2 }\n", path: str = "wrong.epoch") -> SpecError:
    """What is wrong with a spec."""
    with pytest.raises(SpecError) as raised:
        check(text)
    source = raised.value.source
    return SpecError(raised.value.diagnostics, Source(path, source.text if source else ""))
