"""The settings of a dataset that name its columns and pin its manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping

from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.manifest.pin import Column, Pin

ROLES = ("id", "groups", "weight", "start", "end", "source")
SETTINGS = ("manifest", "digest", *ROLES)
"""The settings that are read here."""

LENGTHS = "lengths"
"""Names a column, too, where it does not list the lengths itself."""

_ALONE = ("id", "groups")
"""What a dataset without a manifest may name, too."""

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def read_columns(block: tree.Dataset) -> tuple[Column, ...]:
    """The columns that a dataset names, in the order of their roles."""
    given = _given(block)
    for setting in given.values():
        if "manifest" not in given and setting.name not in _ALONE:
            cure = 'write `manifest = "clips.parquet"`, or leave it out'
            if setting.name == LENGTHS:
                cure = 'write `manifest = "videos.csv"`, or list them: `lengths = [300, 20, 95]`'
            wrong = f"`{setting.name}` is about a manifest, and dataset `{block.name}` has none"
            raise fail("E614", wrong, setting.name_span, help=cure)
    for one, other in (("start", "end"), ("end", "start")):
        if one in given and other not in given:
            cure = f"name the column of the other end: `{other} = …`"
            raise fail(
                "E614", f"an interval has two ends, and `{other}` is missing", given[one].span, help=cure
            )
    return tuple(
        Column(role, column_name(given[role]), given[role].value.span)
        for role in (*ROLES, LENGTHS)
        if role in given
    )


def read_pin(block: tree.Dataset) -> Pin | None:
    """The manifest of a dataset, if it names one; nothing is opened."""
    given = _given(block)
    if "manifest" not in given:
        return None
    path, span = _text(given["manifest"], 'name a file: `manifest = "clips.parquet"`')
    digest, digest_span = None, None
    if "digest" in given:
        written, digest_span = _text(given["digest"], _HEX)
        found = _DIGEST.fullmatch(written)
        if found is None:
            raise fail("E614", "a digest is `sha256:` and 64 hexadecimal digits", digest_span, help=_HEX)
        digest = found[1]
    return Pin(block.name, path, read_columns(block), span, digest, digest_span)


_HEX = "`sha256sum FILE` prints the digits"


def _given(block: tree.Dataset) -> Mapping[str, tree.Setting]:
    return {each.name: each for each in block.settings if is_read(each)}


def is_read(setting: tree.Setting) -> bool:
    """Whether the setting is read here: it names a manifest, its digest or one of its columns."""
    named = isinstance(setting.value, tree.Name | tree.Text) and not setting.free
    return setting.name in SETTINGS or (setting.name == LENGTHS and named)


def column_name(setting: tree.Setting) -> str:
    """The name of a column: a word, or a text."""
    value = setting.value
    if not setting.free and isinstance(value, tree.Name) and len(value.parts) == 1:
        return value.parts[0]
    return _text(setting, f'name a column: `{setting.name} = clip_id`, or `{setting.name} = "clip id"`')[0]


def _text(setting: tree.Setting, cure: str) -> tuple[str, Span]:
    if setting.free or not isinstance(setting.value, tree.Text) or not setting.value.value:
        kind = "text" if setting.name in ("manifest", "digest") else "name"
        raise fail("E614", f"`{setting.name}` takes a {kind}", setting.value.span, help=cure)
    return setting.value.value, setting.value.span
