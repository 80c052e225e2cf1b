"""Whatever stands under a key, the draft is a spec that can be read, or an error says why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from tests.draft.drafts import made

VALUES = [
    "null",
    "x",
    "[]",
    "{}",
    "true",
    "false",
    "0",
    "-1",
    "1",
    "3",
    "1.5",
    "2.0",
    "'7'",
    "${x}",
    "${oc.env:A}",
    "auto",
    "2024-01-01",
    "[1,2]",
    "[[1],2]",
    "{a:1}",
    "???",
]
CONFIGS = {
    "num_train_epochs: 1": (
        "max_steps per_device_train_batch_size per_device_eval_batch_size gradient_accumulation_steps seed"
        " dataloader_drop_last dataloader_num_workers data_seed eval_strategy train_sampling_strategy"
        " accelerator_config packing datasets dataset_mixture deepspeed"
    ),
    "base_model: a\ndatasets: []": (
        "micro_batch_size gradient_accumulation_steps num_epochs max_steps val_set_size seed eval_batch_size"
        " context_parallel_size tensor_parallel_size test_datasets sample_packing"
    ),
    "stage: sft\ntemplate: a": "dataset val_size streaming mix_strategy max_samples max_steps eval_strategy",
    "trainer: {strategy: ddp}": "data seed seed_everything world_size defaults",
    "data: {batch_size: 3}": "trainer",
    "task: detect\nbatch: 16": "device workers epochs seed nbs fraction rect val data",
}
CASES = [(config, key, value) for config, keys in CONFIGS.items() for key in keys.split() for value in VALUES]
TRUE_FAULTS = {"E516", "E702", "E205", "E707"}
"""No such config, a broken one, a number that no job can have, two that contradict each other."""


@pytest.mark.parametrize(("config", "key", "value"), CASES[::7])
def test_draft_can_be_read(config: str, key: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text(f"{config}\n{key}: {value}\n")

    faults: set[str] = set()
    try:
        made(tmp_path, "train.yaml")
        epochproof.load(tmp_path / "draft.epoch")
    except SpecError as error:
        faults = {each.code for each in error.diagnostics}

    assert faults <= TRUE_FAULTS
