"""The journal of a part: one frame a batch, in a file whose frames survive the death of their writer.

A frame is written into memory that the file is mapped to, its body first and its length last, so that a
process that is killed at any moment leaves whole frames and then zeros. `spec/trace.md` has the layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from struct import Struct, unpack_from
from typing import Literal, NamedTuple
from zlib import crc32

from epochproof.diagnostics import fail

MAGIC = b"epochproof trace journal 1\n".ljust(32, b"\0")
"""How a journal begins."""

HEAD = Struct("<II")
"""Of a frame: the bytes of its body without the filling, and their CRC-32."""

_FIXED = Struct("<iiqIId")
_NONE = 0xFFFFFFFF
_NO_VIEW = -(2**31)

END = HEAD.pack(0xFFFFFFFF, 0)
"""Stands where the next frame would: its writer went on to another part, or closed the segment."""

TEXTS, SOURCE, CLIP, VIEW, PADDED, ELAPSED, NARROW, UNPADDED = (1 << bit for bit in range(8))
"""What a frame holds: record ids as texts, further columns, ids in four bytes each, no padding at all."""


@dataclass(frozen=True)
class Batch:
    """One batch as it was handed out; each column but `records` is `None` where it is not known."""

    epoch: int
    worker: int
    step: int
    records: Sequence[int] | Sequence[str]
    source: Sequence[str | None] | None = None
    clip: Sequence[str | None] | None = None
    view: Sequence[int | None] | None = None
    padded: Sequence[bool | None] | None = None
    elapsed: float | None = None


def narrow(rows: int) -> Struct:
    """Packs the body of a `NARROW` frame, which is all that most need: the fixed fields, then `rows` ids."""
    return Struct(f"<iiqIId{rows}I")


def body(batch: Batch) -> bytes:
    """The body of the frame of any batch; one of whole numbers alone is what `packer` packs."""
    rows = len(batch.records)
    texts = any(isinstance(each, str) for each in batch.records)
    flags, parts = TEXTS if texts else 0, [_texts(batch.records) if texts else _numbers(batch.records)]
    for flag, column in ((SOURCE, batch.source), (CLIP, batch.clip)):
        if column is not None:
            flags, parts = flags | flag, [*parts, _texts(column)]
    if batch.view is not None:
        views = (_NO_VIEW if each is None else each for each in batch.view)
        flags, parts = flags | VIEW, [*parts, Struct(f"<{rows}i").pack(*views)]
    if batch.padded is not None:
        flags, parts = flags | PADDED, [*parts, bytes(2 if each is None else each for each in batch.padded)]
    flags |= ELAPSED if batch.elapsed is not None else 0
    fixed = _FIXED.pack(batch.epoch, batch.worker, batch.step, rows, flags, batch.elapsed or 0.0)
    return b"".join([fixed, *parts])


def _numbers(held: Sequence[object]) -> bytes:
    return Struct(f"<{len(held)}q").pack(*held)


def _texts(held: Sequence[object]) -> bytes:
    coded = [None if each is None else str(each).encode() for each in held]
    sizes = (_NONE if each is None else len(each) for each in coded)
    return Struct(f"<{len(coded)}I").pack(*sizes) + b"".join(each for each in coded if each is not None)


Padded = list[bool | None] | Literal[False] | None
"""Whether each row is padding; `False`: none of them; `None`: not known of any."""


class Frame(NamedTuple):
    """A frame that was read; ids that are no texts are in `numbers`, four or eight bytes each."""

    epoch: int
    worker: int
    step: int
    rows: int
    numbers: bytes | None
    texts: list[str | None] | None
    source: list[str | None] | None
    clip: list[str | None] | None
    view: list[int | None] | None
    padded: Padded
    elapsed: float | None


def frames(path: Path, *, last: bool = True) -> Iterator[Frame]:
    """The frames of a journal in their order; one that its writer did not finish is left out.

    Args:
        path: The journal.
        last: Whether its segment has no later part, so that it may end anywhere.

    Raises:
        SpecError: E806: it cannot be read, is no journal, or is damaged.
    """
    try:
        held = path.read_bytes()
    except OSError as error:
        raise fail("E806", f"`{path}` cannot be read: {(error.strerror or '').lower()}", None) from None
    if held[: len(MAGIC)] != MAGIC[: len(held)]:
        raise fail("E806", f"`{path}` is no journal of a trace", None)
    at, number = len(MAGIC), 0
    while size := _whole(held, at):
        yield _frame(held, at + HEAD.size)
        at, number = at + HEAD.size + filled(size), number + 1
    told = "the batch before it is whole" if number == 1 else f"the {number} batches before it are whole"
    if _goes_on(held, at):
        raise fail("E806", f"`{path}` is damaged at byte {at}", None, help=told)
    if not last and held[at : at + HEAD.size] != END:
        cure = "its segment has later parts, so this one was cut off after it was written"
        raise fail("E806", f"`{path}` ends at byte {at}, in the middle of its part", None, help=cure)


def filled(size: int) -> int:
    """The bytes that a body takes: frames begin at multiples of eight."""
    return -(-size // 8) * 8


def _whole(held: bytes, at: int) -> int:
    """The size of the body of the frame at `at`; 0 where no whole frame stands."""
    if at + HEAD.size + _FIXED.size > len(held):
        return 0
    size, check = HEAD.unpack_from(held, at)
    start = at + HEAD.size
    fits = _FIXED.size <= size <= len(held) - start
    return size if fits and crc32(memoryview(held)[start : start + size]) == check else 0


def _goes_on(held: bytes, at: int) -> bool:
    """Whether frames follow one that is not whole; without a size it is the one that was being written."""
    head = held[at : at + HEAD.size]
    if len(head) < HEAD.size or head in (END, bytes(HEAD.size)):
        return False
    after = at + HEAD.size + filled(HEAD.unpack(head)[0])
    return any(memoryview(held)[after:])


def _frame(held: bytes, at: int) -> Frame:
    epoch, worker, step, rows, flags, elapsed = _FIXED.unpack_from(held, at)
    at += _FIXED.size
    numbers = texts = None
    if flags & TEXTS:
        texts, at = _read_texts(held, at, rows)
    else:
        wide = 4 if flags & NARROW else 8
        numbers, at = held[at : at + wide * rows], at + wide * rows
    source = clip = None
    if flags & SOURCE:
        source, at = _read_texts(held, at, rows)
    if flags & CLIP:
        clip, at = _read_texts(held, at, rows)
    view: list[int | None] | None = None
    if flags & VIEW:
        view = [None if each == _NO_VIEW else each for each in unpack_from(f"<{rows}i", held, at)]
        at += 4 * rows
    padded: Padded = False if flags & UNPADDED else None
    if flags & PADDED:
        padded = [(False, True, None)[each] for each in held[at : at + rows]]
    told = elapsed if flags & ELAPSED else None
    return Frame(epoch, worker, step, rows, numbers, texts, source, clip, view, padded, told)


def _read_texts(held: bytes, at: int, rows: int) -> tuple[list[str | None], int]:
    sizes, texts = unpack_from(f"<{rows}I", held, at), list[str | None]()
    at += 4 * rows
    for size in sizes:
        texts.append(None if size == _NONE else held[at : at + size].decode())
        at += 0 if size == _NONE else size
    return texts, at
