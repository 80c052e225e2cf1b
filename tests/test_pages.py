"""Every page is true, and the page runner notices when one is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pages import ROOT, Runner

PLACES = ("README.md", "docs/**/*.md", "spec/**/*.md", "examples/**/README.md")
PAGES = sorted(path.relative_to(ROOT).as_posix() for place in PLACES for path in ROOT.glob(place))

SPEC = """# Page

```epoch
dataset d {{ size = 10 }}
loader l over d {{
  ranks = 3
  shard(ranks, tail = pad)
}}
prove "all" : l.distinct == {distinct}{promise}
```
"""


def faults(page: str, folder: Path) -> str:
    return "\n".join(Runner(folder).run(page)[0])


@pytest.mark.parametrize("name", PAGES)
def test_page_is_true(name: str, tmp_path: Path) -> None:
    path = ROOT / name
    text = path.read_text()
    inside = Path(name).parent.as_posix() if name.startswith("examples/") else "."

    wrong, updated = Runner(tmp_path, inside).run(text)

    if os.environ.get("UPDATE_PAGES"):
        path.write_text(updated)
    assert not wrong, "\n".join(f"{name} {each}" for each in wrong)


@pytest.mark.parametrize(("distinct", "promise"), [(10, ""), (10, "  # proved"), (9, "  # refuted")])
def test_right_verdict_is_accepted(distinct: int, promise: str, tmp_path: Path) -> None:
    assert faults(SPEC.format(distinct=distinct, promise=promise), tmp_path) == ""


@pytest.mark.parametrize(("distinct", "promise"), [(9, ""), (9, "  # proved"), (10, "  # refuted")])
def test_wrong_verdict_is_noticed(distinct: int, promise: str, tmp_path: Path) -> None:
    assert "the claim `all` is" in faults(SPEC.format(distinct=distinct, promise=promise), tmp_path)


def test_spec_that_does_not_parse_is_noticed(tmp_path: Path) -> None:
    assert "line 3: SpecError" in faults("# Page\n\n```epoch\nloader over {\n```\n", tmp_path)


def test_wrong_spec_is_refused_as_promised(tmp_path: Path) -> None:
    page = "# Page\n\n```epoch wrong\nloader over {\n```\n"

    assert faults(page, tmp_path) == ""


def test_right_spec_that_should_be_wrong_is_noticed(tmp_path: Path) -> None:
    page = SPEC.format(distinct=10, promise="").replace("```epoch", "```epoch wrong")

    assert "this should be refused" in faults(page, tmp_path)


def test_stages_alone_are_a_fragment(tmp_path: Path) -> None:
    assert faults("# Page\n\n```epoch fragment\nbatch(4, tail = drop)\n```\n", tmp_path) == ""


@pytest.mark.parametrize(
    "console",
    [
        "$ echo one\none\n",
        "$ printf 'one\\ntwo\\nthree\\n'\none\n...\n",
        "$ echo took 0.12 s and 7 ms\ntook 3.4 s and 15 ms\n",
        "$ echo at /tmp/abc ends\nat ... ends\n",
        "$ echo said && exit 3\nsaid\n[exit code 3]\n",
        "$ echo one \\\n  two\none two\n\n$ echo three\nthree\n",
    ],
)
def test_right_output_is_accepted(console: str, tmp_path: Path) -> None:
    assert faults(f"# Page\n\n```console\n{console}```\n", tmp_path) == ""


@pytest.mark.parametrize(
    "console",
    [
        "$ echo one\ntwo\n",
        "$ echo one\n",
        "$ true\nmore\n",
        "$ exit 3\n",
        "$ exit 3\n[exit code 4]\n",
        "$ true\n[exit code 1]\n",
    ],
)
def test_wrong_output_or_exit_code_is_noticed(console: str, tmp_path: Path) -> None:
    assert "line 3: the page says" in faults(f"# Page\n\n```console\n{console}```\n", tmp_path)


def test_update_writes_what_came(tmp_path: Path) -> None:
    page = "# Page\n\n- item\n\n  ```console\n  $ echo one\n  two\n  ```\n"

    updated = Runner(tmp_path).run(page)[1]

    assert updated == page.replace("  two\n", "  one\n")


def test_files_of_a_page_can_be_used(tmp_path: Path) -> None:
    page = "# Page\n\n```text file=a/b.txt\nhello\n```\n\n```console\n$ cat a/b.txt\nhello\n```\n"

    assert faults(page, tmp_path) == ""


def test_python_blocks_share_names(tmp_path: Path) -> None:
    page = "# Page\n\n```python\nx = 3\n```\n\n```python\n>>> x + {more}\n4\n```\n"

    assert faults(page.format(more=1), tmp_path / "right") == ""
    assert "Expected:" in faults(page.format(more=2), tmp_path / "wrong")


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("no heading", "no heading"),
        ("# Page\n\n```\nx\n```\n", "is no kind of block"),
        ("# Page\n\n```ruby\nx\n```\n", "`ruby` is no kind of block"),
        ("# Page\n\n```text\nx\n", "a fence is never closed"),
        ("# Page\n\n```json\n{\n```\n", "JSONDecodeError"),
        ("# Page\n\n```sh\npip install -e '.[nothing]'\n```\n", "no such extra, module or file: nothing"),
        ("# Page\n\n```sh\nepochproof check gone.epoch\n```\n", "no such extra, module or file: gone.epoch"),
    ],
)
def test_broken_page_is_noticed(page: str, fault: str, tmp_path: Path) -> None:
    assert fault in faults(page, tmp_path)


def test_true_shell_script_is_accepted(tmp_path: Path) -> None:
    page = "# Page\n\n```sh\npip install -e '.[dev]' && python -m tests && .ci/run\n```\n"

    assert faults(page, tmp_path) == ""
