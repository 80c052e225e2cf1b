"""axolotl: its YAML, which ends in transformers' Trainer."""

from __future__ import annotations

from dataclasses import replace

from epochproof.draft._draft import Draft, Files, dataset
from epochproof.draft._file import File
from epochproof.draft._term import Line, Term, number
from epochproof.draft._trainer import Arguments, arguments, claims, epochs, evaluation, told, train, traps
from epochproof.draft._world import data_parallel

TITLE = "axolotl (axolotl 0.19, transformers 5.24)"
SIGNS = "`base_model` with `micro_batch_size` or `datasets`"

_OF = "axolotl 0.19"
_ROWS = "rows of all `datasets` together, without those that are too long"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 3 * int(file.has("base_model") and (file.has("micro_batch_size") or file.has("datasets")))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the evaluation if there is one."""
    t = files.main
    given = _arguments(files)
    held_out = t.value("val_set_size") not in (None, 0)
    evaluated = held_out or t.sets("test_datasets")
    less = f" and less the validation, val_set_size ({t.place('val_set_size')})" if held_out else ""
    datasets = [dataset("records", _ROWS + less)]
    datasets += [dataset("held_out", "how many of them the validation has")] if evaluated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(train(given), *([evaluation(given)] if evaluated else [])),
        claims=(
            *claims(files, "train"),
            *told(files, given),
            *(claims(files, "eval") if evaluated else []),
            *_truncated(given),
        ),
        traps=(*_traps(t), *traps(files)),
    )


def _arguments(files: Files) -> Arguments:
    t = files.main
    micro = number(t, "micro_batch_size", 1, _OF)
    evaluated = number(t, "eval_batch_size", 1, _OF)
    if not t.sets("eval_batch_size") and not micro.free:
        evaluated = Term(f"t.eval_batch_size ?? {micro.text}", evaluated.mark)
    found = arguments(files, _OF)
    others = ("context_parallel_size", "tensor_parallel_size")
    return replace(
        found,
        ranks=data_parallel(found.ranks, [number(t, key, 1, _OF) for key in others if t.sets(key)]),
        batch=micro,
        evaluated=evaluated,
        epochs=None if (t.whole("max_steps") or 0) > 0 else epochs(t, "num_epochs", 1, _OF),
    )


def _truncated(given: Arguments) -> list[Line]:
    """That the limit which axolotl always passes is no less than what the epochs take."""
    if given.epochs is None:
        return []
    limit = "ceil(records.size * train.epochs / (train.ranks * train.batch * train.accumulate))"
    text = f'prove "train: max_steps does not cut the last epoch" : {limit} >= train.epochs * train.steps'
    return [Line(f"# {text}")]


def _traps(t: File) -> list[str]:
    found = [
        (
            not t.sets("max_steps"),
            "axolotl always passes max_steps, ceil(rows * epochs / (batch * accumulate * ranks)), and the last epoch"
            " may be cut: uncomment the claim when you have given sizes and ranks",
        ),
        (
            not t.sets("seed"),
            "without `seed` the merged datasets are shuffled by NumPy's own state: the validation differs from run"
            " to run",
        ),
        (
            t.value("shuffle_merged_datasets") is False or t.value("curriculum_sampling") is True,
            "unshuffled, the validation is the tail of the last dataset",
        ),
        (
            t.value("sample_packing") is True,
            f"sample_packing ({t.place('sample_packing')}): the records are packed sequences, how many depends on the"
            " data, and the last batch is dropped in training",
        ),
    ]
    return [text for applies, text in found if applies]
