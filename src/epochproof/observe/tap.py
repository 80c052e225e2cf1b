"""What a `DataLoader` fetches, told by its own iterators: the indices of each batch and the worker that built it.

A tapped loader makes iterators of a subclass of its own ones. They ask the sampler as often, draw from the same
generators and hand out the same objects; the sampler, the dataset and the batches are not touched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from torch.utils.data import dataloader as torch_loader
from torch.utils.data.dataloader import DataLoader

_GET = "_get_iterator"


class Fetched(NamedTuple):
    """One batch as its iterator handed it out.

    `indices` mean nothing where the dataset is iterable. `at` counts the batches of this pass before it, those
    before an interruption included. `data` is the batch itself, if the tap keeps it.
    """

    worker: int
    indices: Any
    at: int
    data: Any


Queue = deque[Fetched]
"""What was fetched and is not handed out yet: a loader in between may ask for a batch ahead of its time."""


@dataclass
class Tap:
    """What new iterators of a tapped loader are to do: fill `queue`, with the batches themselves if `data`."""

    queue: Queue | None = None
    data: bool = False


def tappable(loader: Any) -> bool:
    """Whether the loader is iterated by torch's or torchdata's own iterators, so that they can be tapped."""
    kind = type(loader)
    found = _kinds(_getter(kind)) if issubclass(kind, DataLoader) else None
    return found is not None and kind.__iter__ is found.iterated


def attach(loader: Any, tap: Tap) -> Callable[[], None]:
    """Taps the iterators that the loader makes from here on, and returns what ends that."""
    getter = _getter(type(loader))
    kinds = _kinds(getter)

    def get() -> Any:
        kind: Any = kinds and (kinds.several if loader.num_workers else kinds.single)
        if loader.num_workers:
            loader.check_worker_number_rationality()
        if getter is DataLoader._get_iterator:
            return kind(loader, tap)
        made = kind(loader, tap, loader.next_iter_state)
        loader.next_iter_state = None
        return made

    loader.__dict__[_GET] = get

    def detach() -> None:
        if loader.__dict__.get(_GET) is get:
            del loader.__dict__[_GET]

    return detach


def fill(iterator: Any, queue: Queue) -> bool:
    """Whether the iterator tells what it fetches; if so, it fills `queue` from here on."""
    if isinstance(iterator, _Tapped):
        iterator.tap_queue = queue
        return True
    return False


def _getter(kind: type) -> Any:
    return getattr(kind, _GET, None)


@cache
def _kinds(getter: Any) -> _Kinds | None:
    """The tapped iterators for a `_get_iterator`: the one of no workers, and the one of several."""
    if getter is DataLoader._get_iterator:
        own = torch_loader._SingleProcessDataLoaderIter, torch_loader._MultiProcessingDataLoaderIter
        return _tapped_kinds(DataLoader.__iter__, *own)
    with suppress(ImportError):
        from torchdata.stateful_dataloader import stateful_dataloader as stateful  # noqa: PLC0415 -- if it is there

        if getter is stateful.StatefulDataLoader._get_iterator:
            return _tapped_kinds(
                stateful.StatefulDataLoader.__iter__,
                stateful._StatefulSingleProcessDataLoaderIter,
                stateful._StatefulMultiProcessingDataLoaderIter,
            )
    return None


class _Kinds(NamedTuple):
    """The iterators of no workers and of several, and the `__iter__` that makes them."""

    iterated: Any
    single: type
    several: type


class _Tapped:
    """A tapped iterator; without a queue it does what torch's own does and no more."""

    tap_queue: Queue | None = None


def _tapped_kinds(iterated: Any, single: Any, several: Any) -> _Kinds:
    class Single(_Tapped, single):
        def __init__(self, loader: Any, tap: Tap, *state: Any) -> None:
            self._tap, self.tap_queue = tap, tap.queue
            super().__init__(loader, *state)

        def _next_index(self) -> Any:
            self._tap_index = found = super()._next_index()
            return found

        def _next_data(self) -> Any:
            data, queue = super()._next_data(), self.tap_queue
            if queue is not None:
                kept = data if self._tap.data else None
                queue.append(Fetched(0, self._tap_index, self._num_yielded, kept))
            return data

    class Several(_Tapped, several):
        def __init__(self, loader: Any, tap: Tap, *state: Any) -> None:
            self._tap, self._tap_sent = tap, dict[int, Any]()
            super().__init__(loader, *state)

        def _reset(self, *given: Any, **named: Any) -> None:
            self._tap_sent, self.tap_queue = {}, self._tap.queue
            super()._reset(*given, **named)

        def _next_index(self) -> Any:
            self._tap_sent[self._send_idx] = found = super()._next_index()
            return found

        def _process_data(self, data: Any, worker: int, *state: Any) -> Any:
            # The task that came just now is the one that torch struck off its list.
            task = next(each for each in self._tap_sent if each not in self._task_info)
            indices = self._tap_sent.pop(task)
            data, queue = super()._process_data(data, worker, *state), self.tap_queue
            if queue is not None:
                queue.append(Fetched(worker, indices, self._num_yielded, data if self._tap.data else None))
            return data

    for made, own in ((Single, single), (Several, several)):
        made.__name__ = own.__name__  # profiles show it
    return _Kinds(iterated, Single, Several)
