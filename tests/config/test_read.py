"""The three formats give the same values and places, and each fault is told with its place."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import pytest

from tests.config.files import fault, places, plain, read

YAML = """trainer:
  devices: 4
  precision: bf16
data:
  fraction: 0.8
  rows: [3, 5, 2]
  drop_last: true
  "odd key": -1
log: ${hydra:run.dir}
"""
TOML = """log = "${hydra:run.dir}"
[trainer]
devices = 4
precision = "bf16"
[data]
fraction = 0.8
rows = [3, 5, 2]
drop_last = true
"odd key" = -1
"""
JSON = """{
  "trainer": {
    "devices": 4,
    "precision": "bf16"
  },
  "data": {
    "fraction": 0.8,
    "rows": [3, 5, 2],
    "drop_last": true,
    "odd key": -1
  },
  "log": "${hydra:run.dir}"
}
"""
SAME = {"train.yaml": YAML, "train.yml": YAML, "train.toml": TOML, "train.json": JSON}
HOLDS = {
    "trainer": {"devices": 4, "precision": "bf16"},
    "data": {"fraction": Fraction(4, 5), "rows": [3, 5, 2], "drop_last": True, "odd key": -1},
    "log": "<`${hydra:run.dir}` is computed when the config is loaded>",
}


@pytest.mark.parametrize("name", SAME)
def test_formats_give_the_same(name: str, tmp_path: Path) -> None:
    assert plain(read(tmp_path, name, SAME[name])) == HOLDS


@pytest.mark.parametrize(
    ("name", "devices", "odd"),
    [("train.yaml", "2:12", "8:14"), ("train.toml", "3:11", "9:13"), ("train.json", "3:16", "10:16")],
)
def test_values_know_their_places(name: str, devices: str, odd: str, tmp_path: Path) -> None:
    found = places(read(tmp_path, name, SAME[name]))

    assert found["trainer.devices"] == f"{name}:{devices}"
    assert found["data.odd key"] == f"{name}:{odd}"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1_000", 1000),
        ("017", 15),
        ("0x1F", 31),
        ("0b11", 3),
        ("-1:30", -90),
        ("1e-4", "1e-4"),
        ("1.0e-4", Fraction(1, 10_000)),
        (".5", Fraction(1, 2)),
        ("yes", True),
        ("off", False),
        ("~", None),
        ("", None),
        ("'8'", "8"),
        ("!!int '8'", 8),
        ("2024-01-01", "<what the tag `!!timestamp` makes of it is known only to the job>"),
        (".inf", "<`.inf` is no number that can be written out>"),
        ("1.0e+9999", "<a number with too many digits>"),
        ("9" * 1001, "<a number with too many digits>"),
        ("auto", "<`auto` is decided when the job starts>"),
        ("???", "<`???` is given on the command line of the job>"),
        ("$WORLD", "<`$WORLD` is computed when the config is loaded>"),
        ("!ref <a>", "<what the tag `!ref` makes of it is known only to the job>"),
        (
            "!!python/name:os.system ''",
            "<what the tag `!!python/name:os.system` makes of it is known only to the job>",
        ),
    ],
)
def test_yaml_reads_a_value_as_the_safe_loader_of_pyyaml_does(
    written: str, value: object, tmp_path: Path
) -> None:
    assert plain(read(tmp_path, "a.yaml", f"a: {written}\n")) == {"a": value}


def test_yaml_agrees_with_the_safe_loader_on_whole_documents(tmp_path: Path) -> None:
    import yaml  # noqa: PLC0415 -- the oracle of this test alone

    text = (
        "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 0o7}\none: {<<: *b, y: 9}\nboth: {<<: [*b, *m], w: 1}\n"
        "list: [*b, 0x10, 190:20:30, 'a', \"b\\n\", on, null, -0, +3]\n1: int\n"
    )

    found = plain(read(tmp_path, "a.yaml", text))

    assert found == {str(key): value for key, value in yaml.safe_load(text).items()}


def test_yaml_runs_nothing(tmp_path: Path) -> None:
    made = tmp_path / "made"
    text = f"a: !!python/object/apply:os.mkdir ['{made}']\nb: 1\n"

    assert plain(read(tmp_path, "a.yaml", text)) == {
        "a": "<what the tag `!!python/object/apply:os.mkdir` makes of it is known only to the job>",
        "b": 1,
    }
    assert not made.exists()


def test_alias_that_contains_itself_is_unreadable(tmp_path: Path) -> None:
    assert plain(read(tmp_path, "a.yaml", "a: &a\n  b: *a\n  c: 1\n")) == {
        "a": {"b": "<it contains itself by an alias>", "c": 1}
    }


def test_aliases_of_aliases_cost_nothing(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]" for at in range(1, 30)]
    start = time.perf_counter()

    read(tmp_path, "a.yaml", "\n".join(lines))

    assert time.perf_counter() - start < 5


NESTED = "[" * 60 + "]" * 60
BROKEN = [
    ("a.yaml", "a: 1\nb: 2\na: 3\n", "E703", "key `a` is given twice", (3, 1)),
    ("a.yaml", "1: a\n'1': b\n", "E703", "key `1` is given twice", (2, 1)),
    ("a.yaml", "s:\n  <<: {a: 1}\n  <<: {b: 1}\n", "E703", "key `<<` is given twice", (3, 3)),
    ("a.yaml", "a: [1, 2\nb: 3\n", "E702", "expected ',' or ']', but got ':'", (2, 2)),
    ("a.yaml", "a: *nobody\n", "E702", "found undefined alias 'nobody'", (1, 4)),
    ("a.yaml", "a: 1\n---\nb: 2\n", "E702", "but found another document", (2, 1)),
    ("a.yaml", "a: \x07\n", "E702", "a character that YAML does not allow", (1, 4)),
    ("a.yaml", f"a: {NESTED}\n", "E702", "nested more than 50 deep", (1, 53)),
    ("a.yaml", "a: {<<: 3}\n", "E702", "`<<` cannot merge this: it is no mapping", (1, 9)),
    ("a.yaml", "a: &a {<<: *a}\n", "E702", "`<<` cannot merge this: it contains itself by an alias", (1, 4)),
    ("a.toml", "[s]\na = 1\na = 2\n", "E703", "cannot overwrite a value", (3, 6)),
    ("a.toml", "[s]\n[t]\n[s]\n", "E703", "cannot declare", (3, 3)),
    ("a.toml", "a = \n", "E702", "invalid value", (1, 5)),
    ("a.toml", f"a = {NESTED}\n", "E702", "nested more than 50 deep", (1, 1)),
    ("a.json", '{"a": 1,\n "a": 2}', "E703", "key `a` is given twice", (2, 2)),
    ("a.json", '{"a": 1,}', "E702", "", None),
    ("a.json", "// c\n{}", "E702", "expecting value", (1, 1)),
    ("a.json", '{"a": NaN}', "E702", "`NaN` is no number of JSON", (1, 7)),
    ("a.json", f'{{"a": {NESTED}}}', "E702", "nested more than 50 deep", (1, 56)),
    ("a.json", "[" * 100_000, "E702", "", None),
    ("a.json", "", "E702", "expecting value", (1, 1)),
]


@pytest.mark.parametrize(("name", "text", "code", "message", "place"), BROKEN)
def test_fault_is_told_with_its_place(
    name: str, text: str, code: str, message: str, place: tuple[int, int] | None, tmp_path: Path
) -> None:
    found = fault(tmp_path, name, text)

    assert found[0] == code
    assert message in found[1]
    assert place is None or found[2] == place


@pytest.mark.parametrize(
    ("name", "content", "code", "message"),
    [
        ("a.yaml", b"a: 1\nb: \xff\n", "E701", "`a.yaml` is not UTF-8 at line 2, column 4 (byte 0xff)"),
        ("a.json", b" " * 300_001, "E701", "`a.json` holds more than 300,000 bytes"),
        ("a.py", b"a = 1", "E704", "`a.py` is no config that can be read"),
    ],
)
def test_file_that_is_no_text_is_refused(
    name: str, content: bytes, code: str, message: str, tmp_path: Path
) -> None:
    assert fault(tmp_path, name, content)[:2] == (code, message)


@pytest.mark.parametrize("name", ["a.yaml", "a.toml"])
def test_empty_file_holds_nothing(name: str, tmp_path: Path) -> None:
    assert plain(read(tmp_path, name, "\ufeff# nothing\n")) == {}


def test_toml_is_not_misled_by_texts_over_several_lines(tmp_path: Path) -> None:
    text = 'a = """\nseed = 1\n"""\nseed = 2\n[s.t]\nx.y = { z = 3 }\n[[list]]\nx = 4\n[[list]]\nx = 5\n'

    found = read(tmp_path, "a.toml", text)

    assert places(found)["seed"] == "a.toml:4:8"
    assert places(found)["s.t.x.y.z"] == "a.toml:6:7"
    assert plain(found) == {
        "a": "seed = 1\n",
        "seed": 2,
        "s": {"t": {"x": {"y": {"z": 3}}}},
        "list": [{"x": 4}, {"x": 5}],
    }


def test_toml_knows_dates_and_infinities_as_unreadable(tmp_path: Path) -> None:
    assert plain(read(tmp_path, "a.toml", "d = 2024-01-01\ni = inf\nx = 1e3\n")) == {
        "d": "<`2024-01-01` is a date or a time>",
        "i": "<`inf` is no number that can be written out>",
        "x": 1000,
    }
