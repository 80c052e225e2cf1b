"""Whatever a spec says, it is judged or refused, in bounded time, and never with another exception."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import epochproof
from epochproof.cli.main import main
from epochproof.diagnostics import SpecError
from epochproof.prove.session import Checked
from tests.quality.specs import changed, spec

PATIENCE = 20
"""So many seconds of work are allowed for one spec."""

WORDS = {"proved", "refuted", "vacuous", "unknown"}
HEAD = "edition 1\ndataset d { size in 1.. }\n"
STAGES = "shuffle(seed = any)\nshard(ranks, tail = pad)\nbatch(in 1.., tail = drop)"
FREE = f"{HEAD}loader l over d {{\nranks in 1..\n{STAGES}\n}}\n"
BIG = "9" * 400


def outcome(of: str | Path) -> Checked | SpecError:
    """The verdicts, or what is wrong; asserts what holds of every answer."""
    start = time.process_time()
    try:
        found: Checked | SpecError = epochproof.check(of)
    except SpecError as error:
        found = error
    assert time.process_time() - start < PATIENCE, of
    if isinstance(found, SpecError):
        assert found.diagnostics
    else:
        assert {each.verdict.word for each in found.claims} <= WORDS
        assert all(each.verdict.counterexample for each in found.claims if each.verdict.word == "refuted")
        assert all(each.verdict.reason for each in found.claims if each.verdict.word == "unknown")
    return found


def words(text: str) -> list[str]:
    """The verdicts of a spec."""
    found = outcome(text)
    assert isinstance(found, Checked), found
    return [each.verdict.word for each in found.claims]


def codes(of: str | Path) -> set[str]:
    """What is wrong with a spec."""
    found = outcome(of)
    assert isinstance(found, SpecError), found
    return {each.code for each in found.diagnostics}


def run(seeds: range, folder: Path) -> tuple[int, int]:
    """How many random specs are judged and how many refused; every second one is an example with changes."""
    judged = 0
    for seed in seeds:
        if seed % 2:
            judged += isinstance(outcome(spec(seed)), Checked)
        else:
            path = folder / "changed.epoch"
            path.write_bytes(changed(seed))
            judged += isinstance(outcome(path), Checked)
    return judged, len(seeds) - judged


def test_random_specs_are_judged_or_refused(tmp_path: Path) -> None:
    judged, refused = run(range(300), tmp_path)

    assert judged > 60
    assert refused > 60


@pytest.mark.slow
def test_ten_thousand_random_specs_are_judged_or_refused(tmp_path: Path) -> None:
    judged, refused = run(range(100_000, 110_000), tmp_path)

    assert judged > 2_000
    assert refused > 2_000


def test_the_command_line_answers_with_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = set()
    for seed in range(40):
        path = tmp_path / f"{seed}.epoch"
        path.write_bytes(changed(seed) if seed % 2 else spec(seed).encode())
        answers.add(main(["check", str(path), *(["--format", "json"] if seed % 3 == 0 else [])]))
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err

    assert answers <= {0, 1, 2, 3}
    assert {1, 2} <= answers


def test_sizes_of_400_digits_are_proved() -> None:
    text = HEAD.replace("in 1..", f"= {BIG}") + FREE.removeprefix(HEAD).replace(", tail = drop", "")
    proofs = (
        "l.omitted == {}",
        "l.multiplicity <= 2 given l.ranks <= d.size",
        "l.occurrences < d.size + l.ranks",
    )

    assert words(text + "".join(f'prove "it" : {each}\n' for each in proofs)) == ["proved"] * 3


def test_a_range_that_begins_at_400_digits_is_no_obstacle() -> None:
    text = HEAD.replace("1..", f"{BIG}..") + FREE.removeprefix(HEAD)

    assert words(f'{text}prove "it" : l.steps >= 0\nprove "it" : count(l.omitted) < l.ranks * l.batch\n') == [
        "proved",
        "proved",
    ]


def test_bounds_of_400_digits_are_compared() -> None:
    assert words(f'{FREE}prove "it" : l.steps < {BIG} given d.size < {BIG}\n') == ["proved"]
    assert words(f'{FREE}prove "it" : l.omitted == {{{BIG}}}\n') == ["refuted"]


@pytest.mark.parametrize(("text", "code"), [
    (f'{FREE}prove "it" : {"(" * 10_000}l.steps{")" * 10_000} >= 0\n', "E113"),
    (f'{FREE}prove "it" : {"not " * 10_000}l.steps >= 0\n', "E114"),
    (f'{FREE}prove "it" : {" + ".join(["l.steps"] * 5_000)} >= 0\n', "E114"),
    (f'{HEAD}loader l over d {{\n{"shuffle()" * 5_000}\n}}\n', "E115"),
    (f'{HEAD}loader l over d {{\n{"shard(ranks) " * 5_000}\n}}\n', "E115"),
    (f"{HEAD}{'}' * 10_000}", "E122"),
    (f"{HEAD}dataset {'x' * 100_000} {{", "E102"),
])  # fmt: skip
def test_what_is_nested_or_long_without_end_is_refused(text: str, code: str) -> None:
    assert codes(text) == {code}


def test_files_that_are_no_specs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.epoch").write_bytes(b"edition 1\n\xff\xfe\x00dataset")
    (tmp_path / "empty.epoch").write_bytes(b"")
    (tmp_path / "huge.epoch").write_bytes(b"#" * 1_000_001)
    (tmp_path / "folder.epoch").mkdir()
    locked = tmp_path / "locked.epoch"
    locked.write_text("edition 1\n")
    locked.chmod(0)

    assert codes(tmp_path / "bytes.epoch") == {"E120"}
    assert codes(tmp_path / "empty.epoch") == {"E105"}
    assert codes(tmp_path / "huge.epoch") == {"E121"}
    assert codes(tmp_path / "folder.epoch") == {"E119"}
    assert codes(tmp_path / "missing.epoch") == {"E119"}
    assert codes(Path("\0")) == {"E119"}
    if os.geteuid() != 0:
        assert codes(locked) == {"E119"}


def test_a_spec_without_claims_has_no_verdicts() -> None:
    assert words("edition 1\n") == []
    assert words(FREE) == []


def test_an_empty_dataset_is_judged() -> None:
    text = FREE.replace("in 1..", "in 0..0", 1)
    claims = "l.omitted == {}", "l.steps == 0", "l.multiplicity >= 7", "l.occurrences == 1"

    assert words(text + "".join(f'prove "it" : {each}\n' for each in claims)) == ["proved"] * 3 + ["refuted"]


def test_a_billion_ranks_are_never_listed() -> None:
    text = FREE.replace("ranks in 1..", "ranks = 1_000_000_000").replace("tail = drop", "tail = keep")
    claims = (
        "l.omitted == {}",
        "l.steps equal across ranks",
        "l.steps <= 1 given d.size <= 10",
        "l.occurrences == d.size",
    )

    assert words(text + "".join(f'prove "it" : {each}\n' for each in claims)) == ["proved"] * 3 + ["unknown"]


def test_four_thousand_ranks_are_compared_at_once() -> None:
    text = FREE.replace("ranks in 1..", "ranks = 4096")
    claims = "l.steps equal across ranks", "l.steps equal across ranks and l.steps >= 0"
    uneven = f'{text.replace("= pad", "= uneven")}prove "it" : {claims[0]}\n'

    assert words(text + "".join(f'prove "it" : {each}\n' for each in claims)) == ["proved", "proved"]
    assert words(uneven) == ["refuted"]


def test_a_billion_epochs_are_never_listed() -> None:
    text = FREE.replace("ranks in 1..", "ranks = 3 epochs = 1_000_000_000").replace("in 1..", "= 10", 1)
    still = text.replace("shuffle(seed = any)\n", "").replace("= pad", "= drop").replace("in 1..", "3")
    claims = "l.omitted == {}", "l.multiplicity <= 3", "l.distinct(rank) <= 4", "l.occurrences >= 5"
    runs = "l.occurrences(run) == 9_000_000_000", "l.steps(run) == 1_000_000_000", "l.omitted(run) == {9}"

    assert words(text + "".join(f'prove "it" : {each}\n' for each in claims)) == [
        "refuted",
        "proved",
        "proved",
        "refuted",
    ]
    assert words(still + "".join(f'prove "it" : {each}\n' for each in runs)) == ["proved"] * 3


def test_a_batch_of_a_quintillion_is_no_list() -> None:
    text = f"{HEAD}loader l over d {{\nranks in 1..\nshard(ranks)\nbatch({10**18}, tail = pad)\n}}\n"
    claims = "l.omitted == {}", "l.steps == 1 given d.size < 1_000_000"

    assert words(text + "".join(f'prove "it" : {each}\n' for each in claims)) == ["proved", "proved"]


def test_sixty_free_seeds_are_not_tried_in_all_combinations() -> None:
    loaders = "".join(
        f"loader l{at} over d {{\nranks = 2\nshuffle(seed = any)\nshard(ranks)\nbatch(2)\n}}\n"
        for at in range(60)
    )
    every = " and ".join(f"l{at}.omitted == {{}}" for at in range(60))
    claims = "l0.order equal l1.order", every

    assert words(HEAD + loaders + "".join(f'prove "it" : {each}\n' for each in claims)) == [
        "refuted",
        "proved",
    ]


@pytest.mark.slow
def test_three_hundred_claims_are_all_judged() -> None:
    claims = "".join(f'prove "{at}" : count(l.omitted) < l.ranks * l.batch + {at}\n' for at in range(300))

    assert words(FREE + claims) == ["proved"] * 300


def test_a_premise_without_a_rule_is_no_fault() -> None:
    text = FREE.replace("in 1..", "= 10", 1)

    assert words(f'{text}prove "it" : l.occurrences >= 0 given l.distinct(run, rank) == 1000\n') != ["proved"]


def test_stages_that_all_pad_are_judged() -> None:
    text = f"{HEAD}loader l over d {{\nranks in 1..\n{'shard(ranks) ' * 8}\n}}\n"

    assert words(f'{text}prove "it" : l.omitted == {{}}\n') == ["refuted"]


def test_ranges_that_begin_far_apart_are_not_listed() -> None:
    text = FREE.replace("ranks in 1..", "ranks in 1_000_000_000..")

    assert words(f'{text}prove "it" : count(l.omitted) < l.ranks * l.batch\n') == ["proved"]
