"""What is kept of a call: given again only while nothing changed that it rests on, and only to its owner."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import epochproof
from epochproof.cli import _kept, _reading, _store, _versions, check
from epochproof.cli._verdicts import restored, written
from epochproof.cli.main import main
from epochproof.config.entry import Place
from epochproof.config.use import OVERRIDE, Use
from epochproof.diagnostics import Source, Span
from epochproof.language import tree
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Blame, Counterexample, Judged, Leak, Meeting, Row, Shared, Verdict
from epochproof.report import check_as_json
from epochproof.report.check_as_text import render

EXAMPLES = Path(__file__).parents[2] / "examples"

SPEC = """edition 1
dataset clips {{ {size} }}
loader train over clips {{
  ranks = 4
  shard(ranks, tail = pad)
}}
prove "ten" : train.occurrences == 12
"""
CALL = ["check", "train.epoch"]


class Call:
    """Calls the command; `proofs` counts the specs that were proved, `out` is what was printed last."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.proofs, self.out, self._capsys = 0, "", capsys

    def __call__(self, *words: str) -> int:
        code = main(["check", *(words or ("train.epoch",))])
        self.out = self._capsys.readouterr().out
        return code

    def hits(self, *words: str) -> bool:
        """Whether the call is answered without a proof."""
        before = self.proofs
        self(*words)
        return self.proofs == before


@pytest.fixture
def folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a spec, its manifest, a copy of a package, and a folder for what is kept."""
    monkeypatch.setenv(_store.FOLDER, str(here / "kept"))
    (here / "train.epoch").write_text(SPEC.format(size="size = 10"))
    (here / "listed.epoch").write_text(SPEC.format(size='manifest = "clips.csv"'))
    (here / "clips.csv").write_text("clip\n" + "".join(f"c{at}\n" for at in range(10)))
    for name in ("own/cli/_versions.py", "site/z3/__init__.py", "site/z3/lib/libz3.so"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text("")
    (here / "site" / "z3_solver-5.4.1.0.dist-info").mkdir()
    monkeypatch.setattr(_versions, "__file__", str(here / "own" / "cli" / "_versions.py"))
    monkeypatch.syspath_prepend(str(here / "site"))
    return here


@pytest.fixture(params=["calls", "verdicts"])
def layer(request: pytest.FixtureRequest) -> str:
    """What is kept: what whole calls print, or the verdicts of single specs, or both."""
    return str(request.param)


only_calls = pytest.mark.parametrize("layer", ["calls"], indirect=True)
only_verdicts = pytest.mark.parametrize("layer", ["verdicts"], indirect=True)
both = pytest.mark.parametrize("layer", ["both"], indirect=True)


@pytest.fixture
def call(
    folder: Path, layer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    if layer == "calls":
        monkeypatch.setattr(_reading, "_entry", lambda *_: None)
    elif layer == "verdicts":
        monkeypatch.setattr(check, "_repeatable", lambda _: False)
    made, proved = Call(capsys), _reading._proved

    def counted(path: str, *given: Any) -> _reading.Reading:
        made.proofs += 1
        return proved(path, *given)

    monkeypatch.setattr(_reading, "_proved", counted)
    return made


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "kept").iterdir()) if (folder / "kept").is_dir() else []


def swap(path: Path, old: str, new: str) -> None:
    """Changes bytes of a file, and neither its length nor its times."""
    before = path.stat()
    assert len(old) == len(new) and old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", ["train.epoch", "listed.epoch"])
def test_second_call_says_the_same_without_a_proof(call: Call, name: str, form: str) -> None:
    if name == "listed.epoch":
        pytest.importorskip("duckdb")
    words = ("--format", form, name)

    first, said = call(*words), call.out

    assert call.hits(*words)
    assert (call(*words), call.out) == (first, said)
    assert said


def test_exit_code_is_kept(call: Call, folder: Path) -> None:
    swap(folder / "train.epoch", "== 12", "== 13")

    assert call() == 1
    assert (call(), call.proofs) == (1, 1)


@both
def test_only_verbose_says_where_the_answer_is_from(call: Call) -> None:
    call("-v", "train.epoch")
    said = call.out

    assert call.hits("-v", "train.epoch")
    assert call.out == f"{said}{check.FROM}\n"


def test_folder_is_kept_with_what_is_below(call: Call, folder: Path) -> None:
    (folder / "specs" / "deep").mkdir(parents=True)
    (folder / "specs" / "deep" / "a.epoch").write_text(SPEC.format(size="size = 10"))
    call("specs")

    assert call.hits("specs")
    (folder / "specs" / "b.epoch").write_text(SPEC.format(size="size = 10"))
    assert not call.hits("specs")
    assert call.hits("specs")
    swap(folder / "specs" / "deep" / "a.epoch", "= 10 }", "= 11 }")
    assert not call.hits("specs")


# --- each ingredient of the key ------------------------------------------------------------------------

Change = Callable[[Path, pytest.MonkeyPatch], object]
CHANGES: list[tuple[str, Change]] = [
    ("stream", lambda _, patch: patch.setenv("FORCE_COLOR", "1")),
    ("specs", lambda folder, _: swap(folder / "train.epoch", "= 10 }", "= 11 }")),
    ("sources", lambda folder, _: (folder / "own" / "cli" / "_versions.py").write_text("pass\n")),
    ("sources", lambda folder, _: (folder / "own" / "grammar.lark").write_text("")),
    ("packages", lambda folder, _: (folder / "site" / "z3" / "lib" / "libz3.so").write_text("2")),
    ("packages", lambda folder, _: (folder / "site" / "z3" / "__init__.py").write_text("2")),
    (
        "packages",
        lambda folder, _: (folder / "site" / "z3_solver-5.4.1.0.dist-info").rename(
            folder / "site" / "z3_solver-5.4.2.0.dist-info"
        ),
    ),
    ("packages", lambda _, patch: patch.setenv("Z3_LIBRARY_PATH", "/elsewhere")),
    ("interpreter", lambda _, patch: patch.setattr(sys, "version", "3.99.0")),
]
changes = pytest.mark.parametrize(
    ("layer", "name", "change"),
    [
        pytest.param(layer, *each, id=f"{layer}-{each[0]}-{at}")
        for at, each in enumerate(CHANGES)
        for layer in ("calls", "verdicts")
        if layer == "calls" or each[0] != "stream"
    ],
    indirect=["layer"],
)


@changes
def test_change_of_what_an_answer_rests_on_is_noticed(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Change
) -> None:
    call()
    change(folder, monkeypatch)

    assert not call.hits()


@changes
def test_forgotten_ingredient_would_not_be_noticed(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Change
) -> None:
    monkeypatch.setitem(_kept.INGREDIENTS, name, lambda _: None)
    if name == "specs":
        monkeypatch.setattr(_kept, "mark", lambda _: None)
    call()
    change(folder, monkeypatch)

    assert call.hits()


@only_calls
def test_words_of_the_call_are_an_ingredient(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    call()
    assert not call.hits("-v", "train.epoch")

    monkeypatch.setitem(_kept.INGREDIENTS, "words", lambda _: None)
    call()
    assert call.hits("-v", "train.epoch")


def test_every_ingredient_is_looked_at() -> None:
    assert set(_kept.INGREDIENTS) == {name for name, _ in CHANGES} | {"words"}


@pytest.mark.parametrize("most", [1 << 20, 0])
def test_manifest_is_compared_before_an_answer_counts(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setattr(_kept, "_SMALL", most)
    call("listed.epoch")
    assert call.hits("listed.epoch")

    swap(folder / "clips.csv", "c9\n", "\n\n\n")
    assert not call.hits("listed.epoch")

    monkeypatch.setattr(_kept, "_unchanged", lambda _: True)
    call("listed.epoch")
    (folder / "clips.csv").unlink()
    assert call.hits("listed.epoch"), "without the comparison, even a missing manifest goes unnoticed"


OPENED = """
import sys
from pathlib import Path
from epochproof.cli._inputs import parsed
from epochproof.cli._reading import named_files, reading

room = Path(sys.argv[1]).resolve()
opened = set()
sys.addaudithook(lambda event, given: opened.add(given[0]) if event == "open" else None)
beside = {path.parent for path in room.rglob("*.*") if path.suffix not in (".epoch", ".md", ".py", ".pyc")}
for spec in sorted(path for path in room.rglob("*.epoch") if path.parent in beside):
    looked = True
    opened.clear()
    reading(str(spec))
    files = {str(Path(each).resolve()) for each in opened if isinstance(each, str)}
    known = {str(spec), *(str(Path(each).resolve()) for each in named_files(parsed(str(spec))))}
    for each in sorted(files - known):
        if Path(each).is_relative_to(room):
            print(spec, each)
print("looked" if looked else "nothing to look at")
"""


def test_config_that_hydra_composes_is_compared_before_an_answer_counts(call: Call, folder: Path) -> None:
    (folder / "trainer").mkdir()
    (folder / "config.yaml").write_text("defaults: [trainer: ddp, optional data: more]\n")
    (folder / "trainer" / "ddp.yaml").write_text("devices: 4\n")
    text = SPEC.format(size="size = 10").replace("ranks = 4", "ranks = t.trainer.devices")
    (folder / "train.epoch").write_text(text.replace("edition 1", 'edition 1\nbind t = hydra("config.yaml")'))

    assert call("train.epoch") == 0 and call.hits("train.epoch")

    swap(folder / "trainer" / "ddp.yaml", "4", "5")
    assert not call.hits("train.epoch") and "1 not as stated" in call.out

    (folder / "data").mkdir()
    (folder / "data" / "more.yaml").write_text("# @package trainer\ndevices: 4\n")
    assert not call.hits("train.epoch") and "1 as stated" in call.out


def test_every_file_that_examples_read_is_known() -> None:
    pytest.importorskip("duckdb")
    done = subprocess.run(
        [sys.executable, "-c", OPENED, str(EXAMPLES)], capture_output=True, text=True, timeout=300, check=True
    )

    assert done.stdout == "looked\n"


def test_manifest_that_no_claim_needs_may_be_missing(call: Call, folder: Path) -> None:
    text = SPEC.format(size='manifest = "later.csv"').replace("train.occurrences == 12", "train.ranks == 4")
    (folder / "train.epoch").write_text(text)
    assert call() == 0
    assert call.hits()

    (folder / "later.csv").write_text("clip\n")
    assert not call.hits()


def test_package_in_an_archive_keeps_nothing(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_versions, "__file__", str(folder / "own.zip" / "cli" / "_versions.py"))

    assert (call(), call()) == (0, 0)
    assert entries(folder) == []


# --- the verdicts of one spec --------------------------------------------------------------------------


@both
def test_only_the_spec_that_changed_is_proved_again(call: Call, folder: Path) -> None:
    for name in "abc":
        (folder / f"{name}.epoch").write_text(SPEC.format(size="size = 10"))
    call("-v", "a.epoch", "b.epoch", "c.epoch")
    swap(folder / "b.epoch", "= 10 }", "= 11 }")

    call("-v", "a.epoch", "b.epoch", "c.epoch")

    assert call.proofs == 4
    assert call.out.endswith(f"2 of 3 files {check.FROM}\n")
    assert not call.out.endswith(f"2 of 3 files {check.FROM}\n" * 2)
    assert call.hits("-v", "a.epoch", "b.epoch", "c.epoch")
    assert call.out.endswith(f"\n{check.FROM}\n") and "of 3 files from" not in call.out


@only_verdicts
@pytest.mark.parametrize("form", ["text", "json"])
def test_kept_verdicts_are_shown_in_another_form(call: Call, folder: Path, form: str) -> None:
    swap(folder / "train.epoch", "== 12", "== 13")
    call("--no-cache", "--format", form, "train.epoch")
    said = re.sub(r'"seconds": [\d.]+', "", call.out)
    call("-v", "train.epoch")

    assert call.hits("--format", form, "train.epoch")
    assert re.sub(r'"seconds": [\d.]+', "", call.out) == said
    assert "13" not in said or "refuted" in said


@only_verdicts
def test_kept_verdicts_are_written_to_files(call: Call, folder: Path) -> None:
    call("--output", "junit=one.xml", "train.epoch")

    assert call.hits("--output", "junit=other.xml", "train.epoch")
    assert (folder / "one.xml").read_text() == (folder / "other.xml").read_text()


def test_every_field_of_a_verdict_comes_back() -> None:
    span, big = Span(3, 5), 10**30
    one, other = Meeting("a", {"a": big}, (1, 2), 3), Meeting("b", {"b": 2}, None)
    blame = Blame("shard", span, "it is lost")
    rows = Row("s.train", 1, "x", ("0", "64")), Row("s.val", 2, None, None)
    leak = Leak("a.csv", "video", 3, big, "values", (("fox", *rows),))
    shown = Counterexample(
        {"size": big}, (1, 2), 3, 4, blame, smallest=True, replayed="torch", lengths={"a": (1, 2)},
        meeting=(one, other), made_up=True, leak=leak, shared=Shared(1, big, "values", "a", 0),
    )  # fmt: skip
    verdicts = [
        Verdict("refuted", "run(1)", shown, "because"),
        Verdict("proved", "solver", None),
        Verdict("refuted", "run(1)", Counterexample({}, (), None, None, None, smallest=False)),
    ]
    uses = (
        Use("t.a", "3", Place("t.yaml", 2, 4), span, 7),
        Use("t.b", "null", OVERRIDE, span, 8, "4 at t.json"),
        Use("h.c", "8", Place("c.yaml", 1, 2, "env.N = 8"), span, 9, composed="c.yaml with n = 8"),
    )
    claims = tuple(Judged("ten ✓", "prove", span, each, 0.25, ("a", "b"), uses) for each in verdicts)
    checked = Checked("a.epoch", claims, Source("a.epoch", "edition 1\n"), uses)

    assert restored(written(checked)) == checked
    kinds = (shown, Verdict, Use, Place)
    filled = {each.name for kind in kinds for each in fields(kind)}
    assert filled == {
        *("parameters", "records", "rank", "epoch", "blame", "smallest", "replayed", "lengths", "meeting"),
        *("made_up", "leak", "shared", "word", "evidence", "counterexample", "reason", "obligations"),
        *("name", "shown", "place", "span", "owner", "instead_of", "composed", "path", "line", "column"),
        "given",
    }, "a new field is tried here, too"


@pytest.mark.parametrize("name", ["clips", "elastic", "evaluation", "manifest/clips", "mixture", "sc241"])
def test_verdicts_of_examples_come_back(name: str) -> None:
    checked = epochproof.check(EXAMPLES / f"{name}.epoch")

    again = restored(written(checked))

    assert render(again, verbose=True) == render(checked, verbose=True)
    assert check_as_json.render([again]) == check_as_json.render([checked])


# --- what is not kept ----------------------------------------------------------------------------------


def test_wrong_spec_is_not_kept(call: Call, folder: Path) -> None:
    swap(folder / "train.epoch", "shard", "shart")

    assert (call(), call()) == (2, 2)
    assert call.proofs == 2 and entries(folder) == []


def test_call_without_cache_neither_keeps_nor_asks(call: Call, folder: Path) -> None:
    call("--no-cache", "train.epoch")
    assert entries(folder) == []

    call()
    assert not call.hits("--no-cache", "train.epoch")


def test_standard_input_is_not_kept(call: Call, folder: Path, typed: Callable[[bytes], None]) -> None:
    for _ in range(2):
        typed((folder / "train.epoch").read_bytes())
        assert call("-") == 0

    assert entries(folder) == []


def test_pipe_is_neither_opened_nor_kept(folder: Path) -> None:
    os.mkfifo(folder / "pipe.epoch")

    assert _kept.key(["pipe.epoch"]) is None


def test_verdict_that_a_clock_may_have_stopped_is_not_kept(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_reading, "GUARD", 0)
    call()

    assert entries(folder) == []


@only_calls
@pytest.mark.parametrize("words", [("--format", "github"), ("--output", "json=claims.json")])
def test_document_that_depends_on_more_is_written_each_time(
    call: Call, folder: Path, words: tuple[str, ...]
) -> None:
    call(*words, "train.epoch")

    assert entries(folder) == []


@only_calls
def test_option_of_which_nothing_is_known_is_not_kept(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "_REPEATED", tuple(each for each in check._REPEATED if each != "verbose"))
    call("-v", "train.epoch")

    assert entries(folder) == []


def test_statement_of_which_nothing_is_known_is_not_kept(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_reading, "_KNOWN", tree.Dataset | tree.Loader | tree.Setting | tree.Claim)
    call()

    assert entries(folder) == []


@pytest.mark.parametrize("name", ["listed.epoch", "clips.csv"])
def test_file_that_changes_meanwhile_is_not_kept(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pytest.importorskip("duckdb")
    proved = _reading._proved

    def slow(path: str, *given: Any) -> _reading.Reading:
        found = proved(path, *given)
        (folder / name).write_text((folder / name).read_text() + "\n")
        return found

    monkeypatch.setattr(_reading, "_proved", slow)
    assert call("listed.epoch") == 0

    assert entries(folder) == []


def test_python_callers_keep_nothing(folder: Path) -> None:
    assert epochproof.check(folder / "train.epoch").ok

    assert entries(folder) == []


# --- whom the folder is from ---------------------------------------------------------------------------


def test_folder_and_answers_are_private(call: Call, folder: Path) -> None:
    before = os.umask(0)
    try:
        call()
    finally:
        os.umask(before)

    (entry,) = entries(folder)
    assert (folder / "kept").stat().st_mode & 0o777 == 0o700
    assert entry.stat().st_mode & 0o777 == 0o600
    assert json.loads(entry.read_text())["schema"] == _kept.SCHEMA


@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_folder_that_others_can_write_is_not_there(call: Call, folder: Path, mode: int) -> None:
    call()
    (folder / "kept").chmod(mode)

    assert not call.hits()


def test_folder_behind_a_link_is_not_there(call: Call, folder: Path) -> None:
    call()
    (folder / "kept").rename(folder / "elsewhere")
    (folder / "kept").symlink_to(folder / "elsewhere")

    assert not call.hits()


def test_folder_of_another_user_is_not_there(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call()
    monkeypatch.setattr(os, "geteuid", lambda: 4711)

    assert not call.hits()


@pytest.mark.parametrize("place", [os.devnull, "train.epoch/kept", "x\0y"])
def test_folder_that_cannot_be_made_is_no_fault(
    call: Call, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(_store, "folder", lambda: place)

    assert (call(), call()) == (0, 0)
    assert call.proofs == 2


def test_full_disk_is_no_fault(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(_store, "_write", full)

    assert call() == 0
    assert entries(folder) == []


def test_folder_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    for name in (_store.FOLDER, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert _store.folder() == "/home/me/.cache/epochproof"

    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert _store.folder() == "/home/me/.cache/epochproof"
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert _store.folder() == "/caches/epochproof"
    monkeypatch.setenv(_store.FOLDER, "/mine")
    assert _store.folder() == "/mine"


def edited(entry: Path, **fields: object) -> bytes:
    return json.dumps({**json.loads(entry.read_text()), **fields}).encode()


SPOILT: dict[str, Callable[[Path], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda entry: entry.read_bytes()[:-20],
    "no text": lambda _: b"\xff\xfe\x00",
    "no object": lambda _: b"[1, 2]",
    "deep": lambda _: b"[" * 100_000,
    "other output": lambda entry: edited(entry, output="1 claim: 1 as stated\n"),
    "other code": lambda entry: edited(entry, exit_code=1),
    "other files": lambda entry: edited(entry, files={"a": "bytes 0"}),
    "no files": lambda entry: edited(entry, files=None),
    "code of another kind": lambda entry: edited(entry, exit_code="0"),
    "too long": lambda entry: entry.read_bytes() + b" " * _store.MOST_BYTES,
}


@pytest.mark.parametrize("how", SPOILT)
def test_spoilt_answer_is_not_there(call: Call, folder: Path, how: str) -> None:
    call()
    said = call.out
    (entry,) = entries(folder)
    entry.write_bytes(SPOILT[how](entry))

    assert not call.hits()
    assert call.out == said
    assert call.hits(), "and is replaced"


@pytest.mark.parametrize("how", ["link", "pipe", "folder", "writable"])
def test_answer_that_is_no_private_file_is_not_there(call: Call, folder: Path, how: str) -> None:
    call()
    (entry,) = entries(folder)
    content = entry.read_bytes()
    if how == "writable":
        entry.chmod(0o660)
    else:
        entry.unlink()
    if how == "link":
        (folder / "copy").write_bytes(content)
        entry.symlink_to(folder / "copy")
    elif how == "pipe":
        os.mkfifo(entry, 0o600)
    elif how == "folder":
        entry.mkdir()

    assert not call.hits()
    assert [each.name for each in entries(folder)] == [entry.name], "no draft stays"


@only_calls
def test_answer_of_another_call_does_not_count_under_a_new_name(call: Call, folder: Path) -> None:
    call()
    (other,) = entries(folder)
    swap(folder / "train.epoch", "== 12", "== 13")
    name = _kept.key(CALL[1:])
    assert name
    other.rename(other.with_name(name))

    assert call() == 1


def test_oldest_answers_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_store, "MOST_ENTRIES", 3)
    for at, name in enumerate("edcba"):
        _store.save(name, {"at": at})
        os.utime(folder / "kept" / name, (at, at))

    _store.save("f", {})

    assert [each.name for each in entries(folder)] == ["a", "b", "f"]


def test_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    command = [sys.executable, "-m", "epochproof", *CALL]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = {each.communicate(timeout=120)[0] for each in running}

    assert {each.returncode for each in running} == {0}
    assert len(said) == 1 and "proved" in said.pop()
    assert [each.name.startswith(".") for each in entries(folder)] == [False, False]
