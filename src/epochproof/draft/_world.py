"""How many ranks a job has, from the files that start it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from epochproof.draft._draft import Files
from epochproof.draft._file import File
from epochproof.draft._term import Term, agreed, needs, number, product

_MOST = 64
_UNSAID = "how many processes the job starts; or give its launch script, too"


def world(files: Files, also: Iterable[Term] = ()) -> Term:
    """All processes of the job: what its sources say, which must agree, or 1 to 64.

    Args:
        files: The files of the draft.
        also: What else says it, such as a key of the config.
    """
    found = [each for each in also if not each.free]
    if "accelerate" in files.beside:
        found.append(number(files.beside["accelerate"], "num_processes", None, "", most=_MOST))
    if "launch" in files.beside:
        found += started(files.beside["launch"])
    return agreed(found) if found else needs(_UNSAID, f"1..{_MOST}")


def within(ranks: Term, batch: Term) -> Term:
    """The ranks, if they are free no more than the records of a batch that is split over them."""
    return replace(ranks, text=f"1..{batch.text}") if ranks.free and not batch.free else ranks


def data_parallel(processes: Term, sizes: Sequence[Term]) -> Term:
    """The ranks that read different data: all processes, divided by the sizes of other parallelisms."""
    if processes.free or not sizes:
        return processes
    divisor = product(*sizes)
    text = f"{processes.text} // ({divisor.text})"
    return Term(text, product(processes, divisor).mark)


def started(launch: File) -> list[Term]:
    """How many processes a launch script or a job of Kubernetes starts, by each command that says it."""
    ways = (
        ("torchrun.nproc_per_node", "torchrun.nnodes"),
        ("deepspeed.num_gpus", "deepspeed.num_nodes"),
        ("accelerate.num_processes",),
        ("trainjob.num_proc_per_node", "trainjob.num_nodes"),
    )
    found = [_product(launch, keys) for keys in ways if launch.whole(keys[0]) is not None]
    if launch.whole("pytorchjob.nproc_per_node") is not None:
        found.append(_pods(launch))
    if not found and launch.whole("sbatch.ntasks_per_node") is not None and launch.has("sbatch.nodes"):
        found.append(_product(launch, ("sbatch.nodes", "sbatch.ntasks_per_node")))
    return found


def _product(launch: File, keys: Sequence[str]) -> Term:
    each, *times = keys
    terms = [number(launch, each, None, "", most=_MOST)]
    terms += [number(launch, key, 1, f"{key.partition('.')[0]}: one node", most=_MOST) for key in times]
    return next((term for term in terms if term.free), product(*terms))


def _pods(job: File) -> Term:
    replicas = [number(job, f"pytorchjob.{role}", 0, "no such pods") for role in ("master", "worker")]
    texts = [f"({each.text})" if " ?? " in each.text else each.text for each in replicas]
    return Term(f"{job.name}.pytorchjob.nproc_per_node * ({' + '.join(texts)})")
