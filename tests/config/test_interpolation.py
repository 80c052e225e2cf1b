"""`${a.b}` is what stands there, `${oc.env:X}` what the spec gives; all else stays unreadable."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from epochproof.language.format import format_text
from tests.config.files import plain, read, refused, spec, words

CONFIG = """nodes: 2
trainer:
  devices: ${gpus}
  num_nodes: ${nodes}
gpus: ${ranks.per_node}
ranks:
  per_node: 4
  total: ${oc.env:WORLD_SIZE}
  decoded: ${oc.decode:${oc.env:WORLD_SIZE}}
  other: ${oc.env:OTHER,8}
data:
  - {name: web, weight: 3}
  - {name: code, weight: "${data[0].weight}"}
copy: ${trainer}
paths: {scratch: "${oc.env:SCRATCH}/runs"}
"""
LOADER = """
dataset d {{ size in 1.. }}
loader train over d {{
  ranks = {}
  shard(ranks)
}}
prove "eight ranks" : train.ranks == 8
"""


def value(folder: Path, text: str) -> object:
    found = plain(read(folder, "a.yaml", text))
    assert isinstance(found, dict)
    return found["a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: ${b}\nb: 3", 3),
        ("a: ${ b.c }\nb: {c: x}", "x"),
        ("a: ${b}\nb: ${c}\nc: ${d}\nd: 5", 5),
        ("a: ${b}\nb: {c: 1, d: '${e}'}\ne: 2", {"c": 1, "d": 2}),
        ("a: ${b.c}\nb: ${d}\nd: {c: 7}", 7),
        ("a: ${b[1]}\nb: [1, 2]", 2),
        ("a: ${b.1.x}\nb: [1, {x: 4}]", 4),
        ("a: [1, '${b}']\nb: 2", [1, 2]),
        ("a: ${b}\nb:", None),
        ("a: ${b-c}\nb-c: 6", 6),
    ],
)
def test_interpolation_is_what_stands_there(text: str, expected: object, tmp_path: Path) -> None:
    assert value(tmp_path, text) == expected


@pytest.mark.parametrize(
    "written",
    [
        "${none}",
        "${b.c}",
        "${b[2]}",
        "${b.2}",
        "x${b}",
        "${b}x",
        "${.b}",
        "${oc.env:B}",
        "${oc.env:B,4}",
        "${f:b}",
    ],
)
def test_what_leads_nowhere_stays_unreadable(written: str, tmp_path: Path) -> None:
    assert (
        value(tmp_path, f"a: {written}\nb: [1, 2]") == f"<`{written}` is computed when the config is loaded>"
    )


@pytest.mark.parametrize(
    "text", ["a: ${a}", "a: ${b}\nb: ${a}", "a: {c: '${a}'}", "a: ['${b}']\nb: ['${a}']"]
)
def test_circle_ends(text: str, tmp_path: Path) -> None:
    assert "<it stands for itself, or for too much>" in str(value(tmp_path, text))


def test_long_chain_ends(tmp_path: Path) -> None:
    chain = "\n".join(f"a{at}: ${{a{at + 1}}}" for at in range(5_000))

    assert value(tmp_path, f"a: ${{a0}}\n{chain}") == "<it stands for itself, or for too much>"


@pytest.mark.parametrize("name", ["a.json", "a.toml"])
def test_other_formats_have_none(name: str, tmp_path: Path) -> None:
    text = '{"a": "${b}", "b": 1}' if name == "a.json" else 'a = "${b}"\nb = 1\n'

    found = plain(read(tmp_path, name, text))

    assert found == {"a": "<`${b}` is computed when the config is loaded>", "b": 1}


@pytest.mark.parametrize(
    ("ranks", "word"),
    [
        ("t.trainer.devices * t.trainer.num_nodes", "proved"),
        ("t.copy.devices * t.nodes", "proved"),
        ("t.ranks.total", "proved"),
        ("t.ranks.decoded", "proved"),
        ("t.ranks.other", "unknown"),
        ("t.data.1.weight + 5", "proved"),
        ("t.data.2.weight ?? 8", "proved"),
    ],
)
def test_ranks_are_found(ranks: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text(CONFIG)
    bind = 'bind t = config("train.yaml", env.WORLD_SIZE = 8)'

    assert words(spec(tmp_path, bind + LOADER.format(ranks))) == {"eight ranks": word}


def test_verdict_names_the_variable_that_it_rests_on(tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text(CONFIG)
    bind = 'bind t = config("train.yaml", env.WORLD_SIZE = 8)'

    (claim,) = epochproof.check(spec(tmp_path, bind + LOADER.format("t.ranks.total"))).claims

    assert "the job runs with the `env.WORLD_SIZE` that the spec gives" in claim.assumptions
    assert "the job runs with what `train.yaml` says" in claim.assumptions
    assert [str(each) for each in claim.uses] == ["t.ranks.total = 8 (train.yaml:8:10 with env.WORLD_SIZE)"]


def test_interpolated_value_has_the_place_of_its_number(tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text(CONFIG)

    (claim,) = epochproof.check(
        spec(tmp_path, 'bind t = config("train.yaml")' + LOADER.format("t.gpus * 2"))
    ).claims

    assert [str(each) for each in claim.uses] == ["t.gpus = 4 (train.yaml:7:13)"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("WORLD_SIZE = 8", "`WORLD_SIZE` is no variable of the environment"),
        ("env.WORLD.SIZE = 8", "`env.WORLD.SIZE` is no variable of the environment"),
        ("env.WORLD_SIZE = a", "`env.WORLD_SIZE` is given no number and no text"),
        ("env.WORLD_SIZE = 8, env.WORLD_SIZE = 8", "`env.WORLD_SIZE` is given twice"),
        ("env.WORLD_SIZES = 8", "`train.yaml` names no `WORLD_SIZES`"),
    ],
)
def test_wrong_environment_is_refused(given: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text(CONFIG)
    path = spec(tmp_path, f'bind t = config("train.yaml", {given})' + LOADER.format("t.nodes"))

    assert [each[:2] for each in refused(path)] == [("E710", message)]


def test_environment_is_written_in_one_style() -> None:
    text = 'edition 1\nbind t=config( "a.yaml" ,env.X=4,env.Y = "z")\nbind longer = launch("b.sh")\n'

    assert format_text(text).splitlines()[1:] == [
        'bind t      = config("a.yaml", env.X = 4, env.Y = "z")',
        'bind longer = launch("b.sh")',
    ]


@pytest.mark.parametrize(
    ("script", "word"),
    [
        ("torchrun --nnodes $NNODES --nproc_per_node 4 a.py", "proved"),
        ("torchrun --nnodes ${NNODES:-1} --nproc_per_node 4 a.py", "proved"),
        ("NNODES=3\ntorchrun --nnodes $NNODES --nproc_per_node 4 a.py", "refuted"),
        ("NNODES=3\ntorchrun --nnodes ${NNODES:-1} --nproc_per_node 4 a.py", "unknown"),
        ("read NNODES\ntorchrun --nnodes $NNODES --nproc_per_node 4 a.py", "unknown"),
        ("source env.sh\ntorchrun --nnodes $NNODES --nproc_per_node 4 a.py", "unknown"),
    ],
)
def test_launch_script_takes_variables_that_it_leaves_alone(script: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(f"#!/bin/sh\n{script}\n")
    bind = 'bind l = launch("job.sh", env.NNODES = 2)'
    ranks = "l.torchrun.nnodes * l.torchrun.nproc_per_node"

    assert words(spec(tmp_path, bind + LOADER.format(ranks))) == {"eight ranks": word}


JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
spec:
  nprocPerNode: "2"
  pytorchReplicaSpecs:
    Master: {replicas: 1}
    Worker: {replicas: 3}
"""


@pytest.mark.parametrize(
    ("job", "ranks", "word"),
    [
        (JOB, "l.pytorchjob.nproc_per_node * (l.pytorchjob.master + l.pytorchjob.worker)", "proved"),
        (JOB.replace('"2"', "auto"), "l.pytorchjob.nproc_per_node", "unknown"),
        (JOB.replace("Worker: {replicas: 3}", ""), "8 * (1 + (l.pytorchjob.worker ?? 0))", "proved"),
        (
            "kind: TrainJob\nspec: {trainer: {numNodes: 2, numProcPerNode: 4}}",
            "l.trainjob.num_nodes * l.trainjob.num_proc_per_node",
            "proved",
        ),
    ],
)
def test_jobs_of_kubernetes_are_launches(job: str, ranks: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job)

    assert words(spec(tmp_path, 'bind l = launch("job.yaml")' + LOADER.format(ranks))) == {
        "eight ranks": word
    }


def test_other_kinds_are_no_launches(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text("kind: Pod\n")

    found = refused(spec(tmp_path, 'bind l = launch("job.yaml")' + LOADER.format("8")))

    assert [each[:2] for each in found] == [("E702", "the `kind` of a job is PyTorchJob or TrainJob")]
