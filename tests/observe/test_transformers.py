"""A `Trainer` of transformers is recorded batch by batch, also after a resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("accelerate", reason="accelerate is not installed")

from epochproof.observe.transformers import Recorder  # noqa: E402 -- after the skip
from tests.traces import rows, steps  # noqa: E402 -- after the skip


class Model(torch.nn.Module):  # type: ignore[misc,name-defined]  # not seen by mypy
    """A line; it keeps what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.seen = torch.nn.Linear(1, 1), list[tuple[int, ...]]()

    def forward(self, at: Any) -> dict[str, Any]:
        self.seen.append(tuple(at.tolist()))
        return {"loss": self.layer(at.float().reshape(-1, 1)).mean()}


def train(folder: Path, model: Model, *callbacks: Any, resume: Path | None = None, **options: Any) -> None:
    arguments = transformers.TrainingArguments(
        str(folder / "out"),
        per_device_train_batch_size=2,
        use_cpu=True,
        report_to=[],
        disable_tqdm=True,
        seed=5,
        **{"num_train_epochs": 2, "save_strategy": "no"} | options,
    )
    data = [{"at": each} for each in range(9)]
    trainer = transformers.Trainer(model, arguments, train_dataset=data, callbacks=list(callbacks))
    trainer.train(resume_from_checkpoint=resume and str(resume))


def batches(folder: Path) -> list[tuple[int, ...]]:
    return [records for _, _, records in steps(folder)]


@pytest.mark.parametrize("accumulation", [1, 2])
def test_trace_is_what_was_trained_on_and_training_is_the_same(accumulation: int, tmp_path: Path) -> None:
    bare, recorded = Model(), Model()
    train(tmp_path, bare, gradient_accumulation_steps=accumulation)
    train(tmp_path, recorded, Recorder(tmp_path / "trace"), gradient_accumulation_steps=accumulation)

    assert recorded.seen == bare.seen and len(bare.seen) == 10
    assert batches(tmp_path / "trace") == recorded.seen
    assert [each[:2] for each in steps(tmp_path / "trace")] == [
        (epoch, step) for epoch in (0, 1) for step in range(5)
    ]


def test_run_from_a_checkpoint_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first, second, whole = Model(), Model(), Model()
    kept = tmp_path / "out" / "checkpoint-7"
    options: dict[str, Any] = {"save_strategy": "steps", "save_steps": 7}
    train(tmp_path, whole, Recorder(tmp_path / "whole"), max_steps=10, **options)
    train(tmp_path, first, Recorder(tmp_path / "trace"), max_steps=7, **options)
    train(tmp_path, second, Recorder(tmp_path / "trace"), resume=kept, max_steps=10, **options)

    assert first.seen + second.seen == whole.seen
    assert steps(tmp_path / "trace") == steps(tmp_path / "whole")
    assert set(rows(tmp_path / "trace", "worker")) == {(0,)}
