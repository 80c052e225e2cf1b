"""LLaMA-Factory: its YAML, which has the arguments of transformers' Trainer beside its own."""

from __future__ import annotations

from dataclasses import replace

from epochproof.draft._draft import Draft, Files, dataset, traps
from epochproof.draft._file import File
from epochproof.draft._trainer import arguments, claims, evaluation, hazards, told, train

TITLE = "LLaMA-Factory (llamafactory 0.9.5, transformers 5.24)"
SIGNS = "`stage` or `finetuning_type` with `dataset` or `template`"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    own = file.has("stage") or file.has("finetuning_type")
    return 4 * int(own and (file.has("dataset") or file.has("template")))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the evaluation if there is one."""
    t = files.main
    given = arguments(files)
    if t.value("disable_shuffling") is True:
        given = replace(given, shuffles=False)
    evaluated = t.value("eval_strategy") not in (None, False, "no")
    less = f", less val_size ({t.place('val_size')})" if t.sets("val_size") else ""
    datasets = [dataset("records", f"the rows of every `dataset`{less}")]
    datasets += [dataset("held_out", "how many rows the evaluation has")] if evaluated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(train(given), *([evaluation(given)] if evaluated else [])),
        claims=(*claims(files, "train"), *told(files, given), *(claims(files, "eval") if evaluated else [])),
        traps=(*_traps(t), *hazards(files)),
    )


def _traps(t: File) -> tuple[str, ...]:
    streams = t.value("streaming") is True
    mixed = t.value("mix_strategy")
    known = [
        (streams, "streaming", "has one process read for all, through a buffer: here that is any order"),
        (streams and t.sets("val_size"), "val_size", _STREAMED),
        (
            mixed == "interleave_under",
            "mix_strategy",
            "ends with the first dataset, and does not read the others",
        ),
        (mixed == "interleave_over", "mix_strategy", "repeats datasets until the largest one ends"),
        (t.sets("max_samples"), "max_samples", "cuts each dataset to its first rows"),
        (
            t.sets("tokenized_path"),
            "tokenized_path",
            "has the other keys of the data ignored where it exists",
        ),
    ]
    return traps(t, known)


_STREAMED = (
    "with streaming takes and skips behind a shuffle that each pass seeds anew: from the second pass on,"
    " held-out rows are trained on"
)
