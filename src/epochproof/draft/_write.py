"""A draft as the text of a spec."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from epochproof.draft._draft import Draft, Files, Loader
from epochproof.draft._term import EXACT
from epochproof.language.format import format_text

_COLUMNS = 100
"""How wide a comment is."""

_MOST_SHOWN = 60


def written(draft: Draft, files: Files, title: str) -> str:
    """The spec, as `fmt` writes it."""
    return format_text("\n".join(_lines(draft, files, title)) + "\n")


def asked(draft: Draft) -> list[str]:
    """What the user has to say: the lines that ask for it, with what they ask for."""
    lines = [*draft.datasets, *(line for each in draft.loaders for line in (*each.settings, *each.stages))]
    return list(dict.fromkeys(f"{_short(line.text)}: {each}" for line in lines for each in line.asks))


def _short(text: str) -> str:
    """A line, as far as it is shown in a list."""
    return f"{text.partition('(')[0]}(…)" if len(text) > _MOST_SHOWN else text


def _lines(draft: Draft, files: Files, title: str) -> Iterator[str]:
    yield "edition 1"
    yield ""
    yield from _comment(f"A draft for {title}, from {', '.join(each.path for each in files.every())}.")
    yield f"# {EXACT}: a file says it. default: what the framework does where the files say nothing."
    yield "# needs you: no file says it."
    yield ""
    yield from (f'bind {each.name} = {each.reader}("{each.path}")  # {EXACT}' for each in files.every())
    yield ""
    yield from map(str, draft.datasets)
    for loader in draft.loaders:
        yield ""
        yield from _loader(loader)
    yield ""
    yield from map(str, draft.claims)
    yield ""
    for each in draft.traps:
        yield from _comment(f"trap: {each}")


def _comment(text: str) -> list[str]:
    return wrap(text, _COLUMNS, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _loader(loader: Loader) -> Iterator[str]:
    yield f"loader {loader.name} over {loader.over} {{"
    yield from map(str, loader.settings)
    yield ""
    yield from map(str, loader.stages)
    yield "}"
