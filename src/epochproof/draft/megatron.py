"""Megatron-LM: the launch script of its training, which has its arguments."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, cut, dataset, loader, setting
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, default, mark, number, product, use
from epochproof.draft._world import data_parallel, world

TITLE = "Megatron-LM (Megatron-LM d98e8a6)"
SIGNS = "a launch script with `--micro-batch-size`"

_OF = "Megatron-LM d98e8a6"
_DEGREES = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
_TRAPS = (
    "samples are made of the documents of `--data-path`, and mixed, first: here is what comes out",
    "`--dataloader-type cyclic` is another schedule: a rank keeps a part of its own, whatever the seed",
    "`--rampup-batch-size` begins with smaller batches, and is not read here",
    "a run goes on from a count of samples of all ranks: `resume(position = consumed, counter = global)`",
)


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 2 * int(file.reader == "launch" and file.has("megatron.micro_batch_size"))


def draft(files: Files) -> Draft:
    """The loader of the training."""
    t = files.main
    degrees = [number(t, f"megatron.{each}", 1, _OF) for each in _DEGREES]
    processes = world(files)
    ranks = data_parallel(processes, degrees)
    micro = number(t, "megatron.micro_batch_size", None, _OF)
    whole = number(t, "megatron.global_batch_size", None, _OF)
    workers = number(t, "megatron.num_workers", 2, _OF, least=0, most=64)
    stages = [use("megatron.PretrainingSampler", micro_batch_size=micro)]
    counted = not whole.free and not micro.free
    if counted:
        made = f"accumulate(max(1, {whole.text} // ({micro.text} * ranks)), tail = drop)"
        stages.append(Line(made, mark([whole, micro])))
    else:
        stages.append(Line("accumulate(1, tail = drop)", default(_OF)))
    batches = _whole(ranks, micro, whole) if counted else cut("train")
    return Draft(
        datasets=(_dataset(t, whole),),
        loaders=(loader("train", "samples", [setting("ranks", ranks), setting("workers", workers)], stages),),
        claims=(*_models(processes, degrees), *batches),
        traps=_TRAPS,
    )


def _dataset(t: File, whole: Term) -> Line:
    """As many samples as the run asks for: the dataset is made of that many."""
    if (t.whole("megatron.train_samples") or 0) > 0:
        return Line(f"dataset samples {{ size = {t.name}.megatron.train_samples }}", EXACT)
    if (t.whole("megatron.train_iters") or 0) > 0 and not whole.free:
        size = f"{t.name}.megatron.train_iters * {whole.text}"
        return Line(f"dataset samples {{ size = {size} }}", whole.mark)
    return dataset("samples", "`--train-samples`, or `--train-iters` times the global batch")


def _models(processes: Term, degrees: list[Term]) -> list[Line]:
    """That the processes hold whole models."""
    if processes.free:
        return []
    formula = f"({processes.text}) % ({product(*degrees).text}) == 0"
    return [Line(f'prove "the processes hold whole models" : {formula}')]


def _whole(ranks: Term, micro: Term, whole: Term) -> list[Line]:
    """Claims about global batches; comments where nobody knows whether the ranks divide them."""
    left = f"{whole.text} % ({micro.text} * train.ranks) == 0"
    never = f"count(train.omitted) == samples.size % {whole.text}"
    return [
        Line('prove "train: nothing is read twice" : train.multiplicity <= 1'),
        Line('prove "train: every rank takes as many steps" : train.steps equal across ranks'),
        Line(f'prove "train: a global batch is made of whole micro-batches" : {left}', optional=ranks.free),
        Line(f'prove "train: what makes no global batch is never used" : {never}', optional=ranks.free),
    ]
