"""The pages make a site: each is in it, every link leads somewhere, and nothing comes from a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from tests.test_pages import PAGES

pytest.importorskip("material", reason="mkdocs-material is not installed")

ROOT = Path(__file__).resolve().parents[2]
PARTS = (".ci", "docs", "spec", "examples", "tests/laws")
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.names.add(given.get("id") or "")
        if tag == "a" and (href := given.get("href")):
            self.links.append(href)
        if tag in LOADED and (source := given.get(LOADED[tag])) and given.get("rel") != "canonical":
            self.loads.append(source)


def build(at: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = ["-m", "mkdocs", "build", "--strict", "--config-file", ".ci/mkdocs.yml", "--site-dir", str(out)]
    return subprocess.run(
        [sys.executable, *command],
        cwd=at,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this tree."""
    out = tmp_path_factory.mktemp("site")
    done = build(ROOT, out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree with the same pages."""
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / "tree" / part)
    for page in ("README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / page, tmp_path / "tree" / page)
    return tmp_path / "tree"


def read(site: Path) -> dict[str, Page]:
    """The pages of a site by their paths in it."""
    return {path.relative_to(site).as_posix(): Page(path.read_text()) for path in site.rglob("*.html")}


def address(page: str) -> str:
    """Where a page of the repository is in the site."""
    folder, _, name = page.removesuffix(".md").rpartition("/")
    inside = "" if name in ("README", "index") else name
    return "/".join(each for each in (folder, inside, "index.html") if each)


def test_every_page_is_in_the_site_and_in_its_navigation(site: Path) -> None:
    navigated = re.findall(r'<a href="([^"]*)" class="md-nav__link', (site / "index.html").read_text())
    reached = {"index.html", *(f"{each}index.html" for each in navigated)}

    assert [page for page in PAGES if not (site / address(page)).is_file()] == []
    assert [page for page in PAGES if page != "README.md" and address(page) not in reached] == []


def test_links_lead_somewhere(site: Path) -> None:
    pages = read(site)
    links = {
        (path, urljoin(f"http://site/{path}", each)) for path, page in pages.items() for each in page.links
    }
    links = {(path, link) for path, link in links if link.startswith("http://site/") and path != "404.html"}

    assert len(links) > 1000
    assert [(path, link) for path, link in sorted(links) if not leads(link, site, pages)] == []


def leads(link: str, site: Path, pages: dict[str, Page]) -> bool:
    """Whether there is such a file, and the place in it."""
    target, name = urldefrag(unquote(link.removeprefix("http://site/")))
    target += "index.html" if target.endswith("/") or not target else ""
    return (site / target).is_file() and (not name or name in pages[target].names)


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    foreign = {each for page in read(site).values() for each in page.loads if "//" in each}
    styles = {
        path.name
        for path in site.rglob("*.css")
        if re.search(r"(url\(|@import )['\"]?(https?:)?//", path.read_text())
    }

    assert (foreign, styles) == (set(), set())


def test_blocks_show_their_files_and_not_what_tests_read(site: Path) -> None:
    text = (site / "docs/how-to/pin-a-manifest/index.html").read_text()

    assert '<span class="filename">train.epoch</span>' in text
    assert "file=train.epoch" not in text


@pytest.mark.parametrize(
    ("page", "more", "said"),
    [
        ("docs/index.md", "[gone](../spec/stages/gone.md)\n", "not found among documentation files"),
        ("spec/language.md", "[gone](semantics.md#gone)\n", "does not contain an anchor"),
        ("docs/alone.md", "# Alone\n", "not included in the"),
    ],
)
def test_page_that_is_not_linked_well_is_refused(copy: Path, page: str, more: str, said: str) -> None:
    with (copy / page).open("a") as file:
        file.write(f"\n{more}")

    done = build(copy, copy.parent / "site")

    assert done.returncode == 1
    assert said in done.stderr
