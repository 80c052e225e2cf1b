"""Trains a tiny model on two ranks, on the CPU, and records what each of them reads.

`--die-after 4` kills both ranks, as a machine that goes away does, once four steps are done.
Started again, the job goes on from its checkpoint.
"""

import argparse
import csv
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import torch
import yaml
from torch import distributed
from torch.nn import Linear, Module
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.optim import SGD, Optimizer
from torch.utils.data import Dataset, DistributedSampler
from torchdata.stateful_dataloader import StatefulDataLoader

from epochproof import record

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--die-after", type=int, metavar="STEPS")
OPTIONS = parser.parse_args()
CONFIG = yaml.safe_load(Path("train.yaml").read_text())
CHECKPOINT = Path("checkpoint.pt")


class Clips(Dataset):
    """One part of the manifest; what a clip shows is made up from its name."""

    def __init__(self, part: str):
        with Path("clips.csv").open(newline="") as file:
            self.rows = [row for row in csv.DictReader(file) if row["part"] == part]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at: int):
        row = self.rows[at]
        letters = torch.tensor([ord(each) / 128 for each in row["clip_id"][:8].ljust(8)])
        return {"clip_id": row["clip_id"], "shown": letters, "label": int(row["label"])}


def train(rank: int, ranks: int, meeting: str, model: Module, optimizer: Optimizer) -> None:
    """Trains one rank, from the checkpoint if there is one."""
    distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=ranks)
    parallel = DistributedDataParallel(model)
    data = Clips("train")
    sampler = DistributedSampler(data, seed=CONFIG["seed"])
    loader = StatefulDataLoader(data, CONFIG["batch_size"], sampler=sampler)

    start, done = 0, 0
    if CHECKPOINT.exists():
        saved = torch.load(CHECKPOINT)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])
        start, done = saved["epoch"], saved["done"]

    with record(loader, "trace", field="clip_id", epoch=start, resume=True) as batches:
        for epoch in range(start, CONFIG["epochs"]):
            sampler.set_epoch(epoch)
            for batch in batches:
                loss = cross_entropy(parallel(batch["shown"]), batch["label"])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                done += 1
                if rank == 0:
                    save(model, optimizer, loader, epoch, done)
                if done == OPTIONS.die_after:
                    distributed.barrier()
                    time.sleep(1)  # both are here
                    os.kill(os.getpid(), signal.SIGKILL)
    if rank == 0:
        print(f"{done} steps done, loss {loss.item():.2f}")
        evaluate(model)
    distributed.destroy_process_group()


def save(model: Module, optimizer: Optimizer, loader: StatefulDataLoader, epoch: int, done: int) -> None:
    """Writes the checkpoint: all of it, or none of it."""
    states = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "loader": loader.state_dict()}
    torch.save({**states, "epoch": epoch, "done": done}, "checkpoint.new")
    Path("checkpoint.new").replace(CHECKPOINT)


def evaluate(model: Module) -> None:
    """Evaluates on one rank, and records that, too."""
    loader = StatefulDataLoader(Clips("val"), CONFIG["batch_size"])
    with record(loader, "evaluation", field="clip_id", rank=0, ranks=1) as batches, torch.no_grad():
        right = sum((model(each["shown"]).argmax(1) == each["label"]).sum().item() for each in batches)
    print(f"{right} of {len(loader.dataset)} clips right")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(CONFIG["seed"])
    model = Linear(8, 3)
    optimizer = SGD(model.parameters(), CONFIG["lr"])
    ranks = CONFIG["devices"]
    with tempfile.TemporaryDirectory() as folder:
        given = (ranks, f"{folder}/meeting", model, optimizer)
        job = torch.multiprocessing.start_processes(train, given, ranks, join=False, start_method="fork")
        for each in job.processes:
            each.join()
    if dead := [each for each in job.processes if each.exitcode]:
        sys.exit(f"{len(dead)} ranks died")
