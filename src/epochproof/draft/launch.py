"""A launch script or a job alone: torch's DistributedSampler and DataLoader, of which it says the ranks."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, dataset, loader, padded, setting
from epochproof.draft._file import File
from epochproof.draft._term import Term, asked, needs, use
from epochproof.draft._world import world

TITLE = "a script with torch's DistributedSampler and DataLoader (torch 2.13)"
SIGNS = "a launch script, PyTorchJob or TrainJob alone"

_SAMPLER = {"shuffle": "true", "seed": "0", "drop_last": "false"}


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return int(file.reader == "launch")


def draft(files: Files) -> Draft:
    """The loader of the training."""
    batch = needs("the batch of one rank", "1..1024")
    workers = needs("how many workers each rank has", "0..64")
    settings = [setting("ranks", world(files)), setting("workers", workers)]
    said = "what the script says"
    stages = [
        use("torch.DistributedSampler", **{name: asked(Term(each), said) for name, each in _SAMPLER.items()}),
        use("torch.DataLoader", batch_size=batch, drop_last=asked(Term("false"), said)),
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
