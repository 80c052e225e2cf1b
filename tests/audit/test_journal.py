"""A journal gives back what was put into it, and says what is wrong with one that was cut or changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochproof.audit.journal import END, HEAD, MAGIC, Batch, Frame, body, frames
from epochproof.audit.part import Part
from epochproof.diagnostics import SpecError
from tests.traces import told

TEXT = st.none() | st.text(max_size=9)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Any batch."""
    rows = draw(st.integers(0, 5))

    def column(of: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        return st.lists(of, min_size=rows, max_size=rows)

    ids = st.integers(-(2**63), 2**63 - 1) if draw(st.booleans()) else st.text(max_size=9)
    return Batch(
        draw(st.integers(0, 2**31 - 1)),
        draw(st.integers(-1, 2**31 - 1)),
        draw(st.integers(0, 2**63 - 1)),
        draw(column(ids)),  # type: ignore[arg-type]
        draw(st.none() | column(TEXT)),  # type: ignore[arg-type]
        draw(st.none() | column(TEXT)),  # type: ignore[arg-type]
        draw(st.none() | column(st.none() | st.integers(-(2**31) + 1, 2**31 - 1))),  # type: ignore[arg-type]
        draw(st.none() | column(st.none() | st.booleans())),  # type: ignore[arg-type]
        draw(st.none() | st.floats(0, 1e9)),
    )


def written(path: Path, some: list[Batch], *, closed: bool = True) -> Path:
    path.unlink(missing_ok=True)
    part = Part(path, 2**14)
    for each in some:
        assert part.put(body(each))
    if closed:
        part.close()
    return path


def numbers(frame: Frame) -> list[int]:
    wide = len(frame.numbers or b"") // max(frame.rows, 1)
    held = frame.numbers or b""
    return [
        int.from_bytes(held[at : at + wide], "little", signed=True) for at in range(0, len(held), wide or 1)
    ]


@given(some=st.lists(batches(), max_size=4), closed=st.booleans())
def test_what_is_put_into_a_journal_comes_out(
    *, some: list[Batch], closed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.getbasetemp() / "part.journal", some, closed=closed)

    found = list(frames(path))
    assert [(each.epoch, each.worker, each.step, each.rows) for each in found] == [
        (each.epoch, each.worker, each.step, len(each.records)) for each in some
    ]
    for frame, batch in zip(found, some, strict=True):
        assert (frame.texts if frame.texts is not None else numbers(frame)) == list(batch.records)
        assert (frame.source, frame.clip, frame.view, frame.padded, frame.elapsed) == (
            batch.source,
            batch.clip,
            batch.view,
            batch.padded,
            batch.elapsed,
        )


THREE = [Batch(0, 0, step, [step, step + 1]) for step in range(3)]
FRAME = 8 + 32 + 16


def test_writer_that_dies_within_a_frame_leaves_those_before_it(tmp_path: Path) -> None:
    """The length is written last: until then there is no frame, however much of its body is there."""
    path = written(tmp_path / "part.journal", THREE, closed=False)
    whole = path.read_bytes()
    head = len(MAGIC) + 2 * FRAME
    for there in range(FRAME - 8):
        torn = bytearray(whole)
        torn[head : head + 8] = bytes(8)
        torn[head + 8 + there : head + FRAME] = bytes(FRAME - 8 - there)
        path.write_bytes(torn)

        assert [each.step for each in frames(path)] == [0, 1]


def test_journal_that_is_cut_gives_its_whole_frames(tmp_path: Path) -> None:
    path = written(tmp_path / "part.journal", THREE, closed=False)
    held = path.read_bytes()
    for length in range(len(MAGIC) + 3 * FRAME):
        path.write_bytes(held[:length])

        assert len(list(frames(path))) == max(length - len(MAGIC), 0) // FRAME


def test_journal_that_is_cut_and_has_later_parts_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "part.journal", THREE)
    assert len(list(frames(path, last=False))) == 3
    path.write_bytes(path.read_bytes()[: -len(END)])

    with pytest.raises(SpecError) as raised:
        list(frames(path, last=False))

    end = len(MAGIC) + 3 * FRAME
    assert told(raised.value) == ("E806", f"`{path}` ends at byte {end}, in the middle of its part")


def test_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "part.journal", THREE)
    right = path.read_bytes()
    for at in range(len(MAGIC), len(MAGIC) + 2 * FRAME):
        held = bytearray(right)
        held[at] ^= 0x41
        path.write_bytes(held)

        with pytest.raises(SpecError, match=r"is damaged at byte|in the middle of its part"):
            list(frames(path, last=False))


def test_damage_says_how_much_is_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "part.journal", THREE)
    held = bytearray(path.read_bytes())
    held[len(MAGIC) + FRAME + 20] ^= 1
    path.write_bytes(held)

    with pytest.raises(SpecError) as raised:
        list(frames(path))

    assert told(raised.value) == ("E806", f"`{path}` is damaged at byte {len(MAGIC) + FRAME}")
    assert raised.value.diagnostics[0].help == "the batch before it is whole"


@pytest.mark.parametrize("held", [b"PAR1....", b"\x00" * 64, b"epochproof trace journal 2\n" + bytes(40)])
def test_another_file_is_no_journal(held: bytes, tmp_path: Path) -> None:
    (tmp_path / "part.journal").write_bytes(held)

    with pytest.raises(SpecError, match="is no journal of a trace"):
        list(frames(tmp_path / "part.journal"))


def test_frame_says_its_length_first() -> None:
    assert HEAD.size == 8 and len(END) == 8 and len(MAGIC) % 8 == 0
