"""A provider trains, is interrupted and resumes, records and attests; a buyer elsewhere verifies."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from epochproof.cli.main import main

torch = pytest.importorskip("torch")

SPEC = """edition 1

dataset clips { manifest = "clips.csv", id = clip_id }

loader train over clips {
  ranks  = 2
  epochs = 2
  shuffle(seed = 3, reseed = epoch)
  shard(ranks, tail = pad)
  batch(2)
}

prove "an epoch reads every clip"     : train.omitted == {}
prove "it has fourteen occurrences"   : train.occurrences == 14
"""


def train(folder: Path) -> float:
    """Two epochs on two ranks, the first of which stops after a step and goes on; the loss at the end."""
    from epochproof.observe.record import record  # noqa: PLC0415 -- it loads torch

    data = torch.utils.data.TensorDataset(torch.arange(13.0).unsqueeze(1))
    model = torch.nn.Linear(1, 1)
    steps = torch.optim.SGD(model.parameters(), lr=1e-3)

    def learn(batches: Iterator[Any]) -> float:
        loss = torch.zeros(())
        for (values,) in batches:
            steps.zero_grad()
            loss = ((model(values) - 2 * values) ** 2).mean()
            loss.backward()
            steps.step()
        return float(loss.detach())

    last = 0.0
    for rank in range(2):
        sampler = torch.utils.data.DistributedSampler(data, 2, rank, shuffle=True, seed=3)
        for epoch, step, stop in ((0, 0, 1), (0, 1, None), (1, 0, None)):
            sampler.set_epoch(epoch)
            batches = list(torch.utils.data.BatchSampler(sampler, 2, drop_last=False))[step:stop]
            loader = torch.utils.data.DataLoader(data, batch_sampler=batches)
            with record(loader, folder, rank=rank, ranks=2, epoch=epoch, step=step, resume=True) as recorded:
                last = learn(iter(recorded))
    return last


def test_buyer_accepts_what_a_provider_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    provider, buyer = tmp_path / "provider", tmp_path / "buyer"
    provider.mkdir()
    buyer.mkdir()
    monkeypatch.chdir(provider)
    Path("train.epoch").write_text(SPEC)
    Path("clips.csv").write_text("clip_id\n" + "".join(f"clip_{each}\n" for each in range(13)))
    train(provider / "trace")
    assert main(["key", "new", "--out", "acme.pem"]) == 0
    call = ["attest", "train.epoch", "--key", "acme.pem", "--out", "offer.json", "--trace", "trace"]
    assert main(call) == 0
    capsys.readouterr()
    assert main(["key", "show", "acme.pem", "--commitment"]) == 0
    secret = capsys.readouterr().out
    for each in ("offer.json", "train.epoch", "clips.csv", "acme.pub.pem"):
        shutil.copy(each, buyer)

    monkeypatch.chdir(buyer)
    verify = ["verify", "offer.json", "--key", "acme.pub.pem", "--spec", "train.epoch"]
    assert main(verify) == 0
    said = capsys.readouterr().out
    assert "the trace of `train` reads each record of `clips`" in said
    assert "the trace of `train` is in the order of its schedule" in said and said.endswith("V3: accepted\n")

    Path("secret").write_text(secret)
    audit = [*verify, "--trace", str(provider / "trace"), "--commitment-key", "secret"]
    assert main(audit) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("V5")
    (one,) = (provider / "trace" / "rank=00001").glob("segment=00001/part-00000.*")
    one.write_bytes(one.read_bytes()[:-1])
    assert main(audit) == 4
    assert "`trace/` is not the folder that was signed" in capsys.readouterr().out
