"""mmengine: the config of an OpenMMLab training, written out as JSON or YAML."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, Loader, cut, dataset, dealt, loader, padded, setting, traps
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, default, number, truth, use
from epochproof.draft._world import world

TITLE = "mmengine (mmengine 0.10)"
SIGNS = "`train_dataloader` with a `sampler`, written out as JSON or YAML"

_OF = "mmengine 0.10"


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 4 * int(file.has("train_dataloader.sampler"))


def draft(files: Files) -> Draft:
    """The loader of the training, and that of the validation if there is one."""
    t = files.main
    validated = t.has("val_dataloader.sampler")
    datasets = [dataset("records", "the records of the training, after its filters")]
    datasets += [dataset("held_out", "those of the validation")] if validated else []
    return Draft(
        datasets=tuple(datasets),
        loaders=(
            _loader(files, "train", "records"),
            *([_loader(files, "val", "held_out")] if validated else []),
        ),
        claims=(*_claims(t, "train"), *_scaled(t), *(_claims(t, "val") if validated else [])),
        traps=_traps(t),
    )


def _loader(files: Files, name: str, over: str) -> Loader:
    t = files.main
    keys = f"{name}_dataloader"
    settings = [
        setting("ranks", world(files)),
        setting("workers", number(t, f"{keys}.num_workers", 0, _OF, least=0, most=64)),
    ]
    if name == "train" and t.whole("train_cfg.max_epochs") is not None:
        settings.append(setting("epochs", number(t, "train_cfg.max_epochs", None, _OF)))
    drawn = number(t, "randomness.seed", None, _OF, least=0)
    seed = Term("any", default(_OF) if not t.sets("randomness.seed") else drawn.mark) if drawn.free else drawn
    stages = [
        use(
            "mmengine.DefaultSampler",
            shuffle=truth(t, f"{keys}.sampler.shuffle", otherwise=True, of=_OF),
            seed=seed,
            round_up=truth(t, f"{keys}.sampler.round_up", otherwise=True, of=_OF),
        ),
        use(
            "torch.DataLoader",
            batch_size=number(t, f"{keys}.batch_size", 1, _OF),
            drop_last=truth(t, f"{keys}.drop_last", otherwise=False, of=_OF),
        ),
    ]
    steps = number(t, "optim_wrapper.accumulative_counts", 1, _OF)
    if name == "train" and t.sets("optim_wrapper.accumulative_counts") and not steps.free:
        stages.append(Line(f"accumulate({steps.text}, tail = carry)", EXACT))
    return loader(name, over, settings, stages)


def _claims(t: File, name: str) -> list[Line]:
    if t.value(f"{name}_dataloader.drop_last") is True:
        return cut(name)[:1]
    return dealt(name) if t.value(f"{name}_dataloader.sampler.round_up") is False else padded(name)


def _scaled(t: File) -> list[Line]:
    """What the learning rate was tuned for; a comment, because it may be scaled."""
    key = "auto_scale_lr.base_batch_size"
    if (t.whole(key) or 0) < 1:
        return []
    text = 'prove "train: a step is as large as the learning rate was tuned for"'
    return [Line(f"{text} : train.ranks * train.batch == {t.name}.{key}", optional=True)]


def _traps(t: File) -> tuple[str, ...]:
    kind = "train_dataloader.sampler.type"
    known = [
        (
            t.value(kind) != "DefaultSampler",
            kind,
            "is another sampler than the DefaultSampler that stands here",
        ),
        (t.has("train_dataloader.batch_sampler"), "train_dataloader.batch_sampler", "groups inside a rank"),
        (not t.sets("randomness.seed"), "", "without `randomness.seed` the order is another one in each run"),
        (True, "", "validation is padded, too; its metrics cut the results to the length of the dataset"),
        (True, "", "an epoch that is interrupted starts again from its head"),
    ]
    return traps(t, known)
