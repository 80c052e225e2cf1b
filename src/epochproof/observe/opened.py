"""What recording a loader begins with: whether its records can be known, and a writer for this rank."""

from __future__ import annotations

import platform
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import IterableDataset

import epochproof
from epochproof.audit.writer import Origin, Writer
from epochproof.diagnostics import fail
from epochproof.observe.columns_of import Columns
from epochproof.observe.tapped import Tapped


def refuse_unknown(loader: Any, inner: Tapped | None, columns: Columns) -> None:
    """Raises where nothing tells which records the loader hands out.

    Raises:
        SpecError: E801: pyarrow is missing. E809: neither indices nor batches tell it.
    """
    if find_spec("pyarrow") is None:
        raise fail("E801", "recording needs pyarrow: `pip install 'epochproof[audit]'`", None)
    if columns.ids is None and not (inner and inner.indexed):
        told = f"nothing says which records a {type(loader).__name__} hands out"
        cure = "`field=` names the field of a batch that holds their ids, `ids=` makes them of a batch"
        raise fail("E809", told, None, help=cure)


def writer_for(loader: Any, folder: str | Path, world: tuple[int, int], *, resumed: bool) -> Writer:
    """The writer of one rank of a loader.

    Raises:
        SpecError: E802, E803, E804: the folder cannot be written to.
    """
    origin = Origin(*world, _workers(loader), _size(loader), _versions())
    return Writer(Path(folder), origin, resumed=resumed)


def _workers(loader: Any) -> int | None:
    found = getattr(loader, "num_workers", None)
    return found if isinstance(found, int) else None


def _size(loader: Any) -> int | None:
    """The length of the dataset; one without indices may have any, and may warn when it is asked."""
    dataset: Any = getattr(loader, "dataset", None)
    if isinstance(dataset, IterableDataset) or not hasattr(dataset, "__len__"):
        return None
    return len(dataset)


def _versions() -> dict[str, str]:
    return {
        "epochproof": epochproof.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
    }
