"""The writer of one rank: a segment for this run, whose parts are journals first and Parquet later."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from epochproof.audit import about
from epochproof.audit.about import About, Totals
from epochproof.audit.held import Held
from epochproof.audit.part import Part, room, unwritable
from epochproof.audit.schema import Records
from epochproof.audit.seal import seal
from epochproof.diagnostics import SpecError, fail


@dataclass(frozen=True)
class Origin:
    """Who records: one rank of `ranks`; `workers` and `dataset` are `None` where nobody knows them."""

    rank: int
    ranks: int
    workers: int | None = None
    dataset: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)


class Writer:
    """Writes the batches of one rank.

    `put` leaves each batch safe from the death of this process. Full parts become Parquet in `rest`, the last
    one in `close`; until then, and if that fails, their journals are the trace.

    Raises:
        SpecError: E802: another writer holds the rank's folder. E803: it cannot be written to. E804: it holds
            a trace, and this is no resumed run.
    """

    def __init__(self, folder: Path, origin: Origin, *, resumed: bool) -> None:
        self._origin, self._process = origin, os.getpid()
        self._held = Held(folder / f"rank={origin.rank:05}")
        self._earlier = _segments(self._held.folder)
        if self._earlier and not resumed:
            self._held.release()
            cure = "write `resume=True` where a run goes on, or give a new run a new folder"
            raise fail("E804", f"`{folder}` holds a trace of rank {origin.rank}", None, help=cure)
        self._about: About | None = None
        self._segment = self._held.folder
        self._part: Part | None = None
        self._full: list[Part] = []
        self._parts = self._rows = 0
        self.records: Records | None = None

    @property
    def begun(self) -> bool:
        """Whether there is a segment."""
        return self._about is not None

    def begin(self, epoch: int, step: int) -> None:
        """Opens the segment, which says where the run begins.

        Raises:
            SpecError: E803: nothing can be written.
        """
        self.own()
        number = max(self._earlier, default=-1) + 1
        told = self._origin
        self._segment = self._held.folder / f"segment={number:05}"
        self._about = About(
            told.rank, told.ranks, number, epoch, step, told.workers, told.dataset, told.versions
        )
        try:
            self._segment.mkdir()
            about.write(self._segment, self._about)
        except OSError as error:
            raise unwritable(self._segment, error) from None
        self._part = self._next(b"")

    def own(self) -> None:
        """Raises where this is another process: a copy of the writer would write over the real one."""
        if os.getpid() != self._process:
            cure = "call `record` in the process that trains"
            told = f"`{self._held.folder}` is being written to by the process that this one was forked from"
            raise fail("E802", told, None, help=cure)

    def refuse_other(self, records: Records) -> None:
        """Raises where the ids of earlier batches are of another type than `records`."""
        self.records = self.records or records
        if self.records != records:
            kinds = {"int64": "whole numbers", "string": "texts"}
            told = f"record ids are {kinds[records]} here, and were {kinds[self.records]} before"
            raise fail("E809", told, None, help="a trace has ids of one kind; `ids=` may make them")

    def put(self, body: bytes) -> None:
        """Writes a frame.

        Raises:
            SpecError: E803: the disk is full.
        """
        open_part = self._part
        if open_part is None:
            raise fail("E802", f"`{self._held.folder}` is closed", None, help="record before it is closed")
        if not open_part.put(body):
            open_part.close()
            self._full.append(open_part)
            self._part = None  # as long as there is no room for another one
            self._part = open_part = self._next(body)
            open_part.put(body)

    def rest(self) -> None:
        """Makes the full parts Parquet; called where the training pauses."""
        while self._full:
            self._seal(self._full[0])
            del self._full[0]

    def close(self) -> None:
        """Ends the segment: every part is Parquet, and `about.json` says how much there is.

        Raises:
            SpecError: E803: Parquet cannot be written; the journals stay, and are the trace.
        """
        if os.getpid() != self._process:
            return
        try:
            if self._part is not None:
                self._part.close()
                self._full.append(self._part)
                self._part = None
            self.rest()
            if self._about is not None:
                totals = Totals(self._parts, self._rows)
                about.write(self._segment, replace(self._about, totals=totals))
        except OSError as error:
            raise unwritable(self._segment, error) from None
        finally:
            self._held.release()

    def _next(self, first: bytes) -> Part:
        made = Part(self._segment / f"part-{self._parts:05}.journal", room(self._parts, first))
        self._parts += 1
        return made

    def _seal(self, full: Part) -> None:
        try:
            self._rows += seal(full.path, self._origin.rank, full.path.with_suffix(".parquet"))
            full.path.unlink()
        except OSError as error:
            raise unwritable(full.path.with_suffix(".parquet"), error) from None


def close_quietly(writer: Writer) -> None:
    """Closes at the end of the process, or beside another error: what fails leaves journals, to be read."""
    with suppress(SpecError):
        writer.close()


def _segments(folder: Path) -> list[int]:
    found = (re.fullmatch(r"segment=(\d+)", each.name) for each in folder.iterdir())
    return [int(each[1]) for each in found if each]
