"""What a spec is with the values of its bound files in place of their names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from tests.config.files import refused, spec, told, words
from tests.config.test_read import SAME

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """trainer:
  devices: 4
  num_nodes: 2
  strategy: ddp
data:
  batch_size: 8
  drop_last: true
  tail: drop
  rows: [3, 5, 2]
  file: clips.parquet
  fraction: 0.8
seed: null
ranks: ${oc.env:WORLD_SIZE}
flag: !ask now
"""
LOADER = """bind t = config("train.yaml")
dataset images {{ size = 100 }}
loader train over images {{
  ranks = 4
  shard(ranks)
  {}
}}
prove "it" : {}
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "train.yaml").write_text(CONFIG)
    (tmp_path / "launch.json").write_text('{"world": 8, "nodes": 3}')
    return tmp_path


def verdict(folder: Path, formula: str, stage: str = "batch(8)", **overrides: int | str | bool | None) -> str:
    """The verdict of one claim about a loader with this last stage."""
    return words(spec(folder, LOADER.format(stage, formula)), **overrides)["it"]


@pytest.mark.parametrize("name", SAME)
def test_formats_give_the_same_verdicts(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SAME[name])
    path = spec(
        tmp_path,
        f'bind t = config("{name}")\ndataset d {{ rows = t.data.rows }}\nloader l over d {{\n'
        "  ranks = t.trainer.devices\n  shard(ranks, tail = if t.data.drop_last then drop else pad)\n}\n"
        'prove "two are lost" : count(l.omitted) == 2\nprove "exact" : t.data.fraction * 5 == l.ranks\n',
    )

    assert words(path) == {"two are lost": "proved", "exact": "proved"}


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("train.ranks == t.trainer.devices", "proved"),
        ("train.ranks == t.trainer.num_nodes", "refuted"),
        ("t.trainer.devices // t.trainer.num_nodes == 2", "proved"),
        ("t.seed ?? 7 == 7", "proved"),
        ("t.nothing ?? -7 == -7", "proved"),
        ("t.nothing ?? t.seed ?? 3 == 3", "proved"),
        ("t.seed.below ?? 1 == 1", "proved"),
        ("t.trainer.devices ?? 1 == 4", "proved"),
        ("2 * t.nothing ?? 3 == 6", "proved"),
        ('t.trainer.strategy == "ddp" and t.data.drop_last', "proved"),
        ('t.trainer.strategy != "ddp" or not t.data.drop_last', "refuted"),
        ("train.steps == 4 given t.data.drop_last", "proved"),
        ("train.steps == 4 given not t.data.drop_last", "vacuous"),
        ("agree(t.data.batch_size, t.trainer.devices * t.trainer.num_nodes, 8) == 8", "proved"),
        ("min(t.trainer.devices, 3) == 3", "proved"),
        ("count(t.data.rows) == 3", "proved"),
        ("count(t.data.rows) * t.trainer.devices == 12", "proved"),
        ("t.data.rows.1 == 5", "proved"),
        ("t.data.rows.3 ?? 9 == 9", "proved"),
        ("count(train.omitted) == 4 given t.data.drop_last", "refuted"),
        ("(if t.data.drop_last then 1 else t.ranks) == 1", "proved"),
        ("(if t.data.drop_last then t.ranks else 1) == 1", "unknown"),
        ("train.ranks == t.ranks ?? 4", "unknown"),
        ("train.ranks == agree(t.ranks, 4)", "unknown"),
        ("train.ranks == 4 given t.ranks == 4", "unknown"),
        ("train.ranks == 4 or t.flag == 1", "unknown"),
    ],
)
def test_values_in_formulas(formula: str, word: str, here: Path) -> None:
    assert verdict(here, formula) == word


@pytest.mark.parametrize(
    ("stage", "formula"),
    [
        ("batch(8, tail = if t.data.drop_last then drop else keep)", "train.steps == 3"),
        ("batch(8, tail = if not t.data.drop_last then drop else keep)", "train.steps == 4"),
        (
            "batch(8, tail = if t.trainer.devices > 2 and t.data.drop_last then drop else keep)",
            "train.steps == 3",
        ),
        ('batch(8, tail = if t.trainer.strategy == "ddp" then drop else keep)', "train.steps == 3"),
        ("batch(8, tail = t.data.tail)", "train.steps == 3"),
        ("batch(8, tail = t.data.none ?? drop)", "train.steps == 3"),
        ("batch(t.data.batch_size, tail = agree(t.data.tail, drop ))", "train.steps == 3"),
        ("batch(in 1..t.data.batch_size)", "train.batch <= 8"),
        ("batch(8)\n  fetch(2, persistent = t.data.drop_last)", "train.steps == 4"),
    ],
)
def test_values_in_stages(stage: str, formula: str, here: Path) -> None:
    if "agree" in stage:
        stage = stage.replace("agree(t.data.tail, drop )", "agree(t.data.tail, t.data.tail)")

    assert verdict(here, formula, stage) == "proved"


@pytest.mark.parametrize(
    ("stage", "verdicts"),
    [
        ("batch(t.ranks)", ("unknown", "unknown", "proved")),
        ("batch(t.ranks + 1)", ("unknown", "unknown", "proved")),
        ("batch(in 1..t.ranks)", ("unknown", "unknown", "proved")),
        ("batch(4, tail = t.flag)", ("unknown", "unknown", "unknown")),
        ("batch(4, tail = if t.flag then drop else keep)", ("unknown", "unknown", "unknown")),
    ],
)
def test_unreadable_value_leaves_what_depends_on_it_unknown(
    stage: str, verdicts: tuple[str, str, str], here: Path
) -> None:
    claims = ("train.omitted == {}", "train.steps == train.steps", "train.ranks == 4")

    assert tuple(verdict(here, each, stage) for each in claims) == verdicts


@pytest.mark.parametrize("kind", ["prove", "refute"])
def test_no_claim_about_an_unreadable_value_is_decided(kind: str, here: Path) -> None:
    path = spec(
        here,
        'bind t = config("train.yaml")\ndataset d { size = t.ranks }\n'
        "loader l over d { ranks = 2 shard(ranks) }\n"
        f'{kind} "right" : l.omitted == {{}}\n{kind} "wrong" : l.occurrences == 3\n'
        f'{kind} "else" : l.ranks == 2\n',
    )

    assert words(path) == {"right": "unknown", "wrong": "unknown", "else": "proved"}
    found = epochproof.check(path)
    assert found.claims[0].verdict.reason == (
        "`t.ranks` cannot be read: `${oc.env:WORLD_SIZE}` is computed when the config is loaded"
        " (train.yaml:13:8)"
    )
    assert found.exit_code == (3 if kind == "prove" else 1)


def test_unreadable_seed_leaves_counts_as_they_are(here: Path) -> None:
    path = spec(
        here,
        'bind t = config("train.yaml")\ndataset d { size = 7 }\n'
        "loader l over d { ranks = 2 shuffle(seed = t.ranks) shard(ranks, tail = drop) }\n"
        'prove "one is lost" : count(l.omitted) == 1\n'
        'prove "not record 0" : l.omitted != {0}\nrefute "it is record 0" : l.omitted == {0}\n',
    )

    assert words(path) == {"one is lost": "proved", "not record 0": "unknown", "it is record 0": "unknown"}


def test_assumption_about_an_unreadable_value_decides_nothing(here: Path) -> None:
    text = LOADER.format("batch(8)", "train.ranks == 4") + 'assume "much" : t.ranks > 1\n'

    assert words(spec(here, text)) == {"it": "unknown"}


def test_populations_made_of_unreadable_ones_are_unknown(here: Path) -> None:
    path = spec(
        here,
        'bind t = config("train.yaml")\ndataset a { rows = [t.ranks, 3] }\ndataset b { size = 4 }\n'
        "mix m { a = 1, b = 1, pick = round_robin, stop = first_exhausted }\n"
        "loader l over m { }\nloader k over b { }\n"
        'prove "of a" : l.omitted == {}\nprove "of b" : k.omitted == {}\n',
    )

    assert words(path) == {"of a": "unknown", "of b": "proved"}


WRONG = [
    (
        "batch(t.data.batchsize)",
        "E705",
        "`t.data.batchsize` is absent from `train.yaml`",
        "did you mean `batch_size`?",
    ),
    ("batch(t.seed)", "E705", "`t.seed` is null at train.yaml:12:7", "say what is meant then: `t.seed ?? 0`"),
    (
        "batch(t.data.rows.3)",
        "E705",
        "`t.data.rows.3` is absent from `train.yaml`",
        "add the key, or say what is meant without it: `t.data.rows.3 ?? 0`",
    ),
    (
        "batch(t.data.rows.x)",
        "E706",
        "`t.data.rows` is [3, 5, 2] at train.yaml:9:9, and has no `x`",
        "name a value of the config",
    ),
    ("batch(t.data)", "E706", "`t.data` is a section at train.yaml:6:3", "name a value in it"),
    ("batch(t)", "E706", "`t` is bound to a whole file", "name a value in it: `t.batch_size`"),
    ("batch(t.seed ?? t.data)", "E706", "`t.data` is a section at train.yaml:6:3", "name a value in it"),
    (
        "batch(t.trainer.devices.x)",
        "E706",
        "`t.trainer.devices` is 4 at train.yaml:2:12, and has no `x`",
        "name a value of the config",
    ),
    (
        "batch(t.trainer.strategy)",
        "E214",
        "a number is needed here, not the text `ddp`",
        'correct the config, or name another value; bound here: t.trainer.strategy = "ddp" (train.yaml:4:13)',
    ),
    (
        "batch(t.trainer.devices - 4)",
        "E205",
        "`n` must be at least 1, and is 0 here",
        "write 1 or more; bound here: t.trainer.devices = 4 (train.yaml:2:12)",
    ),
    (
        "batch(4, tail = t.trainer.strategy)",
        "E204",
        "`tail` cannot be `ddp`",
        'name one of keep, drop, pad; bound here: t.trainer.strategy = "ddp" (train.yaml:4:13)',
    ),
    (
        "batch(if t.trainer.devices then 1 else 2)",
        "E706",
        "a condition is needed here, and this is neither true nor false",
        "t.trainer.devices = 4 (train.yaml:2:12)",
    ),
    (
        "batch(agree(t.data.batch_size, l.world, l.nodes))",
        "E707",
        "these must agree: t.data.batch_size = 8 (train.yaml:6:15) and l.nodes = 3 (launch.json:1:23)",
        "correct one of the two files",
    ),
    (
        "batch(agree(t.data.batch_size))",
        "E706",
        "`agree` takes two values or more",
        "write `agree(t.num_processes, l.world)`",
    ),
    (
        "batch(agree(t.data.batch_size, ranks))",
        "E706",
        "`agree` compares bound values",
        "compare values that the spec leaves free in a claim",
    ),
    (
        "batch(4 ?? 3)",
        "E706",
        "`??` stands after a bound value",
        "write `t.seed ?? 0`, where `t` is bound to a config",
    ),
]


@pytest.mark.parametrize(("stage", "code", "message", "cure"), WRONG)
def test_misused_value_is_told_with_its_place(
    stage: str, code: str, message: str, cure: str, here: Path
) -> None:
    path = spec(here, 'bind l = config("launch.json")\n' + LOADER.format(stage, "train.omitted == {}"))

    assert refused(path) == [(code, message, cure)]


@pytest.mark.parametrize(
    ("formula", "code", "message"),
    [
        (
            "train.ranks == t.trainer.strategy",
            "E706",
            "a formula compares numbers, and this is the text `ddp`",
        ),
        ("train.omitted(t.trainer.devices) == {}", "E301", ""),
        ("train.order unaffected by t.trainer.devices", "E304", ""),
    ],
)
def test_misused_value_in_a_formula(formula: str, code: str, message: str, here: Path) -> None:
    found = refused(spec(here, LOADER.format("batch(8)", formula)))

    assert found and (not message or found[0][:2] == (code, message))


@pytest.mark.parametrize(
    ("binding", "code", "message"),
    [
        ('bind t = config("none.yaml")', "E701", "`none.yaml` is not there"),
        ('bind t = config("")', "E704", "`` is no config that can be read"),
        ('bind t = config("../train.py")', "E704", "`../train.py` is no config that can be read"),
        ('bind t = confg("train.yaml")', "E704", "nothing reads a `confg`"),
        ('bind t = config("train.yaml")\ndataset t { size = 1 }', "E116", "`t` is defined twice"),
        ('bind t = config("a\\u0000.yaml")', "E701", None),
    ],
)
def test_wrong_binding_is_refused(binding: str, code: str, message: str | None, here: Path) -> None:
    found = refused(spec(here, f"{binding}\n"))

    assert [each[0] for each in found] == [code]
    assert message is None or found[0][1] == message


def test_broken_file_is_shown_itself(here: Path) -> None:
    (here / "train.yaml").write_text("a: 1\na: 2\n")

    with pytest.raises(SpecError) as raised:
        epochproof.check(spec(here, 'bind t = config("train.yaml")\n'))

    assert told(raised.value.diagnostics[0], raised.value.source) == (
        "E703",
        "key `a` is given twice",
        (2, 1),
    )
    assert raised.value.source is not None
    assert raised.value.source.path == str(here / "train.yaml")


def test_path_is_meant_from_the_folder_of_the_spec(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "specs").mkdir()
    path = spec(
        here / "specs", LOADER.format("batch(8)", "t.trainer.devices == 4").replace("train.y", "../train.y")
    )
    monkeypatch.chdir(here.parent)

    assert words(path) == {"it": "proved"}


def test_spec_without_bindings_opens_nothing(here: Path) -> None:
    path = spec(here, 'dataset d { size = 3 }\nloader l over d { }\nprove "all" : l.omitted == {}\n')

    assert words(path) == {"all": "proved"}
    assert epochproof.check(path).uses == ()


@pytest.mark.parametrize(
    ("overrides", "word"),
    [({}, "proved"), ({"trainer__devices": 5}, "refuted"), ({"data__batch_size": 3}, "proved")],
)
def test_override_stands_in_place_of_the_file(overrides: dict[str, int], word: str, here: Path) -> None:
    assert verdict(here, "train.ranks == t.trainer.devices", "batch(t.data.batch_size)", **overrides) == word


def test_override_makes_an_unreadable_value_known(here: Path) -> None:
    assert verdict(here, "train.ranks == t.ranks", ranks=4) == "proved"
    assert verdict(here, "train.ranks == t.ranks", ranks=5) == "refuted"


def test_override_of_an_absent_key_and_by_null(here: Path) -> None:
    assert verdict(here, "t.nothing ?? 3 == 4", nothing=4) == "proved"
    assert verdict(here, "t.trainer.devices ?? 3 == 3", trainer__devices=None) == "proved"


def test_unused_override_is_refused(here: Path) -> None:
    path = spec(here, LOADER.format("batch(t.data.batch_size)", "train.ranks == 4"))

    with pytest.raises(SpecError) as raised:
        epochproof.check(path, overrides={"t.data.batchsize": 3})

    (wrong,) = raised.value.diagnostics
    assert (wrong.code, wrong.help) == ("E708", "did you mean `t.data.batch_size`?")


def test_example_is_as_stated_and_its_edit_turns_one_claim_red(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "bound", tmp_path / "bound")
    path, config = tmp_path / "bound" / "train.epoch", tmp_path / "bound" / "train.yaml"
    lost, steps = "an epoch loses less than one global batch", "every rank runs 5004 steps"

    assert words(path) == {lost: "proved", steps: "proved"}

    config.write_text(config.read_text().replace("num_nodes: 2", "num_nodes: 3"))

    assert words(path) == {lost: "proved", steps: "refuted"}
    red = epochproof.check(path).claims[1]
    assert "t.trainer.num_nodes = 3 (train.yaml:3:14)" in map(str, red.uses)
    assert words(path, trainer__num_nodes=2) == {lost: "proved", steps: "proved"}
