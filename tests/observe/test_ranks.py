"""Real ranks read what the model says, and a rank that ends early is told instead of waited for."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import epochproof
from epochproof.cli.main import main
from epochproof.observe import group
from epochproof.observe.group import Rank, taken_part, together
from epochproof.observe.real import Read
from epochproof.observe.run import run
from epochproof.prove.session import opened
from epochproof.report._run import EndsEarly, RunReport
from tests.observe.bench import spec

ROOT = Path(__file__).resolve().parents[2]
UNEVEN = spec("shard(ranks, tail = uneven); batch(2)", settings="ranks = 2", size="= 13")
EVEN = spec("shuffle(seed = any); shard(ranks); batch(2); fetch(2)", settings="ranks in 2..3\n  epochs = 2")


@pytest.fixture(autouse=True)
def no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)


def steps(*lengths: int) -> Callable[[], Callable[[int], Read]]:
    """Opens a loader whose rank r has `lengths[r]` steps of one record each."""

    def opening() -> Callable[[int], Read]:
        mine = lengths[torch.distributed.get_rank()]
        return lambda _: Read(tuple((at,) for at in range(mine)), mine)

    return opening


def ran(text: str) -> RunReport:
    session = opened(epochproof.load(text))
    return run(session, session.checked(), processes=True)


@pytest.mark.parametrize("lengths", [(3, 3), (3, 2), (2, 3), (4, 2, 3), (1, 0), (0, 0)])
def test_ranks_go_together_as_far_as_the_shortest(lengths: tuple[int, ...]) -> None:
    start = time.monotonic()

    (ranks,) = together(torch, len(lengths), steps(*lengths), (0,))

    assert [each.together for each in ranks] == [min(lengths)] * len(lengths)
    assert [each.read.steps for each in ranks] == list(lengths)
    assert [each.failed for each in ranks] == [""] * len(lengths)
    assert time.monotonic() - start < 20


def test_rank_that_stays_but_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "PATIENCE", 0.5)
    inner = group.read_together

    def lingering(*arguments: Any) -> Rank:
        did = inner(*arguments)
        time.sleep(3 if did.rank == 1 else 0)
        return did

    monkeypatch.setattr(group, "read_together", lingering)

    (ranks,) = together(torch, 2, steps(3, 1), (0,))

    assert [each.together for each in ranks] == [1, 1]


def test_error_of_a_rank_is_told() -> None:
    def opening() -> Callable[[int], Read]:
        raise ValueError("no such file")

    (ranks,) = together(torch, 2, opening, (0,))

    assert [each.failed for each in ranks] == ["ValueError: no such file"] * 2


def test_even_ranks_agree() -> None:
    (found,) = ran(EVEN).loaders

    assert (found.difference, found.ends_early) == (None, None)
    assert found.in_group >= 3


def test_rank_that_ends_early_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = ran(UNEVEN).loaders
    assert found.ends_early == EndsEarly({}, 0, 3, (1,))

    path = tmp_path / "uneven.epoch"
    path.write_text(UNEVEN)
    code = main(["run", "--processes", str(path)])

    assert code == 0
    assert "rank 1 has no step 3, and the others would wait for it (epoch 0)" in capsys.readouterr().out


def test_streams_run_on_real_ranks() -> None:
    text = spec(
        "shard(ranks * workers); batch(2, tail = drop)",
        settings="style = iterable\n  ranks = 2\n  workers = 3",
        size="= 11",
    )
    (found,) = ran(text).loaders

    assert (found.difference, found.in_group) == (None, 1)
    assert found.ends_early == EndsEarly({}, 0, 2, (1,))


def test_planted_fault_is_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    from epochproof.observe import ranks  # noqa: PLC0415 -- only here

    def shifted(*_: Any) -> Any:
        return steps(7, 7)

    monkeypatch.setattr(ranks, "opened", shifted)

    report = ran(UNEVEN)

    (found,) = (each.difference for each in report.loaders)
    assert report.exit_code == 4
    assert found is not None and found.real == "ranks in a gloo group"


@pytest.mark.parametrize(("text", "said"), [(UNEVEN, "rank 1 has no step 3"), (EVEN, "on real ranks")])
def test_under_torchrun_rank_0_reports(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.epoch").write_text(text)
    call = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "0"]

    done = subprocess.run(
        [
            *call,
            "--rdzv-backend",
            "c10d",
            "--rdzv-endpoint",
            "localhost:0",
            "-m",
            "epochproof",
            "run",
            "--processes",
            "a.epoch",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stdout.count("run by torch")) == (0, 1), done.stderr
    assert said in done.stdout


def test_launcher_is_known_by_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert taken_part() is None
    monkeypatch.setenv("RANK", "1")
    assert taken_part() is None
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert taken_part() == (1, 4)
