"""The site has the layout of the repository, so that a link means the same in both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PLACES = (
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs/**/*",
    "spec/**/*",
    "examples/**/*",
    "tests/laws/README.md",
)
NO_PAGES = {".pyc", ".yml"}
INFO = re.compile(r"^( *`{3,}\w+)( .*)?$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The configuration with the folders of its navigation replaced by their pages."""
    config.nav = list(_opened(config.nav or [], set(_named(config.nav or []))))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the theme, and those of the repository under their own paths."""
    theme = [each for each in files if each.src_dir != config.docs_dir]
    return Files([*theme, *(_file(path, config) for path in _paths())])


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page without what its fences say to the tests, save the names of files."""
    return INFO.sub(_fence, markdown)


def _paths() -> list[str]:
    found = {path for place in PLACES for path in ROOT.glob(place) if path.is_file()}
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.suffix not in NO_PAGES)


def _file(path: str, config: MkDocsConfig) -> File:
    return File(path, str(ROOT), config.site_dir, config.use_directory_urls)


def _named(nav: list[Any]) -> Iterator[str]:
    """The pages that the navigation names one by one."""
    for each in nav:
        if isinstance(each, dict):
            yield from (name for below in each.values() for name in _named(below))
        else:
            yield each


def _opened(nav: list[Any], named: set[str]) -> Iterator[Any]:
    """The navigation with each folder replaced by those of its pages that are not named."""
    for each in nav:
        if isinstance(each, dict):
            yield {title: list(_opened(below, named)) for title, below in each.items()}
        elif each.endswith("/"):
            yield from (path for path in _paths() if _page_below(each, path) and path not in named)
        else:
            yield each


def _page_below(folder: str, path: str) -> bool:
    return path.startswith(folder) and path.endswith(".md")


def _fence(found: re.Match[str]) -> str:
    file = re.search(r" file=(\S+)", found[2] or "")
    return found[1] + (f' title="{file[1]}"' if file else "")
