"""The recorder: a live loader, whose batches are written to a trace as they are handed out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self
from weakref import finalize

from epochproof.audit.writer import Writer, close_quietly
from epochproof.diagnostics import fail
from epochproof.observe.columns_of import Columns, Said
from epochproof.observe.one_pass import Ahead, Pass, Rows, Setting
from epochproof.observe.opened import refuse_unknown, writer_for
from epochproof.observe.padding_of import padding_of
from epochproof.observe.tap import Tap, tell
from epochproof.observe.tapped import Tapped, inside
from epochproof.observe.world import world


def record(  # noqa: PLR0913 -- each says one thing about a run
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
        field: The field of a batch that holds the record ids. Without it, and without `ids`, they are the
            indices that the sampler gave.
        ids: What makes the record ids of a batch, one for each record.
        source: The field, or function of the batch, that gives the source of each record.
        clip: Likewise, the clip.
        view: Likewise, the number of the view.
        padded: Likewise, whether padding introduced it. Without it, it is known where the sampler is torch's.
        rank: This process's number; without it, that of the process group or of torchrun, else 0.
        ranks: How many there are.
        epoch: The number of the first pass; each further pass is one more, unless `set_epoch` says otherwise.
        step: Of the first pass, the number of its first batch.
        resume: Whether the folder may hold an earlier part of the run; so it may after `epoch` 0, `step` 0.
        elapsed: Whether to write when each batch was handed out, in seconds since the recorder was made.

    Raises:
        SpecError: E801: pyarrow is missing. E802: another writer is at work there. E803: it cannot be written
            to. E804: it holds a trace. E809: nothing says what the record ids are. E810: numbers do not fit.
    """
    if field is not None and ids is not None:
        raise fail("E810", "`field` and `ids` are both given", None, help="give one of the two")
    if epoch < 0 or step < 0:
        raise fail("E810", f"`epoch` is {epoch} and `step` is {step}", None, help="both are counted from 0")
    columns, inner = Columns(field if ids is None else ids, source, clip, view, padded), inside(loader)
    refuse_unknown(loader, inner, columns)
    writer = writer_for(loader, folder, world(rank, ranks), resumed=resume or bool(epoch or step))
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
        batched = inner is None or inner.loader.batch_sampler is not None
        self._setting = Setting(writer, columns, monotonic() if elapsed else None, batched)
        self._tap = Tap(inner.loader) if inner else None
        self._end = finalize(self, _end, writer, self._tap)

    def __getattr__(self, name: str) -> Any:
        if name == "_loader":  # a copy that is not filled yet
            raise AttributeError(name)
        return getattr(self._loader, name)

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        self._writer.own()
        inner, iterator = self._inner, iter(self._loader)
        skipped = inner.skipped if inner else 0
        known = int(getattr(iterator, "_num_yielded", 0)) or skipped
        step = self._step or known
        epoch, self._epoch, self._step = self._epoch, self._epoch + 1, 0
        if not self._writer.begun:
            self._writer.begin(epoch, step)
        padding = padding_of(inner) if inner and step == known else None
        rows = Rows(self, self._setting, padding, epoch, step)
        if inner and not inner.wrapped:
            return self._told(iterator, rows)
        ahead = Ahead(keeps=not self._setting.columns.none, skipped=skipped)
        return Pass(iterator, rows, self._tap, ahead)

    def _told(self, iterator: Iterator[Any], rows: Rows) -> Iterator[Any]:
        """The iterator of torch itself, which tells the rows."""
        if tell(iterator, rows):
            return iterator
        if self._setting.columns.ids is not None:
            return Pass(iterator, rows, None, Ahead(keeps=False))
        cure = "record it before its first pass, or name the ids: `field=` or `ids=`"
        raise fail(
            "E809", "the loader keeps workers that were started before it was recorded", None, help=cure
        )

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
            self._writer.close()
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


def _end(writer: Writer, tap: Tap | None) -> None:
    if tap:
        tap.close()
    close_quietly(writer)
