"""Pictures show what the lists deliver, and nothing that is too large."""

from __future__ import annotations

from epochproof.prove.session import load
from epochproof.schedule.loader import Loader
from epochproof.schedule.picture import MOST_POSITIONS, MOST_TOLD, Picture, Row, picture, pictures
from epochproof.schedule.tale import tale

PADDED = """edition 1
dataset records { size in 0.. }
loader padded over records {
  ranks in 1..
  shard(ranks, tail = pad)
  batch(3, tail = drop)
  fetch(workers)
  workers in 0..
}
"""
COPIED = """edition 1
dataset records { size = 3 }
loader copied over records {
  style   = iterable
  ranks   = 2
  workers = 2
  shard(ranks)
  copy(workers)
  batch(2)
}
"""


def loader(text: str) -> Loader:
    (found,) = load(text).loaders.values()
    return found


def drawn(text: str, **values: int) -> Picture:
    names = {"size": "records.size", "ranks": "padded.ranks", "workers": "padded.workers"}
    found = picture(loader(text), {names[name]: value for name, value in values.items()})
    assert found is not None
    return found


def shown(row: Row) -> list[str]:
    """`0*` for a record that is read again, `0+` for padding, `-` for a step that does not exist."""
    return [
        "-"
        if step is None
        else " ".join(f"{each.record}{'+' * each.padded}{'*' * (each.times > 1)}" for each in step)
        for step in row.steps
    ]


def test_rows_are_ranks_and_columns_are_steps() -> None:
    found = drawn(PADDED, size=10, ranks=3, workers=0)

    assert [(row.rank, row.worker, shown(row)) for row in found.rows] == [
        (0, None, ["0 3 6"]),
        (1, None, ["1 4 7"]),
        (2, None, ["2 5 8"]),
    ]
    assert (found.omitted, found.repeated, found.occurrences, found.steps) == ((9,), (), 9, 1)


def test_padding_and_repeats_are_told_apart() -> None:
    found = drawn(PADDED, size=5, ranks=2, workers=0)

    assert [shown(row) for row in found.rows] == [["0* 2 4"], ["1 3 0+*"]]
    assert (found.omitted, found.repeated) == ((), (0,))


def test_worker_processes_have_rows_of_their_own() -> None:
    found = drawn(PADDED, size=9, ranks=1, workers=2)

    assert [(row.worker, shown(row)) for row in found.rows] == [
        (0, ["0 1 2", "", "6 7 8"]),
        (1, ["", "3 4 5", ""]),
    ]


def test_workers_of_a_stream_take_turns_and_ranks_end_apart() -> None:
    (found,) = (picture(loader(COPIED), {}),)

    assert found is not None
    assert [(row.rank, row.worker, shown(row)) for row in found.rows] == [
        (0, 0, ["0* 2*", ""]),
        (0, 1, ["", "0* 2*"]),
        (1, 0, ["1*", ""]),
        (1, 1, ["", "1*"]),
    ]
    assert found.streams == 2


def test_a_rank_without_a_step_is_not_a_rank_that_waits() -> None:
    uneven = PADDED.replace("tail = pad", "tail = uneven").replace("tail = drop", "tail = keep")

    found = drawn(uneven, size=7, ranks=2, workers=1)

    assert [shown(row) for row in found.rows] == [["0 2 4", "6"], ["1 3 5", "-"]]


def test_nothing_at_all_is_a_picture_too() -> None:
    found = drawn(PADDED, size=0, ranks=2, workers=1)

    assert (found.steps, found.omitted, found.counts) == (0, (), {})


def test_large_worlds_are_not_drawn() -> None:
    small = {"padded.ranks": 1, "padded.workers": 0}

    assert picture(loader(PADDED), {**small, "records.size": MOST_POSITIONS // 2 - 2}) is not None
    assert picture(loader(PADDED), {**small, "records.size": MOST_POSITIONS}) is None
    assert picture(loader(PADDED), {**small, "records.size": 10**12}) is None
    assert picture(loader(PADDED), {**small, "records.size": 3, "padded.ranks": 10**9}) is None


def test_pictures_are_one_more_than_stages() -> None:
    values = {"records.size": 10, "padded.ranks": 3, "padded.workers": 1}

    found = pictures(loader(PADDED), values)

    assert [each.occurrences if each else None for each in found] == [30, 12, 9, 9]


def test_tale_says_what_each_stage_does() -> None:
    values = {"records.size": 10, "padded.ranks": 3, "padded.workers": 1}

    found = tale(loader(PADDED), values)

    assert [(each.name, each.dropped, each.added, each.dealt, each.grouped) for each in found] == [
        ("", (), (), False, False),
        ("shard", (), (0, 1), True, False),
        ("batch", (9,), (), False, True),
        ("fetch", (), (), False, False),
    ]


def test_tale_sees_a_shuffle_move_and_lanes_that_nobody_deals_to() -> None:
    shuffled = loader(COPIED.replace("shard(ranks)", "shuffle(seed = 5, reseed = epoch)"))

    found = tale(shuffled, {})

    assert [each.moved for each in found] == [False, True, False, False]
    assert [each.added for each in found] == [(), (), (), ()]
    assert [each.picture.streams for each in found] == [4, 4, 4, 4]


def test_tale_of_a_large_world_is_not_told() -> None:
    assert tale(loader(PADDED), {"records.size": MOST_TOLD, "padded.ranks": 3, "padded.workers": 1}) == ()
