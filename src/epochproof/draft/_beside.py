"""Files that stand beside the config of a training: what starts its ranks, and what is told apart from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from epochproof.draft._file import File


@dataclass(frozen=True)
class Kind:
    """A kind of file: how it is known, and what a spec binds it to."""

    title: str
    signs: str
    name: str
    recognises: Callable[[File], bool]


KINDS: Mapping[str, Kind] = {
    "accelerate": Kind(
        "accelerate",
        "`distributed_type` or `num_machines`",
        "a",
        lambda file: file.has("distributed_type") or file.has("num_machines"),
    ),
    "deepspeed": Kind(
        "DeepSpeed",
        "`zero_optimization` or `train_micro_batch_size_per_gpu`",
        "d",
        lambda file: file.has("zero_optimization") or file.has("train_micro_batch_size_per_gpu"),
    ),
    "launch": Kind(
        "a launch script, PyTorchJob or TrainJob",
        "`#!` in its first line, or the `kind` of the job",
        "l",
        lambda file: file.reader == "launch",
    ),
    "data": Kind(
        "the data of Ultralytics",
        "`train` and `val`, with `names` or `nc`",
        "y",
        lambda file: file.has("train") and file.has("val") and (file.has("names") or file.has("nc")),
    ),
}
