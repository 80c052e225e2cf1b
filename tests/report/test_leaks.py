"""A leak names two records, with their frames, in the text and in the document."""

from __future__ import annotations

import epochproof
from epochproof.report.check_as_text import render
from tests.report.test_check_as_json import document

CLIPS = """edition 1
dataset videos { size in 3.. }
dataset clips from videos { window = 64, stride = 32 }
split s of clips by clips { train = 0.8, val = 0.2 }
prove "apart" : s.train disjoint from s.val by frames
"""
RANKS = """edition 1
dataset images { size in 2.. }
split s of images by images { train = 0.8, val = 0.2, shared = false }
prove "apart" : s.train disjoint from s.val by images
"""
SERIES = """edition 1
dataset series { size = 1, length = 200 }
dataset windows from series { window = 30, stride = 1 }
split s of windows by time { train = 0.8, val = 0.2, gap = 6 }
prove "apart" : s.train disjoint from s.val by frames + 7
"""


def test_text_shows_the_sources_both_records_and_the_split() -> None:
    text = render(epochproof.check(CLIPS))

    assert text.splitlines()[1:8] == [
        '  ✗ refuted  prove "apart"  line 5',
        "             the smallest counterexample, replayed in the model",
        "               videos.size = 3, clips.size = 5",
        "               videos of 96 and 128 frames, and 1 of none",
        "               s.train has videos 0, clips 0, frames 0..63",
        "               s.val has videos 0, clips 1, frames 32..95",
        "               1 of 1 record of s.val overlaps one of s.train",
    ]
    assert "<spec>:4  split s of clips by clips { train = 0.8, val = 0.2 }  <- this does not keep" in text


def test_text_names_ranks_where_each_splits_on_its_own() -> None:
    text = render(epochproof.check(RANKS))

    assert "s.train has images 0, on rank 0\n" in text
    assert "s.val has images 0, on rank 1\n" in text
    assert "frames" not in text
    assert "s.train and s.val share 1 of 4 values of images\n" in text


def test_gap_that_is_too_small_is_blamed() -> None:
    text = render(epochproof.check(SERIES))

    assert "s.train has series 0, windows 130, frames 130..159\n" in text
    assert "s.val has series 0, windows 166, frames 166..195\n" in text
    assert "<- this leaves too little between its parts" in text


def test_document_holds_the_same() -> None:
    (file,) = document(epochproof.check(CLIPS))["files"]
    shown = file["claims"][0]["counterexample"]

    assert shown["parameters"] == {"videos.size": 3, "clips.size": 5}
    assert sum((length - 64) // 32 + 1 for length in shown["lengths"]["videos"] if length >= 64) == 5
    assert [each["population"] for each in shown["meeting"]] == ["s.train", "s.val"]
    assert [each["frames"] for each in shown["meeting"]] == [[0, 64], [32, 96]]
    assert shown["meeting"][0]["indices"].keys() == {"videos", "clips"}
    assert shown["stage"] == "split" and shown["records"] == []
    assert shown["shared"] == {"count": 1, "of": 1, "counts": "records", "key": "frames", "margin": 0}


def test_document_of_records_without_frames_says_none() -> None:
    (file,) = document(epochproof.check(RANKS))["files"]
    shown = file["claims"][0]["counterexample"]

    assert shown["lengths"] == {}
    assert [(each["frames"], each["rank"]) for each in shown["meeting"]] == [(None, 0), (None, 1)]
