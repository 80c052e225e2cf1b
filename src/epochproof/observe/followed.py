"""A loader that a framework iterates: what it fetches is kept until the framework says that it is used."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any
from weakref import finalize

from epochproof.audit.writer import close_quietly
from epochproof.observe.columns_of import Columns
from epochproof.observe.one_pass import UNTOLD, Ahead, Rows, Setting
from epochproof.observe.opened import refuse_unknown, writer_for
from epochproof.observe.padding_of import padding_of
from epochproof.observe.tap import Tap
from epochproof.observe.tapped import inside


class Followed:
    """Records one loader of one rank, from the framework's calls.

    Args:
        loader: What the framework iterates.
        folder: Where the trace goes.
        columns: What a batch is asked for.
        world: This rank, of how many.
        resumed: Whether the folder may hold an earlier part of the run.
        elapsed: Whether to write when each batch was used.

    Raises:
        SpecError: The loader's records cannot be known, or the folder cannot be written to.
    """

    def __init__(
        self,
        loader: Any,
        folder: str | Path,
        columns: Columns,
        world: tuple[int, int],
        *,
        resumed: bool,
        elapsed: bool,
    ) -> None:
        inner = inside(loader)
        refuse_unknown(loader, inner, columns)
        self._writer = writer_for(loader, folder, world, resumed=resumed)
        self._setting = Setting(self._writer, columns, monotonic() if elapsed else None)
        self._ahead, self._taps, self._inner = Ahead(keeps=not columns.none), list[Tap](), inner
        self._rows: Rows | None = None
        self._end = finalize(self, close_quietly, self._writer)
        self._tap()

    def instead(self, loader: Any) -> None:
        """Goes on with another loader, which the framework made of the first one."""
        self._inner = inside(loader)
        self._tap()

    def begin(self, epoch: int, step: int) -> None:
        """A pass begins, with the batch that has the number `step`."""
        if not self._writer.begun:
            self._writer.begin(epoch, step)
        inner = self._inner
        self._rows = Rows(self, self._setting, padding_of(inner) if inner else None, epoch, step)

    def used(self, data: Any = None) -> None:
        """The next batch is used; `data` is the batch, if the framework shows it.

        Raises:
            SpecError: The batch does not tell what it holds, or the disk is full.
        """
        told = self._ahead.next() if self._inner else UNTOLD
        worker, indices, at, kept = told
        if self._rows is not None:
            self._rows.fetched(worker, indices, at, data if kept is None else kept)

    def over(self) -> None:
        """A pass is over: what was fetched and not used by now never is."""
        self._ahead.clear()
        self._rows = None
        self._writer.rest()

    def close(self) -> None:
        """Ends the trace of this run.

        Raises:
            SpecError: E803: the last part cannot be made Parquet; its journal stays, and is read.
        """
        for tap in self._taps:
            tap.close()
        if self._end.alive:
            self._writer.close()
        self._end()

    def leave(self) -> None:
        """Ends it beside another error."""
        for tap in self._taps:
            tap.close()
        self._end()

    def _tap(self) -> None:
        if self._inner is not None:
            self._taps.append(Tap(self._inner.loader))
            self._ahead.clear(skipped=self._inner.skipped)
            self._taps[-1].listener = self._ahead
