"""What torchdata's `StatefulDataLoader` restores exactly, and where the model says what is lost.

`reference/pytorch.md` 5.3: 12 records in batches of 3, stopped after 2 steps, the process started anew.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from torch.utils.data import DistributedSampler, SequentialSampler
from torchdata.stateful_dataloader import StatefulDataLoader

import epochproof
from epochproof.observe.torch_room import quiet

SIZE, BATCH, STOP = 12, 3, 2
RECORDS = list(range(SIZE))


def loader(kind: str, told: int | None) -> Any:
    """A new process's loader, whose sampler is told an epoch, or nothing."""
    if kind == "sequential":
        sampler: Any = SequentialSampler(RECORDS)
    else:
        sampler = DistributedSampler(RECORDS, 1, 0, shuffle=True, seed=0)
        if told is not None:
            sampler.set_epoch(told)
    return StatefulDataLoader(RECORDS, batch_size=BATCH, sampler=sampler, collate_fn=list)


def restored(kind: str, epoch: int, told: int | None) -> tuple[list[int], list[int], list[int]]:
    """What is lost and what is read again in an epoch that is stopped, and what the next epoch reads."""
    with quiet():
        first = loader(kind, epoch)
        batches = iter(first)
        before = [record for batch in islice(batches, STOP) for record in batch]
        state = first.state_dict()
        second = loader(kind, told)
        second.load_state_dict(state)
        after = [record for batch in second for record in batch]
        if kind != "sequential" and told is not None:
            second.sampler.set_epoch(told + 1)
        following = [record for batch in second for record in batch]
    read = Counter(before + after)
    missing, again = Counter(RECORDS) - read, read - Counter(RECORDS)
    return sorted(missing), sorted(again.elements()), following


def order(kind: str, epoch: int) -> list[int]:
    """What an epoch reads that nothing interrupts."""
    return [record for batch in loader(kind, epoch) for record in batch]


@pytest.mark.parametrize("epoch", [0, 1])
@pytest.mark.parametrize("kind", ["sequential", "distributed"])
def test_sampler_that_is_told_its_epoch_is_restored_exactly(kind: str, epoch: int) -> None:
    assert restored(kind, epoch, epoch) == ([], [], order(kind, epoch + 1))


def test_in_epoch_0_nothing_has_to_be_told() -> None:
    assert restored("distributed", 0, None)[:2] == ([], [])


def test_sampler_that_is_not_told_its_epoch_goes_on_in_another_order() -> None:
    """Epoch 1 of seed 0 has key 1; the sampler that nobody tells goes on with key 0."""
    text = f"""edition 1
dataset d {{ size = {SIZE} }}
loader l over d {{
  shuffle(seed = 1)
  batch({BATCH})
  resume(order = fresh, seed = 0, after = {STOP})
}}
prove "as many are lost as are read again" : count(l.lost) == 3 and count(l.replayed) == 3
"""
    lost, replayed, _ = restored("distributed", 1, None)
    claims = f'prove "" : l.lost == {{{", ".join(map(str, lost))}}}\n'
    claims += f'prove "" : l.replayed == {{{", ".join(map(str, replayed))}}}\n'

    assert (len(lost), len(replayed)) == (3, 3)
    assert [each.verdict.word for each in epochproof.check(text + claims).claims] == ["proved"] * 3
