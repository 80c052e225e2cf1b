"""Lightning: configs of LightningCLI and of Hydra, whose Trainer injects the distributed sampler."""

from __future__ import annotations

from fractions import Fraction

from epochproof.config.entry import Listed
from epochproof.draft._draft import Draft, Files, dataset, loader, padded, setting, traps
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, asked, default, needs, number, product, use
from epochproof.draft._world import world

TITLE = "Lightning (lightning 2.6)"
SIGNS = "`trainer` with keys of its Trainer, such as `devices` or `max_epochs`"

_OF = "lightning 2.6"
_SIGNS = ("devices", "num_nodes", "max_epochs", "accumulate_grad_batches", "strategy", "accelerator")
_DATA = ("data.init_args", "data", "datamodule.init_args", "datamodule", "model.train_ds")
_BATCH = ("batch_size", "train_batch_size", "batch_size_per_device", "per_device_batch_size")
_GLOBAL = ("global_batch_size", "total_batch_size")
_LOADER = "what the loader of the data module says"
_SIZES = ("lengths", "train_val_test_split")


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 4 * int(any(file.has(f"trainer.{key}") for key in _SIGNS))


def draft(files: Files) -> Draft:
    """The loader of the training."""
    t = files.main
    ranks = _ranks(files)
    settings = [setting("ranks", ranks), setting("workers", _workers(t))]
    settings += [setting("epochs", each) for each in _epochs(t)]
    stages = _stages(t, ranks)
    return Draft(
        datasets=(_dataset(t),),
        loaders=(loader("train", "records", settings, stages),),
        claims=tuple(padded("train") if len(stages) == 1 else padded("train")[-1:]),
        traps=_traps(t),
    )


def _stages(t: File, ranks: Term) -> list[Line]:
    """The stages of Trainer; those of torch where an epoch ends before its data."""
    size, accumulate = _batch(t, ranks), number(t, "trainer.accumulate_grad_batches", 1, _OF)
    shuffle, drop = (asked(Term(word), _LOADER) for word in ("true", "false"))
    limit = "trainer.limit_train_batches"
    if isinstance(t.value(limit), Fraction) or (t.whole(limit) or 0) < 1:
        return [
            use(
                "lightning.Trainer",
                batch_size=size,
                shuffle=shuffle,
                seed=_seed(t),
                drop_last=drop,
                accumulate_grad_batches=accumulate,
            )
        ]
    return [
        use("torch.DistributedSampler", shuffle=shuffle, seed=_seed(t)),
        use("torch.DataLoader", batch_size=size, drop_last=drop),
        Line(f"stop(steps = {t.name}.{limit})", EXACT),
        Line(f"accumulate({accumulate.first})", accumulate.mark),
    ]


def _ranks(files: Files) -> Term:
    t = files.main
    devices, nodes = "trainer.devices", number(t, "trainer.num_nodes", 1, _OF, most=64)
    listed = t.entry(devices)
    if isinstance(listed, Listed) and listed.items:
        each = Term(f"count({t.name}.{devices})")
    elif (t.whole(devices) or 0) > 0:
        each = Term(f"{t.name}.{devices}")
    else:
        return world(files, [needs(f"how many devices there are: `{devices}` does not say", "1..64")])
    also = [Term(f"{t.name}.world_size")] if t.whole("world_size") is not None else []
    return world(files, [each if nodes.free else product(each, nodes), *also])


def _found(t: File, names: tuple[str, ...]) -> str | None:
    """The first key of the data module that has one of the names."""
    keys = [f"{section}.{name}" for section in _DATA for name in names]
    return next((key for key in keys if t.sets(key)), None)


def _batch(t: File, ranks: Term) -> Term:
    """The batch of each rank: whatever the data module makes of its own key."""
    if key := _found(t, _BATCH):
        return asked(number(t, key, None, ""), "whether that is the batch of one rank")
    if (key := _found(t, _GLOBAL)) and t.whole(key) is not None:
        each = f"{t.name}.{key} // ranks"
        text = f"max(1, {each})" if ranks.free else each
        return needs("whether the key is the batch of all ranks", text, free=False)
    return needs("the batch of one rank, which no key is called", "1..1024")


def _workers(t: File) -> Term:
    key = _found(t, ("num_workers",))
    return Term("0", default("torch")) if key is None else number(t, key, 0, "torch", least=0, most=64)


def _epochs(t: File) -> list[Term]:
    if (t.whole("trainer.max_steps") or -1) > 0 or t.value("trainer.max_epochs") == -1:
        return []
    found = number(t, "trainer.max_epochs", 1000, _OF)
    return [] if found.free else [found]


def _seed(t: File) -> Term:
    """The seed of the injected sampler: that of `seed_everything`, else 0."""
    key = next((each for each in ("seed_everything", "seed") if t.sets(each)), None)
    if key is None:
        return Term(f"{t.name}.{'seed' if t.has('seed') else 'seed_everything'} ?? 0", default(_OF))
    if isinstance(t.value(key), bool):
        return Term("0", default(_OF))
    found = number(t, key, 0, _OF, least=0)
    return Term("any", found.mark) if found.free else found


def _dataset(t: File) -> Line:
    key = _found(t, _SIZES)
    if key is not None and isinstance(t.entry(key), Listed) and t.whole(f"{key}.0") is not None:
        size = needs(f"whether the first of `{key}` is the training")
        return Line(f"dataset records {{ size = {t.name}.{key}.0 }}", size.mark)
    return dataset("records", "how many records the training has")


def _traps(t: File) -> tuple[str, ...]:
    sampler, limit, overfit = (f"trainer.{key}" for key in _TRAPS)
    share = t.value(limit)
    zero = t.value("seed") == 0 or t.value("seed_everything") == 0
    seeded = t.sets("seed") or t.sets("seed_everything")
    known = [
        (
            t.value(sampler) is False,
            sampler,
            "has each rank read what the data module gives it, dealt or not",
        ),
        (isinstance(share, Fraction) and share != 1, limit, "ends each epoch at a share of its batches"),
        (t.value(overfit) not in (None, 0), overfit, "reads the same few batches, in order"),
        (
            zero,
            "",
            'seed 0 is a seed, and `if cfg.get("seed")` takes it for none: then nothing else is seeded',
        ),
        (not seeded, "", "no seed is given, and the injected sampler has 0: each run has the same order"),
        (
            isinstance(t.entry("defaults"), Listed),
            "defaults",
            "are not composed here: bind the composed config",
        ),
        (
            t.reader == "hydra",
            "",
            "options that a call of the job gives stand behind the path: `trainer = ddp`",
        ),
        (True, "", "an iterable dataset gets no sampler: every rank reads all of it"),
        (True, "", "validation is padded, too, and its repeats count in the metric"),
        (True, "", "a run that is resumed within an epoch reads its head again and never its tail"),
    ]
    return traps(t, known)


_TRAPS = ("use_distributed_sampler", "limit_train_batches", "overfit_batches")
