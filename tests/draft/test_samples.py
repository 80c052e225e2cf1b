"""The drafts of the samples give the numbers that these configs have, as soon as they know the sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from tests.draft.drafts import SAMPLES, count, holds, made, verdicts

CALLS = [
    ("hf_trainer.yaml", "accelerate.yaml", "deepspeed.json"),
    ("axolotl.yml",),
    ("llamafactory.yaml",),
    ("lightning_cli.yaml",),
    ("hydra_train.yaml",),
    ("torchtitan.toml",),
    ("ultralytics_train.yaml",),
    ("pytorchjob.yaml",),
    ("launch_megatron.slurm",),
    ("mmengine_toy_8xb4-3e.json",),
]


@pytest.mark.parametrize("names", CALLS, ids=lambda names: names[0])
def test_draft_is_in_style_and_every_claim_is_as_stated_at_once(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    text = made(tmp_path, *names).text
    checked = epochproof.check(tmp_path / "draft.epoch")

    assert checked.ok and checked.claims
    assert not any(each.verdict.word == "unknown" for each in checked.claims)
    above = ""
    for line in text.splitlines():
        shown = above.strip() if above.lstrip().startswith("#") else line
        assert not is_entry(line) or any(
            mark in shown for mark in ("# exact", "# default (", "# needs you: ")
        )
        above = line


def is_entry(line: str) -> bool:
    """Whether a line holds a setting or a stage."""
    return line.startswith("  ") and line[2] not in " #)"


def test_trainer_with_accelerate_and_deepspeed(tmp_path: Path) -> None:
    made(tmp_path, *CALLS[0])
    updates, batches, evaluated = (
        count(tmp_path),
        count(tmp_path, t__gradient_accumulation_steps=1, d__gradient_accumulation_steps=1),
        count(tmp_path, "eval"),
    )

    assert (batches.steps_min, batches.steps_max) == (42, 42)
    assert (updates.steps_min, updates.padding, updates.omitted.count) == (11, 5, 0)
    assert (evaluated.steps_min, evaluated.padding, evaluated.occurrences) == (3, 7, 108)
    assert "seed = t.data_seed," in (tmp_path / "draft.epoch").read_text()
    assert verdicts(tmp_path)["train: a step is as large as DeepSpeed is told"] == "proved"


def test_trainer_that_resumes_without_skipping(tmp_path: Path) -> None:
    text = made(tmp_path, "hf_trainer.yaml", "accelerate.yaml").text
    assert "trap: ignore_data_skip (hf_trainer.yaml:14:19) has a resumed run read the head" in text
    head, end, rest = text.replace("records  { size in 1.. }", "records  { size = 1_003 }").partition("\n}\n")

    resumed = f"{head}\n  resume(position = epoch_start, after = 5){end}{rest}"
    (tmp_path / "draft.epoch").write_text(resumed)
    assert holds(tmp_path, "train.occurrences == 1008 and count(train.replayed) == 480 and train.lost == {}")

    # 22 updates in all: 5, then 11 of the epoch anew, then 6.
    (tmp_path / "draft.epoch").write_text(f"{head}\n  stop(steps = 22 - 5 - 11){end}{rest}")
    assert count(tmp_path).omitted.count == 427


def test_updates_of_transformers_4_44(tmp_path: Path) -> None:
    text = made(tmp_path, "hf_trainer.yaml", "accelerate.yaml").text
    line = "gradient_accumulation_steps = t.gradient_accumulation_steps"
    older = text.replace(line, "gradient_accumulation_steps = 1").replace(
        "\n}\n", "\n  accumulate(t.gradient_accumulation_steps, tail = drop)\n}\n", 1
    )
    (tmp_path / "draft.epoch").write_text(older)

    assert count(tmp_path).steps_min == 10


def test_batch_that_deepspeed_is_not_told_is_refuted(tmp_path: Path) -> None:
    (tmp_path / "accelerate.yaml").write_text(
        (SAMPLES / "accelerate.yaml").read_text().replace("processes: 6", "processes: 8")
    )
    made(tmp_path, *CALLS[0])

    assert verdicts(tmp_path)["train: a step is as large as DeepSpeed is told"] == "refuted"


def test_dropped_tail_of_the_trainer(tmp_path: Path) -> None:
    (tmp_path / "hf_trainer.yaml").write_text(
        (SAMPLES / "hf_trainer.yaml").read_text() + "dataloader_drop_last: true\n"
    )
    made(tmp_path, *CALLS[0])
    found = count(tmp_path, t__gradient_accumulation_steps=1, d__gradient_accumulation_steps=1)

    assert (found.steps_min, found.omitted.count, found.padding) == (1003 // 24, 1003 % 24, 0)
    assert set(verdicts(tmp_path).values()) == {"proved"}


def test_axolotl(tmp_path: Path) -> None:
    text = made(tmp_path, "axolotl.yml").text
    sizes = {"records.size": 1090, "held_out.size": 122, "train.ranks": 4, "eval.ranks": 4}
    found = count(tmp_path, values=sizes, t__gradient_accumulation_steps=1)

    assert (found.steps_min, found.padding, found.omitted.count) == (137, 6, 0)
    assert count(tmp_path, values=sizes).steps_min == 35

    known = text.replace("dataset records  { size in 1.. }", "dataset records  { size = 1_090 }")
    known = known.replace("ranks   in 1..64", "ranks   = 4")
    known = known.replace('# prove "train: max', 'prove "train: max').replace("#     : ceil", "    : ceil")
    (tmp_path / "draft.epoch").write_text(known)
    assert verdicts(tmp_path)["train: max_steps does not cut the last epoch"] == "refuted"

    # 103 steps are 35 + 35 + 33.
    head, _, rest = known.partition("loader eval")
    stopped = head.replace("\n}", "\n  stop(steps = 103 - 2 * 35)\n}") + f"loader eval{rest}"
    (tmp_path / "draft.epoch").write_text(stopped)
    assert count(tmp_path, values={"held_out.size": 122}).omitted.count == 34


def test_llama_factory_tells_of_the_leak(tmp_path: Path) -> None:
    text = made(tmp_path, "llamafactory.yaml").text

    assert "use accelerate.Dispatcher(" in text and "seed = any," in text
    assert "trap: val_size (llamafactory.yaml:13:11) with streaming takes and skips" in text
    assert "trap: max_steps (llamafactory.yaml:14:12) ends the run" in text
    assert "epochs" not in text.partition("loader eval")[0].partition("loader train")[2]


def test_lightning_cli(tmp_path: Path) -> None:
    text = made(tmp_path, "lightning_cli.yaml").text
    batches = count(tmp_path, t__trainer__accumulate_grad_batches=1)
    updates = count(tmp_path)

    assert (batches.steps_min, batches.padding, batches.omitted.count) == (42, 2, 0)
    assert updates.steps_min == 11 and holds(tmp_path, "train.ranks == 3")
    assert "seed = t.seed_everything," in text
    assert 1005 // 3 - 41 * 8 == 7


def test_hydra(tmp_path: Path) -> None:
    text = made(tmp_path, "hydra_train.yaml").text
    found = count(tmp_path)

    assert (found.steps_min, found.padding, found.omitted.count) == (13, 5, 0)
    assert holds(tmp_path, "train.ranks == 8 and train.batch == 8 and records.size == 803")
    assert "seed 0 is a seed" in text


def test_torchtitan(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\ntorchrun --nproc_per_node 8 -m torchtitan.train\n")
    made(tmp_path, "torchtitan.toml", "run.sh")
    found = count(tmp_path, values={"sequences.size": 100_000})

    assert (found.occurrences, found.distinct, found.steps_min) == (6400, 6400, 100)
    assert holds(tmp_path, "train.ranks == 4 and train.accumulate == 4")
    assert verdicts(tmp_path)["train: the global batch is made of whole batches"] == "proved"

    (tmp_path / "run.sh").write_text("#!/bin/sh\ntorchrun --nproc_per_node 12 -m torchtitan.train\n")
    assert verdicts(tmp_path)["train: the global batch is made of whole batches"] == "refuted"


def test_ultralytics(tmp_path: Path) -> None:
    text = made(tmp_path, "ultralytics_train.yaml").text
    found = count(tmp_path, t__nbs=1)

    assert (found.steps_min, found.padding, found.omitted.count) == (56, 2, 0)
    assert holds(tmp_path, "train.ranks * (t.batch // train.ranks) == 18 and train.accumulate == 3")
    assert 'refute "train: no part of the batch is left over"' in text
    assert "trap: with workers, epochs 0 and 1 have one order" in text


def test_data_that_is_its_own_validation(tmp_path: Path) -> None:
    (tmp_path / "toy.yaml").write_text("path: toy\ntrain: images\nval: images\nnames: {0: cat}\n")
    text = made(tmp_path, "ultralytics_train.yaml", "toy.yaml").text

    assert "# trap: train (toy.yaml:2:8) and val are the same images" in text


def test_job_of_kubernetes(tmp_path: Path) -> None:
    made(tmp_path, "pytorchjob.yaml")
    found = count(tmp_path, values={"train.batch_size": 16, "train.workers": 0})

    assert (found.steps_min, found.padding, found.omitted.count) == (8, 5, 0)
    assert holds(tmp_path, "train.ranks == 8")


def test_megatron(tmp_path: Path) -> None:
    text = made(tmp_path, "launch_megatron.slurm").text
    found = count(tmp_path)

    assert (found.steps_min, found.omitted.count, found.occurrences) == (156, 16, 9984)
    assert holds(tmp_path, "train.ranks == 4 and train.accumulate == 8 and samples.size == 10_000")
    assert "needs you: " not in text.partition("\n\n")[2].partition("\n\n")[2]


def test_processes_that_hold_no_whole_model_are_refuted(tmp_path: Path) -> None:
    script = (SAMPLES / "launch_megatron.slurm").read_text().replace("GPUS_PER_NODE=8", "GPUS_PER_NODE=7")
    (tmp_path / "launch_megatron.slurm").write_text(script)
    made(tmp_path, "launch_megatron.slurm")
    found = verdicts(tmp_path)

    assert found["the processes hold whole models"] == "refuted"
    assert found["train: a global batch is made of whole micro-batches"] == "refuted"


def test_script_with_a_batch_stands_beside_the_config_of_a_training(tmp_path: Path) -> None:
    script = "#!/bin/sh\ntorchrun --nproc_per_node 6 train.py --micro-batch-size 4\n"
    (tmp_path / "run.sh").write_text(script)

    assert made(tmp_path, "run.sh", "hf_trainer.yaml").title.startswith("Hugging Face Trainer")
    assert holds(tmp_path, "train.ranks == 6 and train.batch == 4")


def test_mmengine(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\ntorchrun --nproc_per_node 8 tools/train.py\n")
    text = made(tmp_path, "mmengine_toy_8xb4-3e.json", "run.sh").text
    trained, validated = count(tmp_path), count(tmp_path, "val")

    assert (trained.steps_min, trained.padding, trained.omitted.count) == (32, 5, 0)
    assert (validated.steps_min, validated.padding) == (13, 3)
    assert "seed = t.randomness.seed," in text
    assert holds(
        tmp_path, "train.ranks * train.batch == t.auto_scale_lr.base_batch_size and train.ranks == 8"
    )


def test_launch_script(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\ntorchrun --nnodes 2 --nproc_per_node 8 train.py\n")
    made(tmp_path, "run.sh")

    assert holds(tmp_path, "train.ranks == 16")
