"""A trace as it is opened: its segments, and the Parquet files that hold their rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from epochproof.audit import about
from epochproof.audit.about import About
from epochproof.audit.schema import COLUMNS, VERSION, Records, arrow_schema
from epochproof.audit.seal import seal
from epochproof.diagnostics import fail

_PART = re.compile(r"part-(\d+)\.(parquet|journal)")


@dataclass(frozen=True)
class Segment:
    """One run of one rank.

    `files` are Parquet, in the order in which their rows were read; a file without rows is left out.
    `recovered` says that its writer did not close it: the job was killed, or still runs.
    """

    about: About
    files: tuple[Path, ...]
    rows: int
    recovered: bool


@dataclass(frozen=True)
class Trace:
    """A folder with what each rank read; `records` is the type of the record ids."""

    folder: Path
    records: Records
    segments: tuple[Segment, ...]

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Every file, by rank, segment and part: what an engine scans."""
        return tuple(file for each in self.segments for file in each.files)

    @cached_property
    def rows(self) -> int:
        """The occurrences of all ranks."""
        return sum(each.rows for each in self.segments)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks that wrote something, ascending."""
        return tuple(sorted({each.about.rank for each in self.segments}))


CODES = frozenset({"E805", "E806", "E807", "E808"})
"""What is wrong with a trace, and is not to be looked for in the spec."""


@contextmanager
def open_trace(folder: Path, *, every_rank: bool = True) -> Iterator[Trace]:
    """The trace in `folder`, which stays as it is: what its writers left as journals is copied into Parquet.

    The copies are in a temporary folder of the same layout, and end with the context.

    Raises:
        SpecError: E807: there is no trace. E805: a segment says nothing of itself, or is of another version.
            E806: a part is missing, truncated, damaged, or has other columns. E808: a rank is missing, and
            `every_rank` wants them all.
    """
    with TemporaryDirectory(prefix="epochproof-trace-") as place:
        found = [_segment(each, Path(place) / each.relative_to(folder)) for each in _segment_folders(folder)]
        segments = tuple(each for each in found if each is not None)
        if not segments:
            raise fail("E807", f"`{folder}` holds no trace: nothing was recorded there", None)
        if every_rank:
            _refuse_missing_ranks(folder, segments)
        yield Trace(folder, _one_type(segments), segments)


def _segment_folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "is not there"
        raise fail("E807", f"`{folder}` {what}", None, help="a trace is the folder that `record` was given")
    found = [
        each
        for each in folder.glob("rank=*/segment=*")
        if each.is_dir() and re.fullmatch(r"rank=\d+/segment=\d+", each.relative_to(folder).as_posix())
    ]
    if not found:
        cure = "a trace has folders like `rank=00000/segment=00000`"
        raise fail("E807", f"`{folder}` holds no trace", None, help=cure)
    return sorted(found)


def _segment(folder: Path, place: Path) -> Segment | None:
    """The segment; `None` where its writer was killed before it wrote anything."""
    parts = _parts(folder)
    if not parts and not (folder / about.NAME).exists():
        return None
    told = about.read(folder)
    _refuse_moved(folder, told)
    files, rows = list[Path](), 0
    for at, path in enumerate(parts):
        file, count = path, 0
        if path.suffix == ".journal":
            file, count = _recovered(path, told.rank, place, last=at == len(parts) - 1)
        else:
            count = _rows(path)
        files += [file] if count else []
        rows += count
    if told.totals is not None and (told.totals.parts, told.totals.rows) != (len(parts), rows):
        what = f"{len(parts)} parts and {rows} rows, and had {told.totals.parts} and {told.totals.rows}"
        raise fail("E806", f"`{folder}` has {what} when it was closed", None)
    return Segment(told, tuple(files), rows, told.totals is None)


def _parts(folder: Path) -> list[Path]:
    """The parts in their order; Parquet where a writer was killed before it removed the journal."""
    found: dict[int, Path] = {}
    for path in sorted(folder.iterdir()):
        if (name := _PART.fullmatch(path.name)) and (int(name[1]) not in found or name[2] == "parquet"):
            found[int(name[1])] = path
    missing = sorted(set(range(max(found, default=-1) + 1)) - set(found))
    if missing:
        raise fail("E806", f"`{folder}` lacks part {missing[0]}, and has later ones", None)
    return [found[at] for at in sorted(found)]


def _recovered(path: Path, rank: int, place: Path, *, last: bool) -> tuple[Path, int]:
    place.mkdir(parents=True, exist_ok=True)
    target = place / path.with_suffix(".parquet").name
    try:
        return target, seal(path, rank, target, last=last)
    except OSError as error:
        told = (error.strerror or str(error)).lower()
        cure = "set TMPDIR to a folder with room for it"
        raise fail("E806", f"`{path}` cannot be copied to `{place}`: {told}", None, help=cure) from None


def _rows(path: Path) -> int:
    """The rows of a part of Parquet, from its footer."""
    import pyarrow as pa  # noqa: PLC0415 -- loaded where a trace is opened
    from pyarrow import parquet  # noqa: PLC0415 -- as above

    try:
        with parquet.ParquetFile(path) as file:
            schema, rows = file.schema_arrow, int(file.metadata.num_rows)
    except (pa.ArrowException, OSError) as error:
        told = "it is truncated, or no parquet" if isinstance(error, pa.ArrowException) else str(error)
        raise fail("E806", f"`{path}` cannot be read: {told}", None) from None
    if not any(schema.equals(arrow_schema(each)) for each in ("int64", "string")):
        raise fail("E806", f"`{path}` {_apart(schema)}", None, help=f"`{VERSION}` is in spec/trace.md")
    return rows


def _apart(schema: object) -> str:
    """How a schema differs first."""
    held = {each.name: str(each.type) for each in schema}  # type: ignore[attr-defined]  # pyarrow has no types
    for each in COLUMNS:
        if each.name not in held:
            return f"has no column `{each.name}`"
        right = ("int64", "string") if each.name == "record" else (each.type.replace("float64", "double"),)
        if held[each.name] not in right:
            return f"has `{each.name}` as {held[each.name]}, not {' or '.join(right)}"
    further = [each for each in held if each not in {column.name for column in COLUMNS}]
    return f"has a further column `{further[0][:60]}`" if further else "has its columns in another order"


def _refuse_moved(folder: Path, told: About) -> None:
    if (f"rank={told.rank:05}", f"segment={told.segment:05}") != (folder.parent.name, folder.name):
        what = f"says that it is segment {told.segment} of rank {told.rank}"
        raise fail("E805", f"`{folder / about.NAME}` {what}: it was moved", None)


def _refuse_missing_ranks(folder: Path, segments: tuple[Segment, ...]) -> None:
    for ranks in sorted({each.about.ranks for each in segments}):
        there = {each.about.rank for each in segments if each.about.ranks == ranks}
        missing = sorted(set(range(ranks)) - there)
        if missing:
            told = f"rank {missing[0]}" + (f" and {len(missing) - 1} more" if missing[1:] else "")
            cure = "copy the folders of all ranks to one place"
            raise fail("E808", f"`{folder}` lacks {told} of {ranks} ranks", None, help=cure)


def _one_type(segments: tuple[Segment, ...]) -> Records:
    from pyarrow import parquet  # noqa: PLC0415 -- as above

    kinds: dict[str, Path] = {}
    for each in segments:
        for file in each.files[:1]:
            kinds.setdefault(str(parquet.read_schema(file).field("record").type), file)
    if len(kinds) > 1:
        told = " and ".join(f"`{file}` as {kind}" for kind, file in sorted(kinds.items()))
        raise fail("E806", f"record ids have two types: {told}", None)
    return "string" if "string" in kinds else "int64"
