"""A fit of Lightning is recorded batch by batch, and trains as it does without the recorder."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
lightning = pytest.importorskip("lightning.pytorch", reason="lightning is not installed")

from epochproof.diagnostics import SpecError  # noqa: E402 -- after the skip
from epochproof.observe.lightning import Recorder  # noqa: E402 -- after the skip
from tests.traces import rows, steps  # noqa: E402 -- after the skip


class Model(lightning.LightningModule):  # type: ignore[misc,name-defined]  # not seen by mypy
    """A line; it keeps what it was given."""

    def __init__(self, *, fails_at: int | None = None) -> None:
        super().__init__()
        self.layer, self.seen, self.fails_at = torch.nn.Linear(1, 1), list[Any](), fails_at

    def training_step(self, batch: Any, at: int) -> Any:
        if len(self.seen) == self.fails_at:
            raise ZeroDivisionError
        self.seen.append((self.current_epoch, at, tuple(int(each) for each in batch.flatten())))
        return self.layer(batch).mean()

    def validation_step(self, batch: Any) -> None:
        pass

    def configure_optimizers(self) -> Any:
        return torch.optim.SGD(self.parameters(), lr=0.1)


def loader(**options: Any) -> Any:
    data = torch.arange(10.0).reshape(-1, 1)
    return torch.utils.data.DataLoader(data, batch_size=3, shuffle=True, **options)


def fit(folder: Path, model: Model, *callbacks: Any, loaders: Any = None, **options: Any) -> Any:
    trainer = lightning.Trainer(
        accelerator="cpu",
        devices=1,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        default_root_dir=folder,
        callbacks=list(callbacks),
        **{"max_epochs": 2} | options,
    )
    data = loader() if loaders is None else loaders
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        trainer.fit(model, data, loader())
    return trainer


def test_trace_is_what_was_trained_on_and_training_is_the_same(tmp_path: Path) -> None:
    bare, recorded = Model(), Model()
    fit(tmp_path, bare)
    fit(tmp_path, recorded, Recorder(tmp_path / "trace"))

    assert recorded.seen == bare.seen and len(bare.seen) == 8
    assert steps(tmp_path / "trace") == recorded.seen
    assert set(rows(tmp_path / "trace", "worker", "padded")) == {(0, False)}


def test_epochs_that_are_cut_short_hold_what_was_trained_on(tmp_path: Path) -> None:
    model = Model()
    fit(
        tmp_path,
        model,
        Recorder(tmp_path / "trace", ids=lambda each: each.flatten().long()),
        limit_train_batches=2,
    )

    assert steps(tmp_path / "trace") == model.seen and len(model.seen) == 4


def test_fit_from_a_checkpoint_goes_on_in_a_segment_of_its_own(tmp_path: Path) -> None:
    first, second = Model(), Model()
    trainer = fit(tmp_path, first, Recorder(tmp_path / "trace"), max_epochs=1)
    trainer.save_checkpoint(tmp_path / "last.ckpt")
    with pytest.raises(SpecError, match="E804"):
        fit(tmp_path, Model(), Recorder(tmp_path / "trace"))
    trainer = lightning.Trainer(
        max_epochs=3,
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_checkpointing=False,
        callbacks=[Recorder(tmp_path / "trace")],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer.fit(second, loader(), ckpt_path=tmp_path / "last.ckpt")

    assert {epoch for epoch, *_ in second.seen} == {1, 2}
    assert steps(tmp_path / "trace") == first.seen + second.seen


def test_fit_with_two_loaders_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="E810 a fit with several training loaders"):
        fit(tmp_path, Model(), Recorder(tmp_path / "trace"), loaders=[loader(), loader()])


def test_fit_that_fails_leaves_its_trace_and_its_error(tmp_path: Path) -> None:
    model = Model(fails_at=5)
    with pytest.raises(ZeroDivisionError):
        fit(tmp_path, model, Recorder(tmp_path / "trace"))

    found = steps(tmp_path / "trace")
    assert found[:5] == model.seen and len(found) == 6  # the sixth was started
