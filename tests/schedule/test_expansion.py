"""A `use` is the stages of its preset, and what is wrong with it is told where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import epochproof
from epochproof.diagnostics import Diagnostic, SpecError
from epochproof.language.parse import read
from epochproof.schedule.loader import Loader
from epochproof.schedule.preset import preset_files, without_files

HEAD = """edition 1
preset Sampler(batch_size, drop_last = false, layout = strided, seed = any) {
  describes = "ours 1"
  use torch.DistributedSampler(drop_last = drop_last, seed = seed)
  if layout == strided and not drop_last {
    use Batches(batch_size)
  } else if layout == blocked {
    batch(batch_size * 2)
  } else {
    batch(batch_size, tail = drop)
  }
}
preset Batches(n) { batch(n, tail = pad) }
preset Twice(n, m = n + 1) { batch(m), accumulate(n) }
preset Nothing() {}
dataset images { size in 0.. }
"""


def loader(entries: str, head: str = HEAD) -> Loader:
    """The loader `train` with these entries."""
    return epochproof.load(f"{head}loader train over images {{ ranks in 1..8\n{entries} }}\n").loaders[
        "train"
    ]


def stages(entries: str) -> list[object]:
    return [each.stage for each in loader(entries).stages]


def refused(entries: str, head: str = HEAD) -> Diagnostic:
    """The only diagnostic of the loader."""
    with pytest.raises(SpecError) as caught:
        loader(entries, head)
    (found,) = caught.value.diagnostics
    return found


@pytest.mark.parametrize(
    ("used", "written"),
    [
        ("use Nothing()", ""),
        ("use torch.SequentialSampler()", ""),
        ("use Batches(4)", "batch(4, tail = pad)"),
        ("use Twice(3)", "batch(4) accumulate(3)"),
        ("use Twice(3, 5)", "batch(5) accumulate(3)"),
        ("use Twice(ranks * 2)", "batch(ranks * 2 + 1) accumulate(ranks * 2)"),
        ("use Sampler(4)", "shuffle(seed = any) shard(ranks, tail = pad) batch(4, tail = pad)"),
        ("use Sampler(4, seed = 3)", "shuffle(seed = 3) shard(ranks, tail = pad) batch(4, tail = pad)"),
        (
            "use Sampler(4, true, seed = 0)",
            "shuffle(seed = 0) shard(ranks, tail = drop) batch(4, tail = drop)",
        ),
        ("use Sampler(4, layout = blocked)", "shuffle(seed = any) shard(ranks) batch(8)"),
        ("shard(ranks), use Batches(2), accumulate(2)", "shard(ranks) batch(2, tail = pad) accumulate(2)"),
        ("use torch.RandomSampler()", "shuffle(seed = any, shared = false)"),
        ("use torch.RandomSampler(seed = 3)", "shuffle(seed = 3)"),
    ],
)
def test_use_is_the_stages_of_its_preset(used: str, written: str) -> None:
    assert stages(used) == stages(written)


def test_free_argument_is_called_after_loader_and_parameter() -> None:
    schedule = epochproof.load(f"{HEAD}loader train over images {{ use Sampler(in 2..9, seed in 0..3) }}\n")
    names, known = schedule.scope.names, schedule.scope.parameters

    assert list(known) == ["images.size", "train.batch_size", "train.seed"]
    assert [known[each].seed for each in known] == [False, False, True]
    assert names["train.batch_size"] is names["train.batch"] is known["train.batch_size"].term


def test_claims_know_numbers_by_the_names_of_parameters() -> None:
    checked = epochproof.check(
        f'{HEAD}loader train over images {{ use Twice(3) }}\nprove "t" : train.n == 3 and train.m == 4\n'
    )

    assert checked.ok


def test_numbers_of_two_presets_with_one_name_may_not_be_used() -> None:
    used = "use torch.RandomSampler(seed = 1) use torch.RandomSampler(seed = 2)"
    claim = 'prove "t" : train.seed == 1'
    with pytest.raises(SpecError, match="E210"):
        epochproof.check(f"{HEAD}loader train over images {{ {used} }}\n{claim}\n")


@pytest.mark.parametrize(
    ("entries", "code", "message"),
    [
        ("use Sampeler(1)", "E251", "unknown preset `Sampeler`"),
        ("use torch.Sampler()", "E251", "unknown preset `torch.Sampler`"),
        ("use Sampler()", "E252", "preset `Sampler` needs `batch_size`"),
        ("use Batches(1, 2)", "E252", "preset `Batches` takes no further argument"),
        ("use Batches(1, n = 2)", "E252", "`n` is given twice"),
        ("use Sampler(1, drop = true)", "E252", "preset `Sampler` has no parameter `drop`"),
        ("use Sampler(1, drop_last = no)", "E252", "`drop_last` is `true` or `false`, and `no` here"),
        ("use Sampler(1, drop_last in {0, 1})", "E252", "`drop_last` cannot be left free"),
        ("use Batches(0)", "E205", "`n` must be at least 1, and is 0 here"),
        ("use Batches(in 0..3)", "E205", "`n` must be at least 1, and can be 0 here"),
        ("use Batches(many)", "E207", "unknown name `many`"),
        ("use Batches(2) shuffle(seed = 1)", "E209", "`shuffle` makes no sense here"),
    ],
)
def test_fault_of_a_use_is_named(entries: str, code: str, message: str) -> None:
    found = refused(entries)

    assert found.code == code
    assert message in found.message


def test_stage_that_refuses_is_told_with_its_place() -> None:
    found = refused("use Sampler(0)")

    assert found.help == "write 1 or more; `batch` stands in preset `Batches` of `Sampler` (<spec>:13)"


@pytest.mark.parametrize(
    ("preset", "code", "message"),
    [
        ("preset A() { ranks = 4 }", "E254", "a preset does not set `ranks`"),
        ('preset A() { decsribes = "a" }', "E254", "a preset has no setting `decsribes`"),
        ("preset A() { describes = torch }", "E254", "`describes` is a text"),
        ("preset A(ranks) {}", "E254", "`ranks` is no name for a parameter"),
        ("preset A(n, n) {}", "E254", "parameter `n` is declared twice"),
        ("preset A(n = 1, m) {}", "E254", "parameter `m` has no default, and one before it has"),
        ("preset A(a.b) {}", "E254", "this is no parameter of a preset"),
        ("preset A(n in 1..4) {}", "E254", "this is no parameter of a preset"),
        ("preset A() { batch(in 1..4) }", "E254", "a preset leaves nothing free by itself"),
        (
            "preset A() { batch(images.size) }",
            "E254",
            "a preset names nothing of a spec, as `images.size` is",
        ),
        ("preset A(n = t.n) {}", "E254", "a preset names nothing of a spec, as `t.n` is"),
        ("preset A() { bacth(4) }", "E202", "unknown stage `bacth`"),
        ("preset A() { use Z() }", "E251", "unknown preset `Z`"),
        ("preset A() { use A() }", "E253", "a preset stands for itself: `A` uses `A`"),
        ("preset A() { batch(3, 4, n = 3, n = 4) }", "E117", "option `n` is given twice"),
    ],
)
def test_fault_of_a_preset_is_named_whether_it_is_used_or_not(preset: str, code: str, message: str) -> None:
    found = refused("", f"edition 1\ndataset images {{ size = 3 }}\n{preset}\n")

    assert (found.code, found.message) == (code, message)


def test_ring_of_presets_is_found() -> None:
    head = "edition 1\ndataset images { size = 3 }\npreset A() { use B() }\npreset B() { use A() }\n"
    with pytest.raises(SpecError) as caught:
        loader("use A()", head)

    assert {each.message for each in caught.value.diagnostics} == {
        "a preset stands for itself: `A` uses `B` uses `A`",
        "a preset stands for itself: `B` uses `A` uses `B`",
    }


def test_presets_that_double_each_other_are_stopped() -> None:
    doubled = "".join(f"preset P{at}() {{ use P{at + 1}() use P{at + 1}() }}\n" for at in range(30))
    head = f"edition 1\ndataset images {{ size = 3 }}\n{doubled}preset P30() {{}}\n"
    with pytest.raises(SpecError, match="uses too many presets"):
        loader("use P0()", head)


def test_presets_that_use_each_other_in_a_long_row_are_stopped() -> None:
    row = "".join(f"preset P{at}() {{ use P{at + 1}() }}\n" for at in range(3000))
    head = f"edition 1\ndataset images {{ size = 3 }}\n{row}preset P3000() {{}}\n"
    with pytest.raises(SpecError, match="more than 200 presets use each other in a row"):
        loader("use P0()", head)

    up = "".join(f"preset Q{at}() {{ use Q{at - 1}() }}\n" for at in range(1, 3000))
    with pytest.raises(SpecError) as caught:
        loader("use Q2()", f"edition 1\ndataset images {{ size = 3 }}\npreset Q0() {{}}\n{up}")
    assert {each.message for each in caught.value.diagnostics} == {"`Q200` uses too many presets"}


def test_loader_has_at_most_two_hundred_stages_with_those_of_its_presets() -> None:
    many = "copy(ranks) " * 150
    head = f"edition 1\ndataset images {{ size = 3 }}\npreset Many() {{ {many} }}\n"

    assert refused("use Many() use Many()", head).code == "E115"


def test_numbers_of_the_loader_are_no_words() -> None:
    head = "edition 1\ndataset images { size = 3 }\npreset A() { if ranks == 1 { copy(ranks) } }\n"
    assert refused("use A()", head).code == "E255"

    head = head.replace("if ranks == 1 { copy(ranks) }", "batch(if ranks == 1 then 2 else 3)")
    chosen, written = (
        loader(each, head).stages[0] for each in ("use A()", "batch(if ranks == 1 then 2 else 3)")
    )
    assert chosen.stage == written.stage


def test_condition_on_what_is_free_is_refused() -> None:
    head = "edition 1\ndataset images { size = 3 }\npreset A(n) { if n > 1 { batch(n) } }\n"

    assert refused("use A(in 1..4)", head).code == "E255"
    assert not loader("use A(1)", head).stages
    assert loader("use A(2)", head).stages


@pytest.fixture(name="write")
def writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Writes a file in the working folder."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"edition 1\n{text}")
        return tmp_path / name

    return write


JOB = """bind team = presets("own/team.epoch")
dataset images { size in 0.. }
loader train over images { ranks in 1..8, use team.Sampler(2) }
prove "t" : train.multiplicity <= 1
"""


def test_bound_files_bind_others_from_their_own_folder(write: Callable[[str, str], Path]) -> None:
    write(
        "own/team.epoch",
        'bind more = presets("more.epoch")\npreset Sampler(n) { shard(ranks) use more.Batches(n) }',
    )
    write("own/more.epoch", "preset Batches(n) { batch(n) }")

    (placed_shard, placed_batch) = epochproof.load(write("job.epoch", JOB)).loaders["train"].stages
    assert placed_shard.within == "`team.Sampler`"
    assert placed_batch.within == "`more.Batches` of `team.Sampler`"


def test_own_file_comes_before_what_is_shipped(write: Callable[[str, str], Path]) -> None:
    write("own/torch.epoch", "preset DataLoader() { batch(7) }")
    job = JOB.replace("team", "torch").replace("torch.Sampler(2)", "torch.DataLoader()")
    (placed,) = epochproof.load(write("job.epoch", job)).loaders["train"].stages

    assert placed.stage.numbers() == loader("batch(7)").stages[0].stage.numbers()


@pytest.mark.parametrize(
    ("team", "code", "line"),
    [
        ("preset Sampler(n) {\n  batch(n\n}", "E102", 4),
        ("preset Sampler(n) {\n  ranks = 4\n}", "E254", 3),
        ("preset Sampler(n) {\n  use Batches(n)\n}", "E251", 3),
    ],
)
def test_wrong_file_is_shown_itself(
    write: Callable[[str, str], Path], team: str, code: str, line: int
) -> None:
    write("own/team.epoch", team)
    with pytest.raises(SpecError) as caught:
        epochproof.load(write("job.epoch", JOB))
    error = caught.value

    assert error.source is not None and error.diagnostics[0].span is not None
    assert error.source.path.endswith("own/team.epoch")
    assert error.diagnostics[0].code == code
    assert error.source.position(error.diagnostics[0].span.start)[0] == line


def test_missing_file_is_the_fault_of_the_binding(write: Callable[[str, str], Path]) -> None:
    with pytest.raises(SpecError, match=r"E701 `own/team.epoch` is not there"):
        epochproof.load(write("job.epoch", JOB))


BOUND = """bind t = config("train.yaml")
dataset images {{ size in 0.. }}
loader train over images {{ ranks in 1..8, use torch.DistributedSampler({given}) }}
loader other over images {{ ranks in 1..8, use torch.DistributedSampler() }}
prove "one" : train.multiplicity <= 1
prove "two" : other.omitted == {{}}
"""


@pytest.mark.parametrize(
    ("given", "config", "words"),
    [
        ("drop_last = t.drop", "drop: true", ["proved", "proved"]),
        ("drop_last = t.drop ?? true", "drop: null", ["proved", "proved"]),
        ("drop_last = not t.keep", "keep: false", ["proved", "proved"]),
        ("drop_last = t.drop", "drop: false", ["refuted", "proved"]),
        ("drop_last = t.drop", "drop: ${a.b}", ["unknown", "proved"]),
        ("shuffle = t.shuffle, drop_last = true", "shuffle: ${a.b}", ["unknown", "proved"]),
        ("seed = t.seed, drop_last = true", "seed: ${a.b}", ["proved", "proved"]),
    ],
)
def test_bound_values_are_arguments(
    write: Callable[[str, str], Path], tmp_path: Path, given: str, config: str, words: list[str]
) -> None:
    (tmp_path / "train.yaml").write_text(config)
    checked = epochproof.check(write("job.epoch", BOUND.format(given=given)))

    assert [each.verdict.word for each in checked.claims] == words


def test_verdict_rests_on_what_the_preset_describes() -> None:
    checked = epochproof.check(
        f'{HEAD}loader train over images {{ use Sampler(1) }}\nprove "t" : train.omitted == {{}}\n'
    )

    assert "the job runs `Sampler` as in ours 1" in checked.claims[0].assumptions


def test_blame_names_the_stage_of_the_preset() -> None:
    claim = 'prove "t" : train.multiplicity == 1'
    text = f"{HEAD}loader train over images {{ ranks = 2\nuse Sampler(1) }}\n{claim}\n"
    counterexample = epochproof.check(text).claims[0].verdict.counterexample
    blame = counterexample.blame if counterexample else None

    assert blame is not None
    assert text[blame.span.start : blame.span.end] == "use Sampler(1)"
    assert blame.text.startswith(
        "`shard` in preset `torch.DistributedSampler` of `Sampler`: record 0 is read again"
    )


def test_file_that_binds_itself_by_a_longer_path_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/team.epoch").write_text(
        'edition 1\nbind again = presets("../own/team.epoch")\npreset Dealt() { shard(ranks) }\n'
    )
    (tmp_path / "s.epoch").write_text('edition 1\nbind team = presets("own/team.epoch")\n')

    _, files = without_files(read(tmp_path / "s.epoch"))

    assert [each.bound for each in files] == [(("team", 1),), (("again", 1),)]
    assert len(preset_files(read(tmp_path / "s.epoch"))) == 2
