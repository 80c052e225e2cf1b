"""Ultralytics: a train config, with the data config beside it."""

from __future__ import annotations

from epochproof.config.entry import Listed
from epochproof.draft._draft import Draft, Files, dataset, loader, padded, setting, traps
from epochproof.draft._file import File
from epochproof.draft._term import Line, Term, needs, number, use
from epochproof.draft._world import within, world

TITLE = "Ultralytics (ultralytics 8.4)"
SIGNS = "`batch` with `imgsz`, `nbs`, `close_mosaic` or a `task`"

_OF = "ultralytics 8.4"
_SIGNS = ("imgsz", "nbs", "close_mosaic", "task")
_NOMINAL = 64
_BATCH = 16


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 4 * int(file.has("batch") and any(map(file.has, _SIGNS)))


def draft(files: Files) -> Draft:
    """The loader of the training."""
    t = files.main
    nominal = number(t, "nbs", _NOMINAL, _OF)
    batch = number(t, "batch", _BATCH, _OF)
    ranks = within(_ranks(files), batch)
    settings = [
        setting("ranks", ranks),
        setting("workers", number(t, "workers", 8, _OF, least=0, most=64)),
        setting("epochs", number(t, "epochs", 100, _OF)),
    ]
    seed = number(t, "seed", 0, _OF, least=0)
    seed = Term("any", seed.mark) if seed.free else seed
    stages = [*_dealt(batch, seed), *_accumulate(batch, nominal)]
    return Draft(
        datasets=(dataset("records", "how many images the training has"),),
        loaders=(loader("train", "records", settings, stages),),
        claims=(
            *padded("train", "" if batch.free else f"({batch.text} // train.ranks)"),
            *_whole(files, batch),
        ),
        traps=_traps(files),
    )


def _ranks(files: Files) -> Term:
    t = files.main
    device = t.entry("device")
    if isinstance(device, Listed) and device.items:
        return world(files, [Term(f"count({t.name}.device)")])
    if t.whole("device") is not None:
        return world(files, [Term("1")])
    return world(files, [needs("how many devices there are: `device` is no list", "1..64")])


def _dealt(batch: Term, seed: Term) -> list[Line]:
    """The stages of the training; those of torch where nobody knows the batch of all ranks."""
    if not batch.free:
        return [use("ultralytics.Train", batch=batch, seed=seed)]
    return [use("torch.DistributedSampler", seed=seed), use("torch.DataLoader", batch_size=batch)]


def _accumulate(batch: Term, nominal: Term) -> list[Line]:
    """Batches a step: `nbs / batch`, rounded to the nearest; from epoch to epoch they count on."""
    if batch.free or nominal.free:
        return []
    rounded = f"(2 * {nominal.text} + {batch.text}) // (2 * {batch.text})"
    return [Line(f"accumulate(max(1, {rounded}), tail = carry)", nominal.mark)]


def _whole(files: Files, batch: Term) -> list[Line]:
    """Whether the batch can be dealt to the ranks: proved or refuted, and a comment where they are free."""
    if batch.free:
        return []
    formula = f'"train: no part of the batch is left over" : {batch.text} % train.ranks == 0'
    device = files.main.entry("device")
    if not isinstance(device, Listed):
        return [Line(f"prove {formula}", optional=True)]
    whole = files.main.whole("batch") or _BATCH
    return [Line(f"{'refute' if whole % max(1, len(device.items)) else 'prove'} {formula}")]


def _traps(files: Files) -> tuple[str, ...]:
    t, data = files.main, files.beside.get("data")
    part = t.value("fraction") not in (None, 1)
    known = [
        (
            t.has("batch"),
            "batch",
            "is that of all ranks: each takes batch // ranks, and what is left over is lost",
        ),
        (True, "", "with workers, epochs 0 and 1 have one order: the loader is ahead of set_epoch"),
        (t.value("rect") is True, "rect", "orders by shape and does not shuffle; here it shuffles"),
        (part, "fraction", "has only this share of the images read"),
        (t.value("val") is not False, "", "evaluation pads nothing: ranks take different numbers of steps"),
        (t.has("data") and data is None, "data", "was not given: whether train and val differ is not known"),
        (True, "", "while it warms up, fewer batches make a step than `nbs` says"),
    ]
    same = data is not None and data.value("train") is not None and data.value("train") == data.value("val")
    leak = traps(data, [(same, "train", "and val are the same images")]) if data is not None else ()
    return (*leak, *traps(t, known))
