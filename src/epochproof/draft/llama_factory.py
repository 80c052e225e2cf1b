"""LLaMA-Factory: its YAML, which has the arguments of transformers' Trainer beside its own."""

from __future__ import annotations

from dataclasses import replace

from epochproof.draft._draft import Draft, Files, dataset
from epochproof.draft._file import File
from epochproof.draft._trainer import arguments, claims, evaluation, told, train, traps

TITLE = "LLaMA-Factory (llamafactory 0.9.5, transformers 5.24)"
SIGNS = "`stage` or `finetuning_type` with `dataset` or `template`"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    own = file.has("stage") or file.has("finetuning_type")
    return 3 * int(own and (file.has("dataset") or file.has("template")))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the evaluation if there is one."""
    t = files.main
    given = arguments(files)
    if t.value("disable_shuffling") is True:
        given = replace(given, shuffles=False)
    evaluated = t.value("eval_strategy") not in (None, False, "no")
    less = f", less those of val_size ({t.place('val_size')})" if t.sets("val_size") else ""
    datasets = [dataset("records", f"rows of every `dataset` together{less}")]
    datasets += [dataset("held_out", "how many rows the evaluation has")] if evaluated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(train(given), *([evaluation(given)] if evaluated else [])),
        claims=(*claims(files, "train"), *told(files, given), *(claims(files, "eval") if evaluated else [])),
        traps=(*_traps(t), *traps(files)),
    )


def _traps(t: File) -> list[str]:
    streams = t.value("streaming") is True
    mixed = str(t.value("mix_strategy") or "concat")
    found = [
        (
            streams,
            f"streaming ({t.place('streaming')}): one process reads and deals whole batches, and the order comes from a"
            " buffer; counts of this draft do not hold for it",
        ),
        (
            streams and t.sets("val_size"),
            f"val_size ({t.place('val_size')}) with streaming takes and skips behind a shuffle that every pass seeds"
            " anew: from the second pass on, held-out rows are trained on",
        ),
        (
            mixed == "interleave_under",
            f"mix_strategy ({t.place('mix_strategy')}) ends with the first dataset that is exhausted: the others"
            " are not read to the end",
        ),
        (
            mixed == "interleave_over",
            f"mix_strategy ({t.place('mix_strategy')}) repeats the small datasets until the largest is exhausted",
        ),
        (
            t.sets("max_samples"),
            f"max_samples ({t.place('max_samples')}) cuts each dataset to its first rows",
        ),
        (
            t.sets("tokenized_path"),
            f"tokenized_path ({t.place('tokenized_path')}): where it exists, all other keys of the data are ignored",
        ),
        (
            not t.sets("dataset") and not t.sets("tokenized_path"),
            "no `dataset` is named",
        ),
    ]
    return [text for applies, text in found if applies]
