"""The recorder: a live loader, whose batches are written to a trace as they are handed out."""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self
from weakref import finalize

import torch
from torch.utils.data import IterableDataset

import epochproof
from epochproof.audit.writer import Origin, Writer, close_quietly
from epochproof.diagnostics import fail
from epochproof.observe.columns_of import Columns, Said
from epochproof.observe.one_pass import Pass, Rows
from epochproof.observe.padding_of import padding_of
from epochproof.observe.tap import Fetched, Tap, attach, fill
from epochproof.observe.tapped import Tapped, inside
from epochproof.observe.world import world


def record(
    loader: Any,
    folder: str | Path,
    *,
    field: str | None = None,
    ids: Callable[[Any], Any] | None = None,
    source: Said | None = None,
    clip: Said | None = None,
    view: Said | None = None,
    padded: Said | None = None,
    rank: int | None = None,
    ranks: int | None = None,
    epoch: int = 0,
    step: int = 0,
    resume: bool = False,
    elapsed: bool = False,
) -> Recorded:
    """The loader, recorded: iterated, it hands out the same batches and writes which records they hold.

    Args:
        loader: A `DataLoader`, or any iterable of batches.
        folder: Where the trace goes; each rank has a folder in it.
        field: The field of a batch that holds the record ids. Without it, and without `ids`, they are the indices
            that the sampler gave.
        ids: What makes the record ids of a batch, one for each record.
        source: The field, or function of the batch, that gives the source of each record.
        clip: Likewise, the clip.
        view: Likewise, the number of the view.
        padded: Likewise, whether padding introduced it. Without it, it is known where the sampler is torch's own.
        rank: This process's number; without it, that of the process group or of torchrun, else 0.
        ranks: How many there are.
        epoch: The number of the first pass; each further pass is one more, unless `set_epoch` says otherwise.
        step: Of the first pass, the number of its first batch.
        resume: Whether the folder may hold an earlier part of the run; so it may where `epoch` or `step` is not 0.
        elapsed: Whether to write the seconds, since the recorder was made, at which each batch was handed out.

    Raises:
        SpecError: E801: pyarrow is missing. E802: another writer is at work there. E803: it cannot be written to.
            E804: it holds a trace. E809: nothing says what the record ids are. E810: the numbers do not fit.
    """
    if find_spec("pyarrow") is None:
        raise fail("E801", "recording needs pyarrow: `pip install 'epochproof[audit]'`", None)
    if field is not None and ids is not None:
        raise fail("E810", "`field` and `ids` are both given", None, help="give one of the two")
    if epoch < 0 or step < 0:
        raise fail("E810", f"`epoch` is {epoch} and `step` is {step}", None, help="both are counted from 0")
    columns = Columns(field if ids is None else ids, source, clip, view, padded)
    inner = inside(loader)
    if columns.ids is None and not (inner and inner.indexed):
        told = f"nothing says which records a {type(loader).__name__} hands out"
        cure = "`field=` names the field of a batch that holds their ids, `ids=` makes them of a batch"
        raise fail("E809", told, None, help=cure)
    origin = Origin(*world(rank, ranks), _workers(loader), _size(loader), _versions())
    writer = Writer(Path(folder), origin, resumed=resume or bool(epoch or step))
    return Recorded(loader, inner, columns, writer, (epoch, step), elapsed=elapsed)


class Recorded:
    """A loader whose passes are recorded; what it has itself not, the loader has."""

    def __init__(
        self,
        loader: Any,
        inner: Tapped | None,
        columns: Columns,
        writer: Writer,
        start: tuple[int, int],
        *,
        elapsed: bool,
    ) -> None:
        self._loader, self._inner, self._writer = loader, inner, writer
        self._epoch, self._step = start
        self._rows = Rows(writer, columns, monotonic() if elapsed else None)
        self._tap = Tap(data=inner is not None and inner.wrapped and not columns.none)
        detach = attach(inner.loader, self._tap) if inner else None
        self._close, self._end = writer.close, finalize(self, _end, writer, detach)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        self._writer.own()
        inner, queue = self._inner, deque[Fetched]()
        self._tap.queue = queue if inner and inner.wrapped else None
        iterator = iter(self._loader)
        if inner and not inner.wrapped and not fill(iterator, queue):
            cure = "record it before its first pass, or name the ids: `field=` or `ids=`"
            raise fail(
                "E809", "the loader keeps workers that it started before it was recorded", None, help=cure
            )
        skipped = inner.skipped if inner else 0
        step = self._step or int(getattr(iterator, "_num_yielded", 0)) or skipped
        epoch, self._epoch, self._step = self._epoch, self._epoch + 1, 0
        if not self._writer.begun:
            self._writer.begin(epoch, step)
        self._rows.padding = padding_of(inner.loader) if inner and inner.indexed else None
        return Pass(iterator, queue if inner else None, self._rows, epoch, step, skipped)

    def set_epoch(self, epoch: int) -> None:
        """Says which epoch the next pass is, also to the loader, if it wants to know."""
        self._epoch = epoch
        if hasattr(self._loader, "set_epoch"):
            self._loader.set_epoch(epoch)

    def close(self) -> None:
        """Ends the trace of this run; a job that dies without it leaves a trace that is read all the same.

        Raises:
            SpecError: E803: the last part cannot be made Parquet; its journal stays, and is read.
        """
        if self._end.alive:
            self._close()
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._end()


def _end(writer: Writer, detach: Callable[[], None] | None) -> None:
    if detach:
        detach()
    close_quietly(writer)


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
