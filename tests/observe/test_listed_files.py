"""Files of listed sizes, dealt to real worker processes."""

from __future__ import annotations

import pytest

from tests.observe.bench import ran

SPEC = """edition 1
dataset d {{ rows = {rows} }}
loader l over d {{
  style = iterable
  ranks = {ranks}
  workers = {workers}
  shard({deal}, by = file)
  batch(2, tail = drop)
}}
loader m over d {{ ranks = {ranks}, shard(ranks, by = file, tail = pad) }}
"""


@pytest.mark.parametrize("deal", ["workers", "ranks * workers", "ranks * workers, id = worker_major"])
@pytest.mark.parametrize("rows", ["[5]", "[3, 1, 4, 1, 5]", "[0, 7, 0]"])
def test_model_is_torch(rows: str, deal: str) -> None:
    for ranks, workers in ((1, 0), (2, 2), (1, 3)):
        found = ran(SPEC.format(rows=rows, ranks=ranks, workers=workers, deal=deal))

        assert [each.difference for each in found.loaders] == [None, None]
        assert found.loaders[0].with_workers == 1
