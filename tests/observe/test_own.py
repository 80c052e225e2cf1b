"""The user's own loader is compared occurrence by occurrence, and its faults are diagnostics."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from epochproof.cli.main import main
from epochproof.diagnostics import SpecError
from epochproof.observe.own import Own

SPEC = """edition 1
dataset d { size = 20 }
loader train over d {
  ranks in 1..3
  epochs in 1..
  shuffle(seed = 3)
  shard(ranks)
  batch(4)
}
"""
MODULE = """
import torch
from torch.utils.data import DataLoader, DistributedSampler

def sampler(rank, world_size, epoch):
    found = DistributedSampler(range(20), world_size, rank, shuffle=True, seed=3)
    found.set_epoch(epoch)
    return found

def loader(rank, world_size, epoch):
    batches = DataLoader(range(20), batch_size=4, sampler=sampler(rank, world_size, epoch))
    return ({"index": each, "image": torch.zeros(len(each))} for each in batches)

def forgets_the_epoch(rank, world_size, epoch):
    return DataLoader(range(20), batch_size=4, sampler=sampler(rank, world_size, 0))

def drops(rank, world_size, epoch):
    return DataLoader(range(20), batch_size=4, sampler=sampler(rank, world_size, epoch), drop_last=True)

def endless(rank, world_size, epoch):
    while True:
        yield [0, 1, 2, 3]

def fails(rank, world_size, epoch):
    yield [0]
    raise KeyError("image_7")

def leaves(rank, world_size, epoch):
    raise SystemExit(3)

def nothing(rank, world_size, epoch):
    return None

def positional(rank, size):
    return []

text = "not a function"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with the spec and a module of its own name, which is given."""
    name = f"own_{abs(hash(tmp_path))}"
    (tmp_path / "a.epoch").write_text(SPEC)
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_loader_that_agrees(here: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", "--loader", f"{here}:loader", "--field", "index", "a.epoch"])

    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"a.epoch, read by {here}:loader"
    assert "the model and your loader agree on 122 occurrences" in out


@pytest.mark.parametrize(
    ("function", "first"),
    [
        ("forgets_the_epoch", "epoch 1, rank 0, step 0, slot 0"),
        ("drops", "epoch 0, rank 0, step 2, slot 0"),
        ("endless", "epoch 0, rank 0, step 0, slot 0"),
    ],
)
def test_loader_that_differs_is_drift(
    here: str, function: str, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["run", "--loader", f"{here}:{function}", "a.epoch"])

    out, _ = capsys.readouterr()
    assert code == 4
    assert f"{here}:{function}, {first}" in out
    assert "your loader says" in out


def test_json_names_the_loader(here: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", "--format", "json", "--loader", f"{here}:forgets_the_epoch", "a.epoch"])

    document: Any = json.loads(capsys.readouterr().out)
    assert (code, document["own_loader"], document["drift"]) == (4, f"{here}:forgets_the_epoch", True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--loader", "nowhere_at_all:f"], "E402", "there is no module `nowhere_at_all`"),
        (["--loader", "HERE"], "E402", "is not `module:function`"),
        (["--loader", "HERE:loder"], "E402", "did you mean `loader`"),
        (["--loader", "HERE:text"], "E402", "cannot be called"),
        (["--loader", "HERE:fails"], "E403", "step 1: KeyError: 'image_7', raised in HERE.py:26"),
        (["--loader", "HERE:leaves"], "E403", "SystemExit: 3"),
        (["--loader", "HERE:nothing"], "E403", "'NoneType' object is not iterable"),
        (["--loader", "HERE:positional"], "E403", "unexpected keyword argument"),
        (["--loader", "HERE:loader"], "E404", "`--field NAME` says where"),
        (["--loader", "HERE:loader", "--field", "indx"], "E404", "did you mean `index`"),
        (["--loader", "HERE:loader", "--of", "trian"], "E405", "did you mean `train`"),
    ],
)
def test_faults_are_diagnostics(
    here: str, arguments: list[str], code: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = main(["run", *(each.replace("HERE", here) for each in arguments), "a.epoch"])

    out, err = capsys.readouterr()
    assert (ended, out) == (2, "")
    assert err.startswith(f"error[{code}]") and said.replace("HERE", here) in err
    assert "Traceback" not in err


def test_module_that_fails_is_told(here: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(f"{here}_bad.py").write_text("import os\n1 / 0\n")

    code = main(["run", "--loader", f"{here}_bad:loader", "a.epoch"])

    err = capsys.readouterr().err
    assert code == 2
    assert (
        f"failed when it was imported: ZeroDivisionError: division by zero, raised in {here}_bad.py:2" in err
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SPEC.replace("batch(4)", "batch(in 1..)"), "`train.batch` is free"),
        (SPEC.replace("seed = 3", "seed = any"), "`train.seed` is free"),
        (
            SPEC + SPEC.partition("\n")[2].replace("train", "other").replace("dataset d { size = 20 }", ""),
            "2 loaders",
        ),
    ],
)
def test_spec_has_to_say_which_schedule(
    here: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.epoch").write_text(text)

    code = main(["run", "--loader", f"{here}:loader", "--field", "index", "a.epoch"])

    err = capsys.readouterr().err
    assert code == 2
    assert err.startswith("error[E405]") and said in err


@pytest.mark.parametrize(
    "batch",
    [
        [4, 7],
        (4, 7),
        torch.tensor([4, 7]),
        np.array([4, 7]),
        [torch.tensor(4), torch.tensor(7)],
        [np.int64(4), np.int64(7)],
        torch.tensor([[4], [7]]),
        iter([4, 7]),
    ],
    ids=range(8),
)
def test_record_ids_are_taken_from_what_people_have(batch: Any) -> None:
    assert Own("m:f", lambda **_: [batch], None).read(0, 1, 0, 9).groups == ((4, 7),)


def test_single_record_and_attribute() -> None:
    assert Own("m:f", lambda **_: [5, torch.tensor(6)], None).read(0, 1, 0, 9).groups == ((5,), (6,))
    batch = SimpleNamespace(ids=[1, 2])
    assert Own("m:f", lambda **_: [batch], "ids").read(0, 1, 0, 9).groups == ((1, 2),)


@pytest.mark.parametrize(
    "batch", [[0.5], None, "12", [True], torch.tensor([0.5]), {"a": [1]}, object()], ids=range(7)
)
def test_what_holds_no_ids_is_refused(batch: Any) -> None:
    with pytest.raises(SpecError, match="E404"):
        Own("m:f", lambda **_: [batch], None).read(0, 1, 0, 9)
