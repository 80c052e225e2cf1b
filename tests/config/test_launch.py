"""Options of launch scripts are numbers where the script writes them out, and unreadable elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.config.entry import Section, Unreadable, Value
from epochproof.config.launch_file import read_launch
from epochproof.diagnostics import Source, SpecError
from tests.config.files import places, refused, spec, words

SCRIPT = r"""#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=4 --gpus-per-node 8
#SBATCH -n 4
##SBATCH --ntasks-per-node=9

GPUS=8  # on each node
export ACCELERATE=2
#SBATCH --ntasks-per-node=7
srun --nodes $SLURM_NNODES torchrun \
  --nnodes=4 --nproc_per_node "$GPUS" \
  train.py --nnodes 3
accelerate launch --num_processes ${ACCELERATE} eval.py; deepspeed --num_gpus auto eval.py
"""

INSIDE = "it stands in a branch, a loop, a function or a text of the script"


def options(text: str) -> dict[str, int | str]:
    """Each option by its dotted name; what is unreadable by its reason."""
    root = read_launch(Source("job.sh", f"#!/bin/sh\n{text}\n"), "job.sh")
    assert isinstance(root, Section)
    found: dict[str, int | str] = {}
    for command, section in root.entries.items():
        assert isinstance(section, Section)
        for name, entry in section.entries.items():
            assert isinstance(entry, Value | Unreadable)
            value = entry.value if isinstance(entry, Value) else entry.reason
            assert isinstance(value, int | str)
            found[f"{command}.{name}"] = value
    return found


def test_literal_options_are_read_with_their_lines() -> None:
    root = read_launch(Source("job.slurm", SCRIPT), "job.slurm")

    assert places(root) == {
        "sbatch.nodes": "job.slurm:3",
        "sbatch.gpus_per_node": "job.slurm:3",
        "sbatch.ntasks": "job.slurm:4",
        "srun.nodes": "job.slurm:10",
        "torchrun.nnodes": "job.slurm:10",
        "torchrun.nproc_per_node": "job.slurm:7",
        "accelerate.num_processes": "job.slurm:8",
        "deepspeed.num_gpus": "job.slurm:13",
    }


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("torchrun --nnodes 2 a.py", 2),
        ("/usr/bin/torchrun --nnodes=2 a.py", 2),
        ("python -m torch.distributed.run --nnodes=2 a.py", 2),
        ("A=1 exec torchrun --standalone --nnodes=2 a.py", 2),
        ("N=2\ntorchrun --nnodes $N a.py", 2),
        ("torchrun --nnodes 1:4 a.py", "`1:4` is no number that is written out"),
        ("torchrun --nnodes gpu a.py", "`gpu` is no number that is written out"),
        ("torchrun --nnodes", "`` is no number that is written out"),
        ("torchrun --nnodes $N a.py", "`$N` is no number that is written out"),
        ("torchrun --nnodes $N a.py\nN=2", "`$N` is no number that is written out"),
        ("torchrun --nnodes $((1 + 1)) a.py", "`$((1` is no number that is written out"),
        ("torchrun --nnodes 2 a.py\ntorchrun --nnodes 2 b.py", "it is given twice, first at job.sh:2"),
        (
            "if x; then\n  torchrun --nnodes 2 a.py\nfi",
            INSIDE,
        ),
        (
            "if x; then torchrun --nnodes 2 a.py; fi",
            INSIDE,
        ),
        ("cat > b.sh <<EOF\ntorchrun --nnodes 2 a.py\nEOF", INSIDE),
        (
            "start() {\n torchrun --nnodes 2 a.py\n}\nstart",
            INSIDE,
        ),
    ],
)
def test_option_is_a_number_or_unreadable(script: str, found: int | str) -> None:
    assert options(script) == {"torchrun.nnodes": found}


@pytest.mark.parametrize(
    "change",
    [
        "N=3",
        "N+=1",
        "read N",
        "for N in 1 2; do x; done",
        "source env.sh",
        ". env.sh",
        "eval $X",
        "let N++",
        "((N++))",
    ],
)
def test_variable_that_may_change_is_unreadable(change: str) -> None:
    assert options(f"N=2\n{change}\ntorchrun --nnodes $N a.py") == {
        "torchrun.nnodes": "`$N` is no number that is written out"
    }


MEGATRON = """TP=2
A=(
  --micro-batch-size 2
  --num-workers 4  # of each rank
)
{}
torchrun --nproc_per_node 8 pretrain_gpt.py "${{A[@]}}" --tensor-model-parallel-size=$TP {}
"""


def test_options_of_megatron_are_read_from_arrays_and_commands() -> None:
    found = options(MEGATRON.format("B=( --global-batch-size 16 )", "${B[*]} --train-iters 7"))

    assert found == {
        "megatron.micro_batch_size": 2,
        "megatron.num_workers": 4,
        "megatron.global_batch_size": 16,
        "megatron.tensor_model_parallel_size": 2,
        "megatron.train_iters": 7,
        "torchrun.nproc_per_node": 8,
    }


@pytest.mark.parametrize(
    ("line", "more", "reason"),
    [
        ("B=(--global-batch-size 16)", "", "`B` is not handed to a command as it stands here"),
        (
            "B=(--global-batch-size 16)\nB=()",
            "${B[@]}",
            "`B` is not handed to a command as it stands here",
        ),
        ("if x; then\nB=(--global-batch-size 16)\nfi", "${B[@]}", INSIDE),
        ("", "--global-batch-size $GBS", "`$GBS` is no number that is written out"),
        (
            "B=(--global-batch-size 16)",
            "${B[@]} --global-batch-size 8",
            "it is given twice, first at job.sh:7",
        ),
    ],
)
def test_option_of_megatron_is_certain_or_unreadable(line: str, more: str, reason: str) -> None:
    assert options(MEGATRON.format(line, more))["megatron.global_batch_size"] == reason


def test_options_like_those_of_megatron_are_another_scripts() -> None:
    assert options("torchrun --nproc_per_node 8 train.py --seed 3 --num-workers 2") == {
        "torchrun.nproc_per_node": 8
    }


def test_comments_and_texts_start_nothing() -> None:
    assert options('# torchrun --nnodes 2 a.py\necho done # torchrun --nnodes 2\necho "open') == {}


def test_file_that_is_no_script_is_refused() -> None:
    with pytest.raises(SpecError):
        read_launch(Source("job.sh", "torchrun --nnodes 2 a.py"), "job.sh")


def test_launch_agrees_with_the_config(tmp_path: Path) -> None:
    (tmp_path / "job.slurm").write_text(SCRIPT)
    (tmp_path / "train.yaml").write_text("trainer: {devices: 8, nodes: 4}\n")
    text = (
        'bind l = launch("job.slurm")\nbind t = config("train.yaml")\ndataset d {{ size = 100 }}\n'
        "loader k over d {{\n"
        "  ranks = agree(l.torchrun.nnodes * l.torchrun.nproc_per_node, t.trainer.devices * {})\n"
        '  shard(ranks)\n}}\nprove "ranks" : k.ranks == 32\nprove "tasks" : l.srun.nodes == 4\n'
    )

    assert words(spec(tmp_path, text.format("t.trainer.nodes"))) == {"ranks": "proved", "tasks": "unknown"}
    ((code, message, _),) = refused(spec(tmp_path, text.format("2")))
    assert code == "E707"
    assert "l.torchrun.nproc_per_node = 8 (job.slurm:7)" in message
