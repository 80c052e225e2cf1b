"""axolotl: its YAML, which ends in transformers' Trainer."""

from __future__ import annotations

from dataclasses import replace

from epochproof.draft._draft import Draft, Files, cut, dataset, traps
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, default, number
from epochproof.draft._trainer import Arguments, arguments, claims, epochs, evaluation, hazards, told, train
from epochproof.draft._world import data_parallel

TITLE = "axolotl (axolotl 0.19, transformers 5.24)"
SIGNS = "`base_model` or `num_epochs` with `micro_batch_size` or `datasets`"

_OF = "axolotl 0.19"
_ROWS = "the rows of all `datasets`"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    own = file.has("base_model") or file.has("num_epochs")
    return 4 * int(own and (file.has("micro_batch_size") or file.has("datasets")))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the evaluation if there is one."""
    t = files.main
    given = _arguments(files)
    packed = t.value("sample_packing") is True
    held_out = t.value("val_set_size") not in (None, 0)
    evaluated = held_out or t.sets("test_datasets")
    less = f", less val_set_size ({t.place('val_set_size')})" if held_out else ""
    datasets = [dataset("records", _ROWS + less)]
    datasets += [dataset("held_out", "how many of them the validation has")] if evaluated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(train(_packed(given) if packed else given), *([evaluation(given)] if evaluated else [])),
        claims=(
            *(cut("train")[1:] if packed else claims(files, "train")),
            *told(files, given),
            *(_evaluated(files, packed=packed) if evaluated else []),
            *([] if packed else _truncated(given)),
        ),
        traps=(*_traps(t), *hazards(files)),
    )


def _evaluated(files: Files, *, packed: bool) -> list[Line]:
    """What the evaluation keeps; of packed sequences the data says it."""
    found = claims(files, "eval")
    return found[-1:] if packed and files.main.value("eval_sample_packing") is not False else found


def _packed(given: Arguments) -> Arguments:
    """With packing the last batch of the training is dropped unless a key says else."""
    return given if given.drop_last.mark == EXACT else replace(given, drop_last=Term("true", default(_OF)))


def _arguments(files: Files) -> Arguments:
    t = files.main
    micro = number(t, "micro_batch_size", 1, _OF)
    evaluated = number(t, "eval_batch_size", 1, _OF)
    if not t.sets("eval_batch_size") and not micro.free:
        evaluated = Term(f"t.eval_batch_size ?? {micro.text}", evaluated.mark)
    found = arguments(files, _OF)
    others = ("context_parallel_size", "tensor_parallel_size")
    workers = Term("0..64", f"{default(_OF)}: one for each GPU", free=True)
    return replace(
        found,
        workers=found.workers if t.sets("dataloader_num_workers") else workers,
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
    return [Line(text, optional=True)]


def _traps(t: File) -> tuple[str, ...]:
    last = t.value("shuffle_merged_datasets") is False or t.value("curriculum_sampling") is True
    known = [
        (not t.sets("max_steps"), "", _ALWAYS),
        (
            not t.sets("seed"),
            "",
            "without a seed the validation differs from run to run: NumPy's state draws it",
        ),
        (
            last,
            "",
            "the datasets are not shuffled before the split: the validation is the tail of the last one",
        ),
        (True, "", "rows that are too long are dropped before anything is counted here"),
        (t.value("sample_packing") is True, "sample_packing", _PACKED),
    ]
    return traps(t, known)


_ALWAYS = (
    "max_steps is always passed, ceil(rows * epochs / (batch * accumulate * ranks)), and may cut the last"
    " epoch: uncomment the claim when size and ranks are given"
)
_PACKED = "makes packed sequences the records, how many depends on the data, and the last batch is dropped"
