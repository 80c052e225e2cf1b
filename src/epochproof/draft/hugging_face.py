"""Hugging Face Trainer: TrainingArguments in YAML or JSON, with accelerate's and DeepSpeed's files."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, dataset
from epochproof.draft._file import File
from epochproof.draft._trainer import arguments, claims, evaluation, hazards, told, train

TITLE = "Hugging Face Trainer (transformers 5.24)"
SIGNS = "a key such as `per_device_train_batch_size` or `num_train_epochs`"

_SIGNS = ("per_device_train_batch_size", "num_train_epochs", "per_device_eval_batch_size")


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 3 * int(any(map(file.has, _SIGNS)))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the evaluation if there is one."""
    given = arguments(files)
    evaluated = files.main.value("eval_strategy") not in (None, False, "no")
    datasets = [dataset("records", "the records of the training")]
    datasets += [dataset("held_out", "those of the evaluation")] if evaluated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(train(given), *([evaluation(given)] if evaluated else [])),
        claims=(
            *claims(files, "train"),
            *told(files, given),
            *(claims(files, "eval") if evaluated else []),
        ),
        traps=hazards(files),
    )
