"""A counterexample under draws that no seed is known to give says so."""

from __future__ import annotations

import json

import epochproof
from epochproof.report import check_as_json, check_as_text

SPEC = """edition 1
dataset d {{ size = 10 }}
loader l over d {{ draw(1_000, seed = any) }}
{kind} "a thousand draws read everything" : l.omitted == {{}}
"""


def test_line_says_that_draws_are_made_up() -> None:
    text = check_as_text.render(epochproof.check(SPEC.format(kind="refute")))

    assert 'refuted  "a thousand draws read everything"  by draws made up: records 1 to 9' in text


def test_full_counterexample_says_that_no_seed_is_known() -> None:
    text = check_as_text.render(epochproof.check(SPEC.format(kind="prove")))

    assert "a small counterexample, replayed in the model" in text
    assert "under draws that the model allows; no seed is known to give them" in text
    assert "draw(1_000, seed = any)  <- record 1 is lost here" in text


def test_program_reads_that_the_model_replayed_it() -> None:
    told = json.loads(check_as_json.render([epochproof.check(SPEC.format(kind="refute"))]))
    found = told["files"][0]["claims"][0]["counterexample"]

    assert (found["parameters"], found["replayed"], found["stage"]) == ({}, "model", "draw")
