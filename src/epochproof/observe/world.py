"""Which rank this process is, of how many."""

from __future__ import annotations

import os

from torch import distributed

from epochproof.diagnostics import fail


def world(rank: int | None, ranks: int | None) -> tuple[int, int]:
    """The rank and the number of ranks: as given, else of the process group, else of torchrun, else alone.

    Raises:
        SpecError: E810: only one of the two is given, or they do not fit, or torchrun's are no numbers.
    """
    if (rank is None) != (ranks is None):
        known, missing = ("rank", "ranks") if ranks is None else ("ranks", "rank")
        raise fail("E810", f"`{known}` is given without `{missing}`", None, help="give both, or neither")
    if rank is None or ranks is None:
        rank, ranks = _found()
    if not 0 <= rank < ranks:
        cure = "ranks are counted from 0"
        raise fail("E810", f"`rank` is {rank}, and `ranks` is {ranks}", None, help=cure)
    return rank, ranks


def _found() -> tuple[int, int]:
    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    told = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    try:
        return int(told[0]), int(told[1])
    except ValueError:
        what = f"`RANK` is `{told[0]}` and `WORLD_SIZE` is `{told[1]}`"
        raise fail("E810", what, None, help="give `rank` and `ranks`") from None
