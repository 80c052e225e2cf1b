"""Configs of Hydra are composed as Hydra composes them; what is not followed makes all of it unreadable."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from epochproof.cli._reading import reading
from tests.config.files import refused, spec, words

TRAIN = """defaults:
  - _self_
  - data: small
  - trainer: default
  - hydra: colours
  - optional local: default
  - experiment: null

seed: null
world: ${trainer.devices}
log_dir: ${hydra:runtime.output_dir}
user: ${oc.env:RANKS}
"""
FILES = {
    "train.yaml": TRAIN,
    "data/small.yaml": "batch_size: 8\nworkers: 0\nroot: ${paths.none}\n",
    "data/large.yaml": "defaults: [small]\nbatch_size: 64\n",
    "data/late.yaml": "defaults: [_self_, small]\nbatch_size: 64\n",
    "trainer/default.yaml": "devices: 1\nnum_nodes: 1\n",
    "trainer/ddp.yaml": "defaults:\n  - default\n  - strategy: plain\ndevices: 4\n",
    "trainer/strategy/plain.yaml": "name: ddp\n",
    "trainer/strategy/pinned.yaml": "# a note\n# @package pinned.below\nname: pin\n",
    "experiment/big.yaml": (
        "# @package _global_\n\ndefaults:\n  - override /data: large\n  - override /trainer: ddp\n"
        "seed: 7\ndata: {workers: 3}\n"
    ),
}


def verdict(folder: Path, formula: str, given: str = "", **changed: str) -> str:
    """The verdict of a formula about the composed `t`; files change by their names, `__` for a slash."""
    files = FILES | {f"{name.replace('__', '/')}.yaml": text for name, text in changed.items()}
    for name, text in files.items():
        path = folder / "configs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    behind = f", {given}" if given else ""
    text = f'bind t = hydra("configs/train.yaml"{behind})\nprove "it" : {formula}\n'
    return words(spec(folder, text))["it"]


@pytest.mark.parametrize(
    ("formula", "given"),
    [
        ("t.data.batch_size == 8 and t.trainer.devices == 1 and t.world == 1", ""),
        ("t.seed ?? 5 == 5", ""),
        ("t.trainer.devices == 4 and t.trainer.num_nodes == 1 and t.world == 4", "trainer = ddp"),
        ('t.trainer.strategy.name == "ddp"', 'trainer = "ddp"'),
        ("t.data.batch_size == 64 and t.data.workers == 0", "data = large"),
        ("t.data.batch_size == 8", "data = late"),
        ("t.data.batch_size == 64 and t.data.workers == 3 and t.seed == 7", "experiment = big"),
        ("t.trainer.devices == 4 and t.data.batch_size == 8", "experiment = big, data = small"),
        ("t.trainer.devices == 2 and t.world == 2", "trainer = ddp, trainer.devices = 2"),
        ("t.seed == 3", "seed = 3"),
        ("t.user == 6", "env.RANKS = 6"),
        ("t.data.batch_size ?? 1 == 1", "data = null"),
    ],
)
def test_composition_is_that_of_hydra(formula: str, given: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, formula, given) == "proved"


@pytest.mark.parametrize(
    ("formula", "changed"),
    [
        ("t.batch == 3", {"train": "defaults: [base]\nbatch: 3\n", "base": "batch: 1\n"}),
        ("t.batch == 1", {"train": "defaults: [base, _self_]\nbatch: 1\n", "base": "batch: 3\n"}),
        ("t.batch == 3", {"train": "defaults: [_self_, base]\nbatch: 1\n", "base": "batch: 3\n"}),
        (
            "t.a.x == 1 and t.a.y == 2",
            {"train": "defaults: [a: [one, two]]\n", "a__one": "x: 1", "a__two": "y: 2"},
        ),
        ("t.a.b.x == 1", {"train": "defaults: [a/b: one]\n", "a__b__one": "x: 1\n"}),
        (
            "t.a.b.x == 1",
            {"train": "defaults: [a: one]\n", "a__one": "defaults: [b: one]\n", "a__b__one": "x: 1\n"},
        ),
        (
            "t.a.b.x == 1",
            {"train": "defaults: [a: one]\n", "a__one": "defaults: [/b: one]\n", "b__one": "x: 1\n"},
        ),
        (
            't.pinned.below.name == "pin"',
            {"trainer__ddp": "defaults: [strategy: pinned]\n", "train": "defaults: [trainer: ddp]"},
        ),
        ("t.a == 2", {"train": "defaults: [base, _self_]\na: 2\n", "base": "a: {x: 1}\n"}),
        ("t.local.x == 1", {"local__default": "x: 1\n"}),
        ("t.batch == 3", {"train": "batch: 3\n"}),
    ],
)
def test_order_and_packages(formula: str, changed: dict[str, str], tmp_path: Path) -> None:
    assert verdict(tmp_path, formula, **changed) == "proved"


@pytest.mark.parametrize(
    "entry",
    [
        "trainer: ???",
        "trainer@other: ddp",
        "trainer: ${data}",
        "{a: b, c: d}",
        "[a]",
        "3",
        "trainer: 3",
        "x@y",
    ],
)
def test_entry_that_is_not_followed_leaves_all_unreadable(entry: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, "t.seed == 1", train=f"defaults:\n  - {entry}\nseed: 1\n") == "unknown"


@pytest.mark.parametrize(
    "train",
    ["defaults: a\nseed: 1\n", "defaults: [data: loop]\nseed: 1\n", "defaults: [data: named]\nseed: 1\n"],
)
def test_list_that_is_not_followed_leaves_all_unreadable(train: str, tmp_path: Path) -> None:
    files = {"data__loop": "defaults: [loop]\n", "data__named": "# @package _group_\nx: 1\n"}

    assert verdict(tmp_path, "t.seed == 1", train=train, **files) == "unknown"


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ("trainer = none", "E701", "`configs/trainer/none.yaml` is not there"),
        ("trainr = ddp", "E710", "`trainr` is neither a group of the defaults list nor a key"),
        ("data.batch = 3", "E710", "`data.batch` is neither a group of the defaults list nor a key"),
        ("seed = 1, seed = 2", "E710", "`seed` is given twice"),
        ("env.RANK = 3", "E710", "`configs/train.yaml` names no `RANK`"),
    ],
)
def test_what_names_nothing_is_refused(given: str, code: str, message: str, tmp_path: Path) -> None:
    verdict(tmp_path, "1 == 1")
    path = spec(tmp_path, f'bind t = hydra("configs/train.yaml", {given})\nprove "it" : t.seed ?? 1 == 1\n')

    assert [each[:2] for each in refused(path)] == [(code, message)]


def test_verdict_rests_on_the_composition(tmp_path: Path) -> None:
    verdict(tmp_path, "1 == 1")
    path = spec(
        tmp_path,
        'bind t = hydra("configs/train.yaml", trainer = ddp)\nprove "it" : t.trainer.devices == 4\n',
    )

    (claim,) = epochproof.check(path).claims

    assert [str(each) for each in claim.uses] == ["t.trainer.devices = 4 (configs/trainer/ddp.yaml:4:10)"]
    assert claim.assumptions[-2:] == (
        "the job runs with what `configs/trainer/ddp.yaml` says",
        "the job composes `configs/train.yaml` with the `trainer` that the spec gives",
    )


def test_verdicts_rest_on_every_file_that_is_composed_or_looked_for(tmp_path: Path) -> None:
    verdict(tmp_path, "t.trainer.devices == 1")
    found = reading(str(tmp_path / "train.epoch"))
    looked_for = tmp_path / "configs" / "local" / "default.yaml"

    assert found.complete and found.files[str(looked_for)] is None
    assert {Path(each).relative_to(tmp_path / "configs").as_posix() for each in found.files} == {
        "train.yaml",
        "data/small.yaml",
        "trainer/default.yaml",
        "local/default.yaml",
    }
