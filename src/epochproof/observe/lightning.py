"""A callback of Lightning that records what a fit trains on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lightning.pytorch import Callback, LightningModule, Trainer

from epochproof.diagnostics import fail
from epochproof.observe.columns_of import Columns, Said
from epochproof.observe.followed import Followed


class Recorder(Callback):
    """Writes each batch that the trainer starts to train on: `Trainer(callbacks=[Recorder("trace/")])`.

    Args:
        folder: Where the trace goes.
        field: The field of a batch that holds the record ids; as of `record`, like all that follow.
        ids: What makes them of a batch.
        source: The source of each record.
        clip: The clip of each record.
        view: The view of each record.
        padded: Whether padding introduced it.
        resume: Whether the folder may hold an earlier part of the run; after a checkpoint it may anyway.
        elapsed: Whether to write when each batch was started.
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
        self._begun = False
        self._restore: Callable[[], None] | None = None

    def on_fit_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Waits for the loader that the trainer makes of the user's one, before it is iterated."""
        strategy: Any = trainer.strategy
        process = strategy.process_dataloader

        def processed(loader: Any) -> Any:
            made = process(loader)
            if trainer.training:
                self._follow(trainer, made)
            return made

        strategy.process_dataloader = processed
        self._restore = lambda: strategy.__dict__.pop("process_dataloader", None)

    def on_train_batch_start(
        self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int
    ) -> None:
        """Writes the batch."""
        if self._followed is not None:
            if not self._begun:
                self._followed.begin(trainer.current_epoch, batch_idx)
                self._begun = True
            self._followed.used(batch)

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Ends a pass."""
        if self._followed is not None:
            self._followed.over()
        self._begun = False

    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Ends the trace."""
        self._left()
        if self._followed is not None:
            self._followed.close()
        self._followed = None

    def on_exception(self, trainer: Trainer, pl_module: LightningModule, exception: BaseException) -> None:
        """Ends the trace beside the exception."""
        self._left()
        if self._followed is not None:
            self._followed.leave()
        self._followed = None

    def _follow(self, trainer: Trainer, loader: Any) -> None:
        reloads: Any = trainer
        if self._followed is not None and not reloads.reload_dataloaders_every_n_epochs:
            cure = "wrap each loader in `record`, with a folder of its own"
            raise fail("E810", "a fit with several training loaders cannot be recorded", None, help=cure)
        if self._followed is not None:
            self._followed.instead(loader)
            return
        world = trainer.global_rank, trainer.world_size
        resumed = self._resume or trainer.ckpt_path is not None
        self._followed = Followed(
            loader, self._folder, self._columns, world, resumed=resumed, elapsed=self._elapsed
        )

    def _left(self) -> None:
        if self._restore is not None:
            self._restore()
        self._begun, self._restore = False, None
