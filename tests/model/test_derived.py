"""Derived datasets and splits are read as written, and faults in them are told with their cure."""

from __future__ import annotations

import pytest

import epochproof
from epochproof.diagnostics import Diagnostic, SpecError

BASE = """edition 1
dataset videos { size = 10, id = sha, groups = speaker }
dataset clips from videos { window = 64 stride = 32 }
split s of clips by videos { train = 0.8, val = 0.2 }
"""
WRONG = [
    ("dataset a { window = 3 }", "a dataset has no setting `window`", "a dataset has a `size`"),
    ("dataset a { size = 3, lenght = 9 }", "a dataset has no setting `lenght`", "did you mean `length`?"),
    ("dataset a { size = 3, id = 4 }", "`id` takes a name", "name a column: `id = clip_id`"),
    ("dataset a { lengths = 3 }", "`lengths` lists one number for each record", "write `lengths = ["),
    (
        f"dataset a {{ lengths = [{', '.join(['9'] * 201)}] }}",
        "201 lengths are listed, and at most 200 are read",
        "leave them open",
    ),
    ("dataset a { lengths = [3, -1] }", "`lengths` must be at least 0, and is -1 here", "write 0 or more"),
    ("dataset a { size = 2, lengths = [3] }", "`lengths` says how many records `a` has", "leave `size` out"),
    (
        "dataset a { length = 2, lengths = [3] }",
        "`lengths` says how many records `a` has",
        "leave `length` out",
    ),
    (
        "dataset a from videos {}",
        "nothing says how `a` is made of `videos`",
        "write a `window` and a `stride`",
    ),
    (
        "dataset a from videos { stride = 1 }",
        "nothing says how `a` is made",
        "write a `window` and a `stride`",
    ),
    (
        "dataset a from videos { window = 1, stride = 1, copies = 2 }",
        "`a` is made of `videos` in two ways",
        "chain two datasets for both",
    ),
    (
        "dataset a from videos { window = 0 stride = 1 }",
        "`window` must be at least 1, and is 0",
        "write 1 or more",
    ),
    (
        "dataset a from videos { window in 0..3, stride = 1 }",
        "`a.window` must be at least 1",
        "begin the domain at 1",
    ),
    ("dataset a from clips { copies = 0 }", "`copies` must be at least 1, and is 0 here", "write 1 or more"),
    ("dataset a from clips { copy = 2 }", "made of another has no setting `copy`", "did you mean `copies`?"),
    ("dataset a from clips { size = 2 }", "made of another has no setting `size`", "its size follows"),
    ("dataset a from vidoes { copies = 2 }", "unknown dataset `vidoes`", "did you mean `videos`?"),
    (
        "dataset a from a { copies = 2 }",
        "dataset `a` is declared below its dataset",
        "move the dataset above",
    ),
    (
        "dataset a from b { copies = 2 }\ndataset b from a { copies = 2 }",
        "dataset `b` is declared below its dataset",
        "move the dataset above the one that is made of it; none is made of itself",
    ),
    ("dataset a from s { copies = 2 }", "`s` is a split, not one population", "`s.train`, `s.val`"),
    ("loader l over s { batch(4) }", "`s` is a split, not one population", "`s.train`, `s.val`"),
    ("loader l over s.test { batch(4) }", "split `s` has no part `test`", "`s.train`, `s.val`"),
    (
        "loader l over t.a { batch(4) }\nsplit t of clips by clips { a = 1 }",
        "declared below its loader",
        "move the",
    ),
    ("split t of clip by videos { a = 1 }", "unknown dataset `clip`", "did you mean `clips`?"),
    ("split t of s by videos { a = 1 }", "`s` is a split, not one population", "`s.train`, `s.val`"),
    ("split t of t.a by videos { a = 1 }", "declared below its split", "move the"),
    ("split t of clips by video { a = 1 }", "`video` is no key of `clips`", "did you mean `videos`?"),
    ("split t of videos by clips { a = 1 }", "`clips` is no key of `videos`", "keys are `videos`, `speaker`"),
    ("split t of clips by s.train { a = 1 }", "`s.train` is no key of `clips`", "keys are `clips`, `videos`"),
    ("split t of clips by frames { a = 1 }", "frames are cut in time", "write `by time`, with a `gap`"),
    ("split t of videos by time { a = 1 }", "a record of `videos` is a whole source", "cut windows first"),
    ("split t of clips by videos { a = 0.8, b = 0.1 }", "the parts of `t` have 0.9 of the whole", "sum to 1"),
    ("split t of clips by videos { a = 0.8, b = 0.3 }", "the parts of `t` have 1.1 of the whole", "sum to 1"),
    ("split t of clips by videos {}", "the parts of `t` have 0 of the whole together", "sum to 1"),
    ("split t of clips by videos { a = 1, b = 0 }", "part `b` has no share", "write its share as a decimal"),
    ("split t of clips by videos { a in 1..2 }", "part `a` has no share", "write its share as a decimal"),
    (
        "split t of clips by videos { a = 0.5, a = 0.5 }",
        "setting `a` is given twice",
        "delete one of the two",
    ),
    ("split t of clips by videos { a = 1, gap = 3 }", "only a split by time has a gap", "write `by time`"),
    (
        "split t of clips by time { a = 1, gap = -1 }",
        "`gap` must be at least 0, and is -1",
        "write 0 or more",
    ),
    ('split t of clips by time { a = 1, salt = "x" }', "a split by time assigns nothing", "leave `salt` out"),
    ("split t of clips by videos { a = 1, salt = 3 }", "`salt` is a text", 'write `salt = "v1"`'),
    ("split t of clips by videos { a = 1, shared = 3 }", "`shared` is `true` or `false`", "on its own"),
    ('split t of clips by sha { a = 1, salt = "x", shared = false }', "all ranks assign alike", "leave one"),
    (
        "split t of clips by clips { a = 1, shared = false }\nloader l over t.a { batch(2) }",
        "each rank has a `t.a` of its own, and a loader reads one",
        "leave `shared = false` out",
    ),
    (
        "split t of clips by clips { a = 1, shared = false }\nsplit u of t.a by clips { b = 1 }",
        "each rank has a `t.a` of its own, and a split reads one",
        "leave `shared = false` out",
    ),
]
CLAIMS = [
    ("s.train disjoint from s.val by video", "`video` is no key of `s.train`", "did you mean `videos`?"),
    ("s.train disjoint from videos by clips", "`clips` is no key of `videos`", "made of: `videos`"),
    ("s.train disjoint from other by videos", "`videos` is no key of `other`", "can share nothing"),
    ("s.train disjoint from s.val by time", "records do not share a time", "write `by frames`"),
    ("s.train disjoint from s.val by videos + 3", "`videos` has no margin", "only `frames` has one"),
    ("s.train disjoint from s.val by frames - 3", "`margin` must be at least 0, and is -3 here", "write 0"),
    ("s.train disjoint from s.val by 3", "a key is a name, or `frames` and a margin", "write `by videos`"),
    ("s disjoint from s.val by videos", "`s` is a split, not one population", "`s.train`, `s.val`"),
    ("s.trian disjoint from s.val by videos", "unknown population `s.trian`", "did you mean `s.train`?"),
    ("3 disjoint from s.val by videos", "only populations are `disjoint from` each other", "name a dataset"),
    (
        "not (s.train disjoint from s.val by videos)",
        "`disjoint from` is a claim of its own",
        "write `refute`",
    ),
    ("1 == 1 given s.train disjoint from s.val by videos", "is a claim of its own", "make two claims"),
]


def told(text: str) -> Diagnostic:
    with pytest.raises(SpecError) as error:
        epochproof.check(text)
    (found,) = error.value.diagnostics
    return found


@pytest.mark.parametrize(("block", "message", "cure"), WRONG, ids=[each[0] for each in WRONG])
def test_fault_in_a_block_is_told(block: str, message: str, cure: str) -> None:
    found = told(f"{BASE}{block}\n")

    assert message in found.message
    assert cure in found.help
    assert found.span is not None


@pytest.mark.parametrize(("claim", "message", "cure"), CLAIMS, ids=[each[0] for each in CLAIMS])
def test_fault_in_a_claim_is_told(claim: str, message: str, cure: str) -> None:
    found = told(f'{BASE}dataset other {{ size = 3 }}\nprove "" : {claim}\n')

    assert message in found.message
    assert cure in found.help


def test_block_below_a_wrong_one_is_not_told_again() -> None:
    text = "split t of clips by video { a = 1 }\ndataset a from t.a { copies = 2 }\n"
    text += "loader l over a { batch(2) }\n"

    assert told(BASE + text).message == "`video` is no key of `clips`"


def test_column_that_identifies_records_names_their_dataset_as_a_key() -> None:
    claims = 'split t of clips by sha { a = 0.5, b = 0.5 }\nprove "" : t.a disjoint from t.b by videos\n'

    assert epochproof.check(BASE + claims).ok


def test_parts_and_settings_have_names_in_claims() -> None:
    blocks = "dataset v { size in 5.., length = 96 }\ndataset c from v { window in 1..96, stride = 32 }\n"
    blocks += "split t of c by v { a = 0.8, b = 0.2 }\nsplit u of c by time { a = 0.5, b = 0.5, gap = 2 }\n"
    claims = 'prove "" : t.a.size + t.b.size == c.size and c.window <= v.length and u.gap == 2\n'
    claims += 'prove "" : c.size == 3 * v.size given c.window <= 32\n'

    assert epochproof.check(f"edition 1\n{blocks}{claims}").ok
