"""The JSON of a run has the keys that programs rely on."""

from __future__ import annotations

import json
from dataclasses import replace

from epochproof.report._run import Replay
from epochproof.report.run_as_json import render
from tests.report.test_run_as_text import DIFFERENCE, PADDED, REPORT, TRAIN


def test_document_has_its_keys() -> None:
    replays = (Replay("one", {"d.size": 2**60}, "torch"),)
    document = json.loads(render(replace(REPORT, counterexamples=replays)))

    assert document == {
        "schema": "epochproof/run/1",
        "path": "a.epoch",
        "torch": "2.13.0",
        "loaders": [
            {
                "name": "padded",
                "instances": 1,
                "occurrences": 12,
                "workers_checked": 0,
                "agrees": True,
                "difference": None,
                "delivered": {
                    "parameters": {},
                    "epoch": 0,
                    "ranks": [[[0, 3], [6]], [[1, 4], [7]], []],
                },
                "left_out": [],
            },
            {
                "name": "train",
                "instances": 76,
                "occurrences": 1369,
                "workers_checked": 16,
                "agrees": True,
                "difference": None,
                "delivered": None,
                "left_out": [],
            },
        ],
        "counterexamples": [{"text": "one", "parameters": {"d.size": str(2**60)}, "replayed": "torch"}],
        "claims": [{"text": "all is read", "kind": "prove", "verdict": "proved", "as_stated": True}],
        "drift": False,
    }


def test_difference_and_contradiction_are_in_it() -> None:
    replays = (Replay("one", {}, "contradicted", "the claim is true on what torch delivers"),)
    report = replace(REPORT, loaders=(PADDED, replace(TRAIN, difference=DIFFERENCE)), counterexamples=replays)
    document = json.loads(render(report))

    assert document["loaders"][1]["agrees"] is False
    assert document["loaders"][1]["difference"] == {
        "parameters": {"d.size": 10000, "train.ranks": 3},
        "real": "DataLoader",
        "epoch": 0,
        "rank": 2,
        "step": 3,
        "slot": 1,
        "model": "record 4",
        "torch": "record 5",
    }
    assert document["counterexamples"][0]["reason"] == "the claim is true on what torch delivers"
    assert document["drift"] is True
