"""Specs of one line each, and the verdicts that they get."""

from __future__ import annotations

import epochproof
from epochproof.prove.verdict import Counterexample, Verdict

FREE = """edition 1
dataset images {{ size in 1.. }}
loader train over images {{
  ranks in 1..
  shuffle(seed = any)
  shard(ranks, tail = {ranks})
  batch(in 1.., tail = {batch})
}}
"""
TRAIN = FREE.format(ranks="pad", batch="drop")


def verdict(blocks: str, formula: str) -> Verdict:
    """What is found out about the formula, as a claim below the blocks."""
    (found,) = epochproof.check(f'{blocks}\nprove "it" : {formula}\n').claims
    return found.verdict


def refutation(blocks: str, formula: str) -> Counterexample:
    """The counterexample that refutes the formula."""
    found = verdict(blocks, formula)
    assert found.word == "refuted", found
    assert found.counterexample is not None
    return found.counterexample
