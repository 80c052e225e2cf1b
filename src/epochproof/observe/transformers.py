"""A callback of transformers that records what a `Trainer` trains on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import transformers.trainer
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from epochproof.observe.columns_of import Columns, Said
from epochproof.observe.followed import Followed

_TRAINER: Any = transformers.trainer
"""The module whose `skip_first_batches` a resumed `Trainer` calls."""

_ALMOST = 1e-6
"""`state.epoch` is a float, and may lie so far below a whole epoch."""


class Recorder(TrainerCallback):
    """Writes each batch when its step is done: `Trainer(…, callbacks=[Recorder("trace/")])`.

    Args:
        folder: Where the trace goes.
        field: The field of a batch that holds the record ids; as of `record`, like all that follow. The
            `Trainer` takes columns out of its batches that the model does not use.
        ids: What makes them of a batch.
        source: The source of each record.
        clip: The clip of each record.
        view: The view of each record.
        padded: Whether padding introduced it.
        resume: Whether the folder may hold an earlier part of the run; after a checkpoint it may anyway.
        elapsed: Whether to write when each step was done.
    """

    def __init__(  # noqa: PLR0913 -- as `record`
        self,
        folder: str | Path,
        *,
        field: str | None = None,
        ids: Callable[[Any], Any] | None = None,
        source: Said | None = None,
        clip: Said | None = None,
        view: Said | None = None,
        padded: Said | None = None,
        resume: bool = False,
        elapsed: bool = False,
    ) -> None:
        self._folder, self._resume, self._elapsed = folder, resume, elapsed
        self._columns = Columns(field if ids is None else ids, source, clip, view, padded)
        self._followed: Followed | None = None
        self._skip = _TRAINER.skip_first_batches
        self._start: tuple[int, int] | None = None

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Taps the loader, and the one that the `Trainer` makes of it to skip what was trained on before."""
        resumed, world = state.global_step > 0, (args.process_index, args.world_size)
        self._followed = Followed(
            given["train_dataloader"],
            self._folder,
            self._columns,
            world,
            resumed=resumed or self._resume,
            elapsed=self._elapsed,
        )
        if resumed:
            _TRAINER.skip_first_batches = self._skipped

    def on_epoch_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Notes where a pass begins."""
        self._start = int((state.epoch or 0) + _ALMOST), 0

    def on_substep_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Writes a batch of an accumulated step."""
        self._used()

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Writes the last batch of a step."""
        self._used()

    def on_epoch_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Ends a pass."""
        _TRAINER.skip_first_batches = self._skip
        if self._followed is not None:
            self._followed.over()

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Ends the trace."""
        _TRAINER.skip_first_batches = self._skip
        if self._followed is not None:
            self._followed.close()
        self._followed = None

    def _used(self) -> None:
        if self._followed is None:
            return
        if self._start is not None:
            self._followed.begin(*self._start)
            self._start = None
        self._followed.used()

    def _skipped(self, loader: Any, num_batches: int = 0) -> Any:
        made = self._skip(loader, num_batches)
        if self._followed is not None and self._start is not None:
            self._followed.instead(made)
            self._start = self._start[0], num_batches
        return made
