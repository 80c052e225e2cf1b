"""What transformers' Trainer makes of its arguments, for the configs that end in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from epochproof.config.entry import Listed
from epochproof.draft._draft import Files, Loader, cut, dealt, loader, padded, setting, traps
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, agreed, default, number, truth, use
from epochproof.draft._world import data_parallel, within, world

TRANSFORMERS = "transformers 5.24"
_EVEN, _SPLIT, _DISPATCH = (f"accelerator_config.{each}_batches" for each in ("even", "split", "dispatch"))

_SIZES = ("parallelism_config.tp_size", "parallelism_config.cp_size")


@dataclass(frozen=True)
class Arguments:
    """Of the arguments of a Trainer those that its schedule depends on."""

    ranks: Term
    workers: Term
    epochs: Term | None
    """`None` where the number of steps ends the run."""

    seed: Term
    batch: Term
    evaluated: Term
    accumulate: Term
    drop_last: Term
    even: Term
    split: Term
    shuffles: bool = True
    dispatched: bool = False


def arguments(files: Files, of: str = TRANSFORMERS) -> Arguments:
    """The arguments under the names that TrainingArguments gives them."""
    t = files.main
    batches = [number(t, "per_device_train_batch_size", 8, of)]
    steps = [number(t, "gradient_accumulation_steps", 1, of)]
    deepspeed = files.beside.get("deepspeed")
    if deepspeed is not None:
        batches += _said(deepspeed, "train_micro_batch_size_per_gpu")
        steps += _said(deepspeed, "gradient_accumulation_steps")
    launched = files.beside.get("accelerate")
    sizes = [] if launched is None else [each for key in _SIZES for each in _said(launched, key)]
    ranks = data_parallel(world(files), sizes)
    streams = t.value("streaming") is True
    return Arguments(
        ranks=within(ranks, agreed(batches)) if t.value(_SPLIT) is True else ranks,
        workers=number(t, "dataloader_num_workers", 0, of, least=0, most=64),
        epochs=None if (t.whole("max_steps") or 0) > 0 else epochs(t, "num_train_epochs", 3, of),
        seed=Term("any", default(of)) if streams else seed(t, ("data_seed", "seed"), 42, of),
        batch=agreed(batches),
        evaluated=number(t, "per_device_eval_batch_size", 8, of),
        accumulate=agreed(steps),
        drop_last=truth(t, "dataloader_drop_last", otherwise=False, of=of),
        even=truth(t, _EVEN, otherwise=True, of=of),
        split=truth(t, _SPLIT, otherwise=False, of=of),
        shuffles=t.value("train_sampling_strategy") != "sequential",
        dispatched=t.value("streaming") is True or t.value(_DISPATCH) is True,
    )


def _said(file: File, key: str) -> list[Term]:
    """The whole number under a key, if there is one."""
    return [number(file, key, None, "")] if file.whole(key) is not None else []


def epochs(file: File, key: str, otherwise: int, of: str) -> Term:
    """How many epochs there are; a run that ends inside one counts it."""
    share = file.value(key)
    if isinstance(share, Fraction) and file.whole(key) is None:
        return Term(str(ceil(share)), f"needs you: the run ends inside an epoch ({file.place(key)})")
    found = number(file, key, otherwise, of)
    return Term("1", f"{found.mark}; one is looked at") if found.free else found


def seed(file: File, keys: tuple[str, ...], otherwise: int, of: str) -> Term:
    """The first of some keys that has a value; every seed, where it cannot be read."""
    first = next((at for at, key in enumerate(keys) if file.sets(key)), len(keys) - 1)
    read = number(file, keys[first], otherwise, of, least=0)
    if read.free:
        return Term("any", read.mark)
    names = [f"{file.name}.{key}" for key in keys[:first]]
    return Term(" ?? ".join([*names, read.text]), read.mark)


def train(given: Arguments, over: str = "records") -> Loader:
    """The training loader, whose batches accelerate deals to the ranks."""
    settings = [setting("ranks", given.ranks), setting("workers", given.workers)]
    if given.epochs is not None:
        settings.append(setting("epochs", given.epochs))
    return loader("train", over, settings, _stages(given))


def _stages(given: Arguments) -> list[Line]:
    if given.dispatched:
        return [_dispatch(given, given.batch, Term(str(given.shuffles).lower())), _steps(given)]
    if given.shuffles:
        return [
            use(
                "transformers.Trainer",
                per_device_train_batch_size=given.batch,
                seed=given.seed,
                dataloader_drop_last=given.drop_last,
                gradient_accumulation_steps=given.accumulate,
                **_deals(given),
            )
        ]
    return [
        use(
            "accelerate.DataLoader",
            batch_size=given.batch,
            shuffle=Term("false"),
            drop_last=given.drop_last,
            **_deals(given),
        ),
        _steps(given),
    ]


def _steps(given: Arguments) -> Line:
    return Line(f"accumulate({given.accumulate.first})", given.accumulate.mark)


def _dispatch(given: Arguments, batch: Term, shuffle: Term) -> Line:
    """The first process reads for all of them; the order that a buffer makes is any."""
    order = {"seed": given.seed} if shuffle.text == "true" else {}
    split = {name: each for name, each in _deals(given).items() if name == "split_batches"}
    return use(
        "accelerate.Dispatcher",
        batch_size=batch,
        shuffle=shuffle,
        **order,
        drop_last=given.drop_last,
        **split,
    )


def _deals(given: Arguments) -> dict[str, Term]:
    """How accelerate deals batches, as far as a file says it."""
    said = {"even_batches": given.even, "split_batches": given.split}
    return {name: each for name, each in said.items() if each.mark == EXACT}


def evaluation(given: Arguments, over: str = "held_out") -> Loader:
    """The loader of an evaluation, in order; what is padded is cut from the metric again."""
    if given.dispatched:
        stage = _dispatch(given, given.evaluated, Term("false"))
    else:
        stage = use(
            "transformers.Trainer.eval",
            per_device_eval_batch_size=given.evaluated,
            dataloader_drop_last=given.drop_last,
            **_deals(given),
        )
    return loader("eval", over, [setting("ranks", given.ranks), setting("workers", given.workers)], [stage])


def claims(files: Files, name: str) -> list[Line]:
    """What a loader of the Trainer keeps, whatever its numbers are."""
    if files.main.value("dataloader_drop_last") is True:
        return cut(name)
    return dealt(name) if files.main.value(_EVEN) is False else padded(name)


def told(files: Files, given: Arguments) -> list[Line]:
    """The global batch that DeepSpeed is told, as a claim; as a comment while something in it is free."""
    deepspeed = files.beside.get("deepspeed")
    if deepspeed is None or deepspeed.whole("train_batch_size") is None:
        return []
    whole = f"{deepspeed.name}.train_batch_size"
    formula = f"train.ranks * train.batch * train.accumulate == {whole}"
    line = f'prove "train: a step is as large as DeepSpeed is told" : {formula}'
    return [Line(line, optional=given.ranks.free or given.batch.free or given.accumulate.free)]


def hazards(files: Files) -> tuple[str, ...]:
    """What is known to go wrong with these arguments."""
    t = files.main
    ends = (t.whole("max_steps") or 0) > 0
    grouped = t.value("train_sampling_strategy") in ("group_by_length", "batch_rebalance")
    seeded = t.sets("seed") or t.sets("data_seed")
    known = [
        (ends, "max_steps", "ends the run whatever the epochs are, and may cut the last one short"),
        (
            t.value("dataloader_drop_last") is True,
            "dataloader_drop_last",
            "drops records of the evaluation, too",
        ),
        (t.value("ignore_data_skip") is True, "ignore_data_skip", _HEAD_AGAIN),
        (t.value("auto_find_batch_size") is True, "auto_find_batch_size", "may halve the batch in the job"),
        (grouped, "train_sampling_strategy", _GROUPED),
        (t.value(_EVEN) is False, _EVEN, "pads nothing, and ranks take different numbers of steps"),
        (
            t.value("packing") is True,
            "packing",
            "makes packed sequences the records: how many, the data says",
        ),
        ("accelerate" in files.beside, "", _BY_HAND),
        (not files.beside.keys() & {"accelerate", "launch"}, "", _ALONE),
        (
            t.sets("deepspeed") and "deepspeed" not in files.beside,
            "deepspeed",
            "names a file that was not given",
        ),
        (not seeded, "", "no seed is given, and the framework has one: each run has the same order"),
        (True, "", "seed and epoch are only summed: epoch 1 of seed 42 has the order of epoch 0 of seed 43"),
        (True, "", _RESUMED),
    ]
    return traps(t, [*known, *_tests(t)])


def _tests(t: File) -> Iterator[tuple[bool, str, str]]:
    """The parts of a mixture that are named like what is kept apart."""
    for mixture in ("dataset_mixture.datasets", "datasets"):
        entry = t.entry(mixture)
        for at in range(len(entry.items) if isinstance(entry, Listed) else 0):
            key = f"{mixture}.{at}.split"
            yield "test" in str(t.value(key)), key, "is trained on, and is called a test"


_HEAD_AGAIN = "has a resumed run read the head of its epoch again, and never its tail"
_GROUPED = "groups by length with the generator of each process: ranks agree while nothing else draws from it"
_BY_HAND = "accelerate reads its config by `--config_file` alone, else the one in the home directory"
_ALONE = "without a launcher one process serves all GPUs of its host, and its batch is that of all of them"
_RESUMED = (
    "a checkpoint is resumed by the ranks, batch and accumulation of today: after a change of one of them"
    " a run skips or repeats records"
)
