"""Populations as datasets give them: a size, files of one size, or files that are listed."""

from __future__ import annotations

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from epochproof.term.node import constant


def size(settings: str) -> int | None:
    spec = epochproof.load(f"edition 1\ndataset d {{ {settings} }}\nloader l over d {{ batch(1) }}\n")
    return constant(spec.populations["d"].size)


@pytest.mark.parametrize(
    ("settings", "records"),
    [
        ("size = 10", 10),
        ("files = 3 rows = 4", 12),
        ("rows = [3, 0, 2]", 5),
        ("files = 3 rows = [3, 0, 2]", 5),
        ("rows = [2 * 3]", 6),
    ],
)
def test_size(settings: str, records: int) -> None:
    assert size(settings) == records


@pytest.mark.parametrize(
    ("settings", "message", "cure"),
    [
        ("rows = [3, -1]", "`rows` must be at least 0, and is -1 here", "write 0 or more"),
        ("rows in [3, 1]", "`in` takes a range or a set", "write `in 1..64`"),
        ("size = [3]", "a number is needed here", "write a number"),
        ("files = 3 rows = [3, 1]", "`d` has 2 listed files and another number of `files`", "leave `files`"),
        ("size = 4 rows = [3, 1]", "the size of dataset `d` is given twice", "write its `size`"),
        (f"rows = [{', '.join('1' * 129)}]", "`d` lists 129 files", "list at most 128"),
    ],
)
def test_faults_are_named(settings: str, message: str, cure: str) -> None:
    with pytest.raises(SpecError) as caught:
        size(settings)

    (found,) = caught.value.diagnostics
    assert found.message == message
    assert found.help.startswith(cure)
