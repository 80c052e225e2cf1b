"""What a draft makes of keys that are absent, computed or odd, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from epochproof.draft._room import frameworks
from tests.draft.drafts import holds, made

ARGUMENTS = "output_dir: out\nnum_train_epochs: 1\n"


def drafted(folder: Path, **texts: str) -> str:
    """The draft of files with these texts, `__` for a dot in their names."""
    names = [name.replace("__", ".") for name in texts]
    for name, text in zip(names, texts.values(), strict=True):
        (folder / name).write_text(text)
    return made(folder, *names).text


def refused(folder: Path, **texts: str) -> tuple[str, str, str]:
    """Code, message and help of why there is no draft."""
    with pytest.raises(SpecError) as caught:
        drafted(folder, **texts)
    (wrong,) = caught.value.diagnostics
    return wrong.code, wrong.message, wrong.help


def test_absent_keys_are_defaults_that_give_way_to_the_key(tmp_path: Path) -> None:
    text = drafted(tmp_path, train__yaml=ARGUMENTS)

    assert "gradient_accumulation_steps = t.gradient_accumulation_steps ?? 1" in text
    assert "seed = t.data_seed ?? t.seed ?? 42," in text
    assert "# default (transformers 5.24): per_device_train_batch_size, seed, dataloader_drop_last" in text
    assert holds(tmp_path, "train.batch == 8 and train.accumulate == 1")

    (tmp_path / "train.yaml").write_text(f"{ARGUMENTS}per_device_train_batch_size: 32\n")
    assert holds(tmp_path, "train.batch == 32")


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("per_device_train_batch_size: auto", "per_device_train_batch_size in 1..1024,"),
        ("per_device_train_batch_size: ${b}", "per_device_train_batch_size in 1..1024,"),
        ("per_device_train_batch_size: many", "per_device_train_batch_size in 1..1024,"),
        (
            "per_device_train_batch_size: null",
            "per_device_train_batch_size = t.per_device_train_batch_size ?? 8,",
        ),
        (
            "per_device_train_batch_size: ${b}\nb: 4",
            "per_device_train_batch_size = t.per_device_train_batch_size,",
        ),
        ("seed: ${oc.env:SEED}", "seed = any,"),
        ("seed: 0", "seed = t.data_seed ?? t.seed,"),
        ("train_sampling_strategy: sequential", "use accelerate.DataLoader("),
        ("dataloader_drop_last: ${x}", "dataloader_drop_last = false"),
        ("max_steps: 7", "# trap: max_steps (train.yaml:3:12) ends the run"),
        (
            "ignore_data_skip: true",
            "# trap: ignore_data_skip (train.yaml:3:19) has a resumed run read the head",
        ),
        (
            "accelerator_config: {split_batches: true}",
            "split_batches = t.accelerator_config.split_batches",
        ),
        (
            "accelerator_config: {even_batches: false}",
            "# trap: accelerator_config.even_batches (train.yaml:3:36)",
        ),
    ],
)
def test_odd_values_of_the_trainer_leave_a_draft_that_is_read(
    written: str, line: str, tmp_path: Path
) -> None:
    text = drafted(tmp_path, train__yaml=f"{ARGUMENTS}{written}\n")

    assert line in text
    assert epochproof.load(tmp_path / "draft.epoch").claims


def test_part_of_an_epoch_is_told(tmp_path: Path) -> None:
    text = drafted(tmp_path, train__yaml="num_train_epochs: 2.5\nper_device_train_batch_size: 1\n")

    assert "epochs  = 3" in text and "needs you: the run ends inside an epoch (train.yaml:1:19)" in text


@pytest.mark.parametrize(
    ("devices", "ranks"),
    [
        ("devices: 4", "ranks   = t.trainer.devices * t.trainer.num_nodes ?? 1"),
        ("devices: [0, 2]\n  num_nodes: 3", "ranks   = count(t.trainer.devices) * t.trainer.num_nodes"),
        ("devices: auto", "ranks   in 1..64"),
        ("devices: -1", "ranks   in 1..64"),
        ("max_epochs: 3", "ranks   in 1..64"),
    ],
)
def test_ranks_of_lightning(devices: str, ranks: str, tmp_path: Path) -> None:
    text = drafted(tmp_path, train__yaml=f"trainer:\n  {devices}\ndata: {{batch_size: 4, num_workers: 0}}\n")

    assert ranks in text
    assert epochproof.load(tmp_path / "draft.epoch").claims


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("trainer: {devices: 1, limit_train_batches: 5}", "stop(steps = t.trainer.limit_train_batches)"),
        (
            "trainer: {devices: 1, limit_train_batches: 0.5}",
            "trap: trainer.limit_train_batches (train.yaml:1:44)",
        ),
        ("trainer: {devices: 1, limit_train_batches: 1.0}", "use lightning.Trainer("),
        ("trainer: {devices: 1, use_distributed_sampler: false}", "trap: trainer.use_distributed_sampler"),
        (
            "trainer: {devices: 1}\ndata: {global_batch_size: 8}",
            "batch_size = t.data.global_batch_size // ranks,",
        ),
        (
            "trainer: {devices: auto}\ndata: {global_batch_size: 8}",
            "batch_size = max(1, t.data.global_batch_size // ranks),",
        ),
        ("trainer: {devices: 1}\nseed_everything: true", "seed = 0"),
        ("trainer: {devices: 1}\nseed: null", "seed = t.seed ?? 0"),
        ("trainer: {devices: 1}\nseed: ${oc.env:S}", "seed = any"),
        ("trainer: {devices: 1}", "seed = t.seed_everything ?? 0"),
        ("trainer: {devices: 1}\ndefaults: [a, b]", "trap: defaults (train.yaml:2:11) are not composed"),
    ],
)
def test_odd_values_of_lightning(written: str, line: str, tmp_path: Path) -> None:
    assert line in drafted(tmp_path, train__yaml=f"{written}\n")
    assert epochproof.load(tmp_path / "draft.epoch").claims


@pytest.mark.parametrize(
    ("written", "ranks"),
    [
        ("device: 0", "ranks   = 1"),
        ("device: [0]", "ranks   = count(t.device)"),
        ("device: 0,1", "ranks   in 1..t.batch"),
        ("device: cpu", "ranks   in 1..t.batch"),
    ],
)
def test_devices_of_ultralytics(written: str, ranks: str, tmp_path: Path) -> None:
    assert ranks in drafted(tmp_path, train__yaml=f"task: detect\nbatch: 16\n{written}\n")
    assert epochproof.load(tmp_path / "draft.epoch").claims


def test_sources_of_the_world_must_agree(tmp_path: Path) -> None:
    files = {
        "train__yaml": ARGUMENTS,
        "accelerate__yaml": "distributed_type: MULTI_GPU\nnum_processes: 8\n",
        "run__sh": "#!/bin/sh\naccelerate launch --num_processes 8 train.py\n",
    }
    text = drafted(tmp_path, **files)

    assert "ranks   = agree(a.num_processes, l.accelerate.num_processes)" in text
    assert epochproof.check(tmp_path / "draft.epoch").ok

    (tmp_path / "run.sh").write_text("#!/bin/sh\naccelerate launch --num_processes 4 train.py\n")
    with pytest.raises(SpecError) as caught:
        epochproof.check(tmp_path / "draft.epoch")
    assert [each.code for each in caught.value.diagnostics] == ["E707", "E707"][
        : len(caught.value.diagnostics)
    ]


def test_nodes_that_only_the_scheduler_knows_leave_the_ranks_free(tmp_path: Path) -> None:
    run = "#!/bin/sh\nsrun torchrun --nnodes $SLURM_NNODES --nproc_per_node 8 train.py\n"

    text = drafted(tmp_path, train__yaml=ARGUMENTS, run__sh=run)

    assert (
        "ranks   in 1..64" in text
        and "needs you: `torchrun.nnodes` is known only to the job (run.sh:2)" in text
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a__yaml": "model: {depth: 3}"}, "`a.yaml` is no config that is recognised"),
        ({"a__yaml": "- 1\n- 2"}, "`a.yaml` is no config that is recognised"),
        ({"a__yaml": ""}, "`a.yaml` is no config that is recognised"),
        ({"a__json": '{"zero_optimization": {}}'}, "no config of a training is among the files"),
        (
            {"a__yaml": ARGUMENTS, "b__yaml": ARGUMENTS},
            "`a.yaml` and `b.yaml` are both the config of a training",
        ),
        (
            {"a__yaml": ARGUMENTS, "b__sh": "#!/bin/sh", "c__sh": "#!/bin/sh"},
            "`b.sh` and `c.sh` are both a launch",
        ),
    ],
)
def test_what_is_not_recognised_is_refused(files: dict[str, str], message: str, tmp_path: Path) -> None:
    code, said, cure = refused(tmp_path, **files)

    assert code == "E516" and said.startswith(message)
    assert "both" in message or all(each.TITLE.rpartition(" (")[0] in cure for each in frameworks())


def test_python_is_not_read(tmp_path: Path) -> None:
    code, said, cure = refused(tmp_path, a__py="batch = 4\n")

    assert code == "E516" and said.endswith("is neither a config nor a launch script")
    assert cure == 'nothing is run: write it out, as `Config.fromfile("config.py").dump("config.json")` does'


def test_broken_config_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: [1\n")

    with pytest.raises(SpecError) as caught:
        made(tmp_path, "a.yaml")

    assert caught.value.source is not None and caught.value.source.path.endswith("a.yaml")
    assert [each.code for each in caught.value.diagnostics] == ["E702"]


def test_config_of_hydra_is_composed(tmp_path: Path) -> None:
    for name, text in {
        "train.yaml": "defaults: [trainer: one, data: small, _self_]\nseed: 3\n",
        "trainer/one.yaml": "devices: 1\nmax_epochs: 2\n",
        "trainer/ddp.yaml": "devices: 4\nmax_epochs: 2\n",
        "data/small.yaml": "batch_size: 16\nnum_workers: 0\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    text = made(tmp_path, "train.yaml").text

    assert 'bind t = hydra("train.yaml")  # exact' in text
    assert "trap: options that a call of the job gives stand behind the path" in text
    assert holds(tmp_path, "train.ranks == 1 and train.batch == 16")

    (tmp_path / "draft.epoch").write_text(text.replace('"train.yaml")', '"train.yaml", trainer = ddp)'))
    assert holds(tmp_path, "train.ranks == 4")


def test_part_of_a_mixture_that_is_called_a_test_is_told(tmp_path: Path) -> None:
    mixture = "dataset_mixture:\n  datasets:\n    - {id: a, split: train}\n    - {id: a, split: test_sft}\n"

    text = drafted(tmp_path, train__yaml=f"{ARGUMENTS}{mixture}")

    assert (
        "trap: dataset_mixture.datasets.1.split (train.yaml:6:22) is trained on, and is called a test" in text
    )


def test_other_parallelism_takes_processes_from_the_ranks(tmp_path: Path) -> None:
    launched = "distributed_type: FSDP\nnum_processes: 8\nparallelism_config: {tp_size: 2, cp_size: 1}\n"
    text = drafted(tmp_path, train__yaml=ARGUMENTS, accelerate__yaml=launched)

    assert "a.num_processes // (a.parallelism_config.tp_size * a.parallelism_config.cp_size)" in text
    assert holds(tmp_path, "train.ranks == 4")


def test_packed_sequences_of_axolotl_are_promised_little(tmp_path: Path) -> None:
    config = "base_model: a\nmicro_batch_size: 2\nsample_packing: true\nval_set_size: 0.1\n"
    text = drafted(tmp_path, train__yaml=config)

    assert "dataloader_drop_last = true" in text and "workers in 0..64" in text
    assert text.count("prove ") == 3 and "omitted" not in text
    assert "sample_packing (train.yaml:3:17) makes packed sequences the records" in text


def test_batch_of_an_older_torchtitan_is_read(tmp_path: Path) -> None:
    drafted(tmp_path, train__toml="[training]\nbatch_size = 3\nseq_len = 8\n")

    assert holds(tmp_path, "train.batch == 3")


def test_batches_that_one_process_hands_out(tmp_path: Path) -> None:
    text = drafted(tmp_path, train__yaml=f"{ARGUMENTS}accelerator_config: {{dispatch_batches: true}}\n")

    assert "use accelerate.Dispatcher(" in text and "seed = t.data_seed ?? t.seed ?? 42" in text
    assert epochproof.check(tmp_path / "draft.epoch").ok
