"""The presets of datasets deliver what its own functions do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.presets.grid import ENOUGH, Grid, Steps, World, awkward, singly

pytest.importorskip("datasets")


def split(world: World) -> Sequence[Steps]:
    from datasets import Dataset  # noqa: PLC0415 -- takes a second
    from datasets.distributed import split_dataset_by_node  # noqa: PLC0415 -- as above

    records = Dataset.from_dict({"record": list(range(world.size))})
    return [
        singly(list(split_dataset_by_node(records, rank, world.ranks)["record"]))
        for rank in range(world.ranks)
    ]


def first_of_nothing(world: World) -> bool:
    """It raises where a rank's run would start at the end, as with fewer records than ranks."""
    return 0 < world.size < world.ranks


SPLIT = Grid(
    "datasets.split_dataset_by_node",
    split,
    sizes=range(260),
    ranks=(*range(1, 21), 32),
    epochs=(0,),
    apart=first_of_nothing,
)


def test_some_worlds_agree() -> None:
    assert awkward(SPLIT, padded=False)
    assert SPLIT.agree(most=60) == 60


@pytest.mark.slow
def test_all_worlds_agree() -> None:
    assert SPLIT.agree() >= ENOUGH
