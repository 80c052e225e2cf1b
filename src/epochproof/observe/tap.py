"""What a `DataLoader` fetches, told by its own iterators: the indices of each batch and who built it.

A tapped loader makes iterators of a subclass of its own ones. They ask the sampler as often, draw from the
same generators and hand out the same objects; sampler, dataset and batches are not touched.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, Protocol

from torch.utils.data import dataloader as torch_loader
from torch.utils.data.dataloader import DataLoader


class Listener(Protocol):
    """Who is told of the batches of one pass."""

    def fetched(self, worker: int, indices: Any, at: int, data: Any) -> None:
        """One batch, before it is handed out.

        Args:
            worker: Who built it; 0 is the first worker, or the main process where there is none.
            indices: What the sampler gave; they mean nothing where the dataset is iterable.
            at: So many batches of this pass came before it, those before an interruption included.
            data: The batch.
        """

    def over(self) -> None:
        """The pass has come to its end."""


class Tap:
    """Taps the iterators that a loader makes from here on, until `close`.

    `listener` hears of each pass that begins; without one an iterator does what torch's own does and no more.

    Args:
        loader: A loader that is `tappable`.
    """

    def __init__(self, loader: Any) -> None:
        self.listener: Listener | None = None
        self._loader = loader
        loader.__dict__["_get_iterator"] = self._iterator

    def close(self) -> None:
        """Lets the loader make iterators of its own again."""
        self.listener = None
        if self._loader.__dict__.get("_get_iterator") == self._iterator:
            del self._loader.__dict__["_get_iterator"]

    def _iterator(self) -> Any:
        loader = self._loader
        kinds: Any = _kinds(type(loader)._get_iterator)
        if loader.num_workers:
            loader.check_worker_number_rationality()
        made = kinds.several if loader.num_workers else kinds.single
        if kinds.iterated is DataLoader.__iter__:
            return made(loader, self)
        iterator = made(loader, self, loader.next_iter_state)
        loader.next_iter_state = None
        return iterator


def tappable(loader: Any) -> bool:
    """Whether the loader is iterated by torch's or torchdata's own iterators, so that they can be tapped."""
    kind = type(loader)
    found = _kinds(kind._get_iterator) if issubclass(kind, DataLoader) else None
    return found is not None and kind.__iter__ is found.iterated


def tell(iterator: Any, listener: Listener) -> bool:
    """Whether the iterator is tapped; if so, it tells the listener from here on."""
    if isinstance(iterator, _Tapped):
        iterator.tap_listener = listener
        return True
    return False


class _Tapped:
    """A tapped iterator; torch's attributes begin with `_`, ours with `tap`."""

    tap_listener: Listener | None = None


class _Kinds(NamedTuple):
    """The iterators of no workers and of several, and the `__iter__` that makes them."""

    iterated: Any
    single: type
    several: type


@cache
def _kinds(getter: Any) -> _Kinds | None:
    """The tapped iterators for a `_get_iterator`; `None` where they would not do what it does."""
    if getter is DataLoader._get_iterator:
        return _Kinds(
            DataLoader.__iter__,
            _single(torch_loader._SingleProcessDataLoaderIter),
            _several(torch_loader._MultiProcessingDataLoaderIter),
        )
    with suppress(ImportError):
        from torchdata.stateful_dataloader import stateful_dataloader as stateful  # noqa: PLC0415 -- optional

        if getter is stateful.StatefulDataLoader._get_iterator:
            return _Kinds(
                stateful.StatefulDataLoader.__iter__,
                _single(stateful._StatefulSingleProcessDataLoaderIter),
                _several(stateful._StatefulMultiProcessingDataLoaderIter),
            )
    return None


def _end(iterator: _Tapped) -> None:
    listener, iterator.tap_listener = iterator.tap_listener, None
    if listener is not None:
        listener.over()


def _single(own: Any) -> type:
    next_index, next_data = own._next_index, own._next_data  # faster than `super()`, once a batch

    class Single(_Tapped, own):
        def __init__(self, loader: Any, tap: Tap, *state: Any) -> None:
            super().__init__(loader, *state)
            self.tap_listener = tap.listener

        def _next_index(self) -> Any:
            self.tap_indices = found = next_index(self)
            return found

        def _next_data(self) -> Any:
            try:
                data = next_data(self)
            except StopIteration:
                _end(self)
                raise
            listener = self.tap_listener
            if listener is not None:
                listener.fetched(0, self.tap_indices, self._num_yielded, data)
            return data

    Single.__name__ = own.__name__  # profiles show it
    return Single


def _several(own: Any) -> type:
    class Several(_Tapped, own):
        def __init__(self, loader: Any, tap: Tap, *state: Any) -> None:
            self._tap, self._tap_sent = tap, dict[int, Any]()
            super().__init__(loader, *state)
            self.tap_listener = tap.listener

        def _reset(self, *given: Any, **named: Any) -> None:
            self._tap_sent, self.tap_listener = {}, None
            super()._reset(*given, **named)
            self.tap_listener = self._tap.listener

        def _next_index(self) -> Any:
            self._tap_sent[self._send_idx] = found = super()._next_index()
            return found

        def _next_data(self) -> Any:
            try:
                return super()._next_data()
            except StopIteration:
                _end(self)
                raise

        def _process_data(self, data: Any, worker: int, *state: Any) -> Any:
            # The task that is done is the one that torch struck off its list just now.
            task = next(each for each in self._tap_sent if each not in self._task_info)
            indices, data = self._tap_sent.pop(task), super()._process_data(data, worker, *state)
            if self.tap_listener is not None:
                self.tap_listener.fetched(worker, indices, self._num_yielded, data)
            return data

    Several.__name__ = own.__name__  # profiles show it
    return Several
