"""A launch script or a job alone: torch's DistributedSampler and DataLoader, of which it says the ranks."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, dataset, loader, padded, setting
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, needs
from epochproof.draft._world import world

TITLE = "a script with torch's DistributedSampler and DataLoader (torch 2.13)"
SIGNS = "a launch script, PyTorchJob or TrainJob alone"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return int(file.reader == "launch")


def draft(files: Files) -> Draft:
    """The loader of the training."""
    batch = needs("the batch of one rank, and whether the loader drops its last one", "1..1024")
    workers = needs("how many workers each rank has", "0..64")
    settings = [setting("ranks", world(files)), setting("workers", workers)]
    stages = [
        Line("shuffle(seed = 0)", needs("whether the sampler shuffles, and with which seed").mark),
        Line("shard(ranks, tail = pad)", needs("whether DistributedSampler deals, which pads").mark),
        Line(f"batch({batch.first})", batch.mark),
        Line("fetch(workers)", EXACT),
    ]
    return Draft(
        datasets=(dataset("records", "how many records the training has"),),
        loaders=(loader("train", "records", settings, stages),),
        claims=tuple(padded("train")),
        traps=(
            "the options of the script itself are not read: bind its config, or write what it says here",
            "without set_epoch every epoch has the order of epoch 0: `shuffle(seed = 0, reseed = never)`",
        ),
    )
