"""`key`, `attest` and `verify` as a provider and a buyer call them: what is printed, and every exit code."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pytest

from epochproof.cli.main import main

KEY, PUBLIC = "acme.pem", "acme.pub.pem"


@pytest.fixture
def keyed(specs: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with specs and a key."""
    assert main(["key", "new", "--out", KEY]) == 0
    capsys.readouterr()
    return specs


def attest(spec: str, *more: str) -> int:
    return main(["attest", spec, "--key", KEY, "-o", "out.json", "--no-recheck", *more])


def verify(*more: str) -> int:
    return main(["verify", "out.json", "--key", PUBLIC, *more])


def test_key_is_made_and_shown(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "new", "--out", KEY]) == 0
    made = capsys.readouterr().out
    assert main(["key", "show", PUBLIC]) == 0
    shown = capsys.readouterr().out
    assert main(["key", "show", KEY]) == 0

    assert made.splitlines()[0] == shown.splitlines()[0] and made.startswith("keyid   ")
    assert capsys.readouterr().out == shown
    assert stat.S_IMODE(Path(KEY).stat().st_mode) == 0o600
    assert "PRIVATE" not in shown and "PRIVATE" not in made


def test_key_is_locked_by_a_passphrase(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("secret").write_text("open sesame\n")

    assert main(["key", "new", "--out", KEY, "--passphrase-file", "secret"]) == 0
    assert "ENCRYPTED" in Path(KEY).read_text()
    assert attest("sc241.epoch") == 2
    assert "is locked by a passphrase" in capsys.readouterr().err
    assert attest("sc241.epoch", "--passphrase-file", "secret") == 0


@pytest.mark.parametrize("content", ["", "\n", "x" * 2_000])
def test_passphrase_that_is_none_is_refused(
    content: str, specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("secret").write_text(content)

    assert main(["key", "new", "--out", KEY, "--passphrase-file", "secret"]) == 2
    assert "is no passphrase" in capsys.readouterr().err and not Path(KEY).exists()


@pytest.mark.parametrize(("spec", "code"), [("right", 0), ("refuted", 1), ("vacuous", 1), ("wrong", 2)])
def test_exit_code_is_that_of_check(
    spec: str, code: int, keyed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attest(f"{spec}.epoch") == code
    assert Path("out.json").exists() == (code != 2)


def test_statement_is_printed_and_accepted(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert attest("sc241.epoch", "--show-ids") == 0
    said = capsys.readouterr().out
    assert "twelve occurrences in one padded pass, ten distinct records, 0 and 1 twice" in said

    assert verify("--spec", "sc241.epoch") == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].startswith("signature     ok")
    assert said.splitlines()[-1] == "V3: accepted"
    assert ', found true again here\n  ✓ proved   "a padded pass processes twelve occurrences"' in said
    assert "  padded: ten fixed records, three ranks, twelve occurrences in one padded pass" in said

    assert verify() == 0
    assert ", not checked here: that takes `--spec`, and V3\n" in capsys.readouterr().out


def test_refused_statement_says_nothing(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attest("sc241.epoch")
    Path("sc241.epoch").write_text(Path("sc241.epoch").read_text().replace("size = 10", "size = 11"))
    capsys.readouterr()

    assert verify("--spec", "sc241.epoch") == 4
    assert "it states" not in capsys.readouterr().out


def test_commitments_for_one_audience_open_with_its_secret_alone(
    keyed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attest("sc241.epoch", "--audience", "buyer")
    codes = []
    for more in (["--audience", "buyer"], []):
        capsys.readouterr()
        assert main(["key", "show", "--commitment", KEY, *more]) == 0
        Path("secret").write_text(capsys.readouterr().out)
        codes.append(verify("--spec", "sc241.epoch", "--commitment-key", "secret"))

    assert codes == [0, 4]
    assert "is not the one under which record ids are committed to" in capsys.readouterr().out


def test_answer_is_for_programs_too(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attest("sc241.epoch")
    capsys.readouterr()

    assert verify("--spec", "sc241.epoch", "--up-to", "V1", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    schema = Path(__file__).resolve().parents[2] / "spec" / "schemas" / "verify-1.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(found)
    assert (found["schema"], found["accepted"], found["level"]) == ("epochproof/verify/1", True, "V1")
    assert [each["what"] for each in found["findings"][:2]] == ["signature", "digests"]


def test_claim_that_is_not_as_stated_is_not_accepted(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attest("refuted.epoch")
    capsys.readouterr()

    assert verify("--spec", "refuted.epoch") == 1
    assert 'the claim "all" is refuted, and it says `prove`' in capsys.readouterr().out


def test_spec_that_was_changed_is_refused(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attest("sc241.epoch")
    Path("sc241.epoch").write_text(Path("sc241.epoch").read_text().replace("size = 10", "size = 11"))
    capsys.readouterr()

    assert verify("--spec", "sc241.epoch") == 4
    assert "REFUSED  `sc241.epoch` is not the file that was signed" in capsys.readouterr().out


def test_roots_are_computed_again(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attest("sc241.epoch")
    capsys.readouterr()
    assert main(["key", "show", "--commitment", KEY]) == 0
    Path("secret").write_text(capsys.readouterr().out)

    assert verify("--spec", "sc241.epoch", "--commitment-key", "secret") == 0
    assert "3 of 3 computed again, equal" in capsys.readouterr().out
    Path("secret").write_text("no hexadecimal digits")
    assert verify("--spec", "sc241.epoch", "--commitment-key", "secret") == 2
    assert "E904" in capsys.readouterr().err


def test_manifest_may_lie_elsewhere(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("data").mkdir()
    Path("data/clips.csv").write_text("clip\na\nb\n")
    Path("m.epoch").write_text(
        'edition 1\ndataset clips { manifest = "clips.csv", id = clip }\nloader train over clips {}\n'
        'prove "all" : train.omitted == {}\n'
    )
    Path("clips.csv").write_text("clip\na\nb\n")
    attest("m.epoch")
    Path("clips.csv").unlink()
    capsys.readouterr()

    assert verify("--spec", "m.epoch") == 1
    said = capsys.readouterr().out
    assert "not at hand: `clips.csv`" in said and "checked up to V0, and not up to V3" in said
    assert verify("--spec", "m.epoch", "--manifest", "data/clips.csv") == 0
    assert "V3: accepted" in capsys.readouterr().out
    Path("data/clips.csv").write_text("clip\na\nc\n")
    assert verify("--spec", "m.epoch", "--manifest", "data/clips.csv") == 4
    assert "`clips.csv` is not the file that was signed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["verify", "out.json"], "E907"),
        (["verify", "out.json", "--key", PUBLIC, "--policy", "p.toml"], "E907"),
        (["verify", "none.json", "--key", PUBLIC], "E903"),
        (["verify", "sc241.epoch", "--key", PUBLIC], "E901"),
        (["verify", "out.json", "--key", "sc241.epoch"], "E906"),
        (["verify", "out.json", "--policy", "sc241.epoch"], "E905"),
        (["attest", "sc241.epoch", "--key", "none.pem", "-o", "x.json"], "E906"),
        (["attest", "sc241.epoch", "--key", PUBLIC, "-o", "x.json"], "E906"),
        (["attest", "sc241.epoch", "--key", KEY, "-o", "none/x.json"], "E510"),
        (["attest", "right.epoch", "--key", KEY, "-o", "x.json", "--set", "train.rank=3"], "E502"),
        (["attest", "right.epoch", "--key", KEY, "-o", "x.json", "--set", "train.ranks=0"], "E503"),
        (["attest", "sc241.epoch", "--key", KEY], "E509"),
        (["key"], "E509"),
        (["key", "new", "--out", KEY], "E906"),
        (["key", "new", "--out", "none/key.pem"], "E510"),
        (["key", "show", "none.pem"], "E906"),
        (["key", "show", PUBLIC, "--commitment"], "E906"),
    ],
)
def test_wrong_call_is_told(
    argv: list[str], code: str, keyed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attest("sc241.epoch") == 0

    assert main(argv) == 2
    assert f"error[{code}]" in capsys.readouterr().err


def test_value_in_place_of_that_of_a_bound_file_is_not_attested(
    keyed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.yaml").write_text("n: 3\n")
    Path("b.epoch").write_text(
        'edition 1\nbind t = config("t.yaml")\ndataset d { size = 10 }\nloader l over d { ranks = t.n }\n'
        'prove "ranks" : l.ranks == 3\n'
    )

    assert attest("b.epoch", "--set", "t.n=4") == 2
    assert "E908" in capsys.readouterr().err


def test_kept_verdicts_are_never_attested(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = keyed / "kept"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EPOCHPROOF_CACHE_DIR", str(cache))
        assert attest("sc241.epoch") == 0

    assert not cache.exists()


def test_loader_without_a_trace_is_refused(keyed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert attest("sc241.epoch", "--of", "padded") == 2
    assert "name the trace with `--trace`" in capsys.readouterr().err
