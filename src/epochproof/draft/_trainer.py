"""What transformers' Trainer makes of its arguments, for the configs that end in it."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.draft._draft import Files, Loader, cut, loader, padded, setting
from epochproof.draft._file import File
from epochproof.draft._term import Line, Term, agreed, mark, number, truth
from epochproof.draft._world import world

TRANSFORMERS = "transformers 5.24"
_ACCELERATE = "accelerate 1.15"


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
    shuffles: bool = True


def arguments(files: Files, of: str = TRANSFORMERS) -> Arguments:
    """The arguments under the names that TrainingArguments gives them."""
    t = files.main
    batches = [number(t, "per_device_train_batch_size", 8, of)]
    steps = [number(t, "gradient_accumulation_steps", 1, of)]
    deepspeed = files.beside.get("deepspeed")
    if deepspeed is not None:
        batches += _said(deepspeed, "train_micro_batch_size_per_gpu")
        steps += _said(deepspeed, "gradient_accumulation_steps")
    return Arguments(
        ranks=world(files),
        workers=number(t, "dataloader_num_workers", 0, of, most=64),
        epochs=None if (t.whole("max_steps") or 0) > 0 else epochs(t, "num_train_epochs", 3, of),
        seed=seed(t, ("data_seed", "seed"), 42, of),
        batch=agreed(batches),
        evaluated=number(t, "per_device_eval_batch_size", 8, of),
        accumulate=agreed(steps),
        drop_last=truth(t, "dataloader_drop_last", otherwise=False, of=of),
        shuffles=t.value("train_sampling_strategy") != "sequential",
    )


def _said(file: File, key: str) -> list[Term]:
    """The whole number under a key, if there is one."""
    return [number(file, key, None, "")] if file.whole(key) is not None else []


def epochs(file: File, key: str, otherwise: int, of: str) -> Term:
    """How many epochs there are; a run that ends inside one counts it."""
    if file.sets(key) and file.whole(key) is None and not file.unreadable(key):
        whole = -(-file.value(key) // 1) if not isinstance(file.value(key), bool | str) else 1
        return Term(str(whole), f"needs you: the run ends inside an epoch ({file.place(key)})")
    found = number(file, key, otherwise, of)
    return Term("1", f"{found.mark}; one is looked at") if found.free else found


def seed(file: File, keys: tuple[str, ...], otherwise: int, of: str) -> Term:
    """The first of some keys that has a value; every seed, where it cannot be read."""
    read = number(file, keys[0], otherwise, of)
    if read.free:
        return Term("any", read.mark)
    names = [f"{file.name}.{key}" for key in keys]
    if file.sets(keys[0]):
        return Term(names[0])
    known = next((key for key in keys if file.whole(key) is not None), None)
    if known is not None:
        return Term(" ?? ".join(names[: keys.index(known) + 1]))
    return Term(" ?? ".join([*names, str(otherwise)]), read.mark)


def train(given: Arguments, over: str = "records") -> Loader:
    """The training loader: accelerate deals whole batches, and completes the last round."""
    settings = [setting("ranks", given.ranks), setting("workers", given.workers)]
    if given.epochs is not None:
        settings.append(setting("epochs", given.epochs))
    return loader("train", over, settings, _stages(given))


def _stages(given: Arguments) -> list[Line]:
    drop = given.drop_last.text
    tail = "pad" if drop == "false" else "drop" if drop == "true" else f"if {drop} then drop else pad"
    order = [Line(f"shuffle(seed = {given.seed.text})", given.seed.mark)] if given.shuffles else []
    return [
        *order,
        Line(f"shard(ranks, tail = {tail})", given.drop_last.mark),
        Line(f"batch({given.batch.first}, tail = {tail})", mark([given.batch, given.drop_last])),
        Line("fetch(workers)", given.workers.mark),
        Line(f"accumulate({given.accumulate.first})", given.accumulate.mark),
    ]


def evaluation(given: Arguments, over: str = "held_out") -> Loader:
    """The loader of an evaluation, in order; what is padded is cut from the metric again."""
    drop = given.drop_last.text
    tail = "pad" if drop == "false" else "drop" if drop == "true" else f"if {drop} then drop else pad"
    stages = [
        Line(f"shard(ranks, tail = {tail})", given.drop_last.mark),
        Line(f"batch({given.evaluated.first}, tail = {tail})", mark([given.evaluated, given.drop_last])),
        Line("fetch(workers)", given.workers.mark),
    ]
    return loader("eval", over, [setting("ranks", given.ranks), setting("workers", given.workers)], stages)


def claims(files: Files, name: str, key: str = "dataloader_drop_last") -> list[Line]:
    """What a loader of the Trainer keeps, whatever its numbers are."""
    return cut(name) if files.main.value(key) is True else padded(name)


def told(files: Files, given: Arguments) -> list[Line]:
    """The global batch that DeepSpeed is told, as a claim; as a comment while something in it is free."""
    deepspeed = files.beside.get("deepspeed")
    if deepspeed is None or deepspeed.whole("train_batch_size") is None:
        return []
    whole = f"{deepspeed.name}.train_batch_size"
    formula = f"train.ranks * train.batch * train.accumulate == {whole}"
    line = f'prove "train: a step is as large as DeepSpeed is told" : {formula}'
    free = given.ranks.free or given.batch.free or given.accumulate.free
    return [Line(f"# {line}" if free else line)]


def traps(files: Files) -> list[str]:
    """What is known to go wrong with these arguments."""
    t = files.main
    found = [
        (
            (t.whole("max_steps") or 0) > 0,
            f"max_steps ({t.place('max_steps')}) ends the run, whatever num_train_epochs is; the last epoch may be cut"
            " short: `stop(steps = n)` says after how many batches",
        ),
        (
            t.value("dataloader_drop_last") is True,
            f"dataloader_drop_last ({t.place('dataloader_drop_last')}) drops records of the evaluation, too",
        ),
        (
            t.value("ignore_data_skip") is True,
            f"ignore_data_skip ({t.place('ignore_data_skip')}): a resumed run reads the head of its epoch again and"
            " never its tail",
        ),
        (
            t.value("auto_find_batch_size") is True,
            f"auto_find_batch_size ({t.place('auto_find_batch_size')}) may halve the batch when the job runs",
        ),
        (
            t.value("train_sampling_strategy") in ("group_by_length", "batch_rebalance"),
            f"train_sampling_strategy ({t.place('train_sampling_strategy')}) groups by length with the generator of"
            " each process: ranks agree only as long as nothing else draws from it",
        ),
        (
            t.value("accelerator_config.split_batches") is True,
            f"split_batches ({t.place('accelerator_config.split_batches')}): the batch is that of all ranks; this"
            " draft takes it for one of each",
        ),
        (
            t.value("accelerator_config.even_batches") is False,
            f"even_batches ({t.place('accelerator_config.even_batches')}): nothing is padded, and ranks take"
            " different numbers of steps; this draft pads",
        ),
        (
            t.value("packing") is True,
            f"packing ({t.place('packing')}): the records are packed sequences, and how many there are depends on"
            " the data",
        ),
        (
            not any(t.sets(key) for key in ("seed", "data_seed")),
            "no seed is given: the framework's own one makes the order, the same in each run",
        ),
        (
            True,
            "run (seed 42, epoch 1) has the order of run (seed 43, epoch 0): seed and epoch are only summed",
        ),
        (
            True,
            "a checkpoint is resumed by today's ranks, batch and accumulation: after a change of one of them a run"
            " skips or repeats records",
        ),
    ]
    return [text for applies, text in found if applies]
