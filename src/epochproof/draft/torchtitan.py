"""torchtitan: its TOML up to 0.2, packed sequences from an endless stream."""

from __future__ import annotations

from epochproof.draft._draft import Draft, Files, dataset, loader, setting, traps
from epochproof.draft._file import File
from epochproof.draft._term import EXACT, Line, Term, default, mark, number, product
from epochproof.draft._world import data_parallel, world

TITLE = "torchtitan (torchtitan 0.2)"
SIGNS = "`[training]` with `local_batch_size` or `seq_len`"

_OF = "torchtitan 0.2"
_DEGREES = ("tensor_parallel_degree", "pipeline_parallel_degree", "context_parallel_degree")


def recognises(file: File) -> int:
    """How sure it is that the file is one of these, 0 for not at all."""
    return 4 * int(file.has("training.local_batch_size") or file.has("training.seq_len"))


def draft(files: Files) -> Draft:
    """The loader of the training."""
    t = files.main
    degrees = [number(t, f"parallelism.{key}", 1, _OF) for key in _DEGREES]
    processes = world(files)
    ranks = data_parallel(processes, degrees)
    older = t.sets("training.batch_size") and not t.sets("training.local_batch_size")
    local = number(t, f"training.{'batch_size' if older else 'local_batch_size'}", 8, _OF)
    steps = number(t, "training.steps", 10_000, _OF)
    settings = [
        setting("ranks", ranks),
        setting("workers", number(t, "training.dataloader.num_workers", 0, _OF, least=0, most=64)),
    ]
    stages = [
        Line("shard(ranks, tail = uneven)", default(_OF)),
        Line(f"batch({local.first}, tail = drop)", local.mark),
        Line("fetch(workers)", EXACT),
        *_accumulate(t, ranks, local),
        *([] if steps.free else [Line(f"stop(steps = {steps.text})", steps.mark)]),
    ]
    return Draft(
        datasets=(dataset("sequences", "how many packed sequences there are"),),
        loaders=(loader("train", "sequences", settings, stages),),
        claims=(*_mesh(processes, degrees), *_claims(t, ranks, local, steps)),
        traps=_traps(t),
    )


def _mesh(processes: Term, degrees: list[Term]) -> list[Line]:
    """That all processes have a place in the mesh."""
    if processes.free:
        return []
    formula = f"({processes.text}) % ({product(*degrees).text}) == 0"
    return [Line(f'prove "every process has a place in the mesh" : {formula}')]


def _accumulate(t: File, ranks: Term, local: Term) -> list[Line]:
    """As many batches a step as the global batch takes; one where it is not given."""
    if (t.whole("training.global_batch_size") or -1) < 1 or local.free:
        return [Line("accumulate(1)", default(_OF))]
    whole = f"{t.name}.training.global_batch_size // ({local.text} * ranks)"
    return [Line(f"accumulate({f'max(1, {whole})' if ranks.free else whole})", mark([local]))]


def _claims(t: File, ranks: Term, local: Term, steps: Term) -> list[Line]:
    """That the global batch can be made of whole batches; a comment while the ranks are free."""
    found = [Line('prove "train: nothing is read twice" : train.multiplicity <= 1')]
    if (t.whole("training.global_batch_size") or -1) < 1 or local.free:
        return found
    whole = f"{t.name}.training.global_batch_size"
    text = 'prove "train: the global batch is made of whole batches"'
    found.append(Line(f"{text} : {whole} % ({local.text} * train.ranks) == 0", optional=ranks.free))
    if not steps.free:
        read = f"{steps.text} * {whole}"
        text = f'prove "train: the run reads a global batch a step" : train.occurrences == {read}'
        line = f"{text} given sequences.size >= {read}"
        found.append(Line(line, optional=ranks.free))
    return found


def _traps(t: File) -> tuple[str, ...]:
    degrees = " * ".join(f"{t.whole(f'parallelism.{key}') or 1}" for key in _DEGREES)
    known = [
        (True, "", f"ranks are all processes // ({degrees}), the other parallelisms, without a remainder"),
        (True, "", "the stream starts again when it ends: with too few sequences records repeat"),
        (True, "", "records are packed sequences; each rank packs its documents by itself"),
        (True, "", "a checkpoint is resumed only with the same number of data-parallel ranks"),
    ]
    return traps(t, known)
