"""The one canonical way to write a spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from epochproof.diagnostics import InternalError, Source, Span
from epochproof.language.broken import broken
from epochproof.language.columns import padded, width
from epochproof.language.node import Node
from epochproof.language.parse import parse
from epochproof.language.rows import MOST_COLUMNS, Row, rows
from epochproof.language.scan import scan

_INDENT = "  "
_RUNS = {"bind", "setting", "claim", "dataset", "split", "mix", "loader"}


def format_text(text: str, path: str = "<spec>") -> str:
    """The same spec in canonical style; formatting it again changes nothing.

    Returns:
        A text with the same meaning and the same comments.

    Raises:
        SpecError: The text breaks a rule of the language.
        InternalError: The formatted text would mean something else.
    """
    spec = parse(text, path)
    written = "\n".join(_lines(rows(spec, scan(spec.source)))) + "\n"
    if _meaning(parse(written, path)) != _meaning(spec):
        raise InternalError(f"formatting `{path}` would change its meaning")
    return written


def _meaning(node: object) -> object:
    """A tree without its spans and its source."""
    if isinstance(node, tuple):
        return tuple(_meaning(each) for each in node)
    if isinstance(node, Node):
        return type(node).__name__, *map(_meaning, vars(node).values())
    return None if isinstance(node, Span | Source) else node


def _lines(unaligned: list[Row]) -> Iterator[str]:
    aligned = _in_runs(unaligned, _aligned)
    for row in _in_runs(aligned, _comments_aligned):
        if row.blank:
            yield ""
        beside = f"  {row.comment}" if row.comment else ""
        indent = _INDENT * row.level
        yield f"{indent}{row.cells[0]}{beside}"


def _in_runs(all_rows: list[Row], change: Callable[[list[Row]], list[Row]]) -> list[Row]:
    """All rows, after `change` was applied to each run: no blank line, no end of a block, one level."""
    number = 0
    numbered = []
    for index, row in enumerate(all_rows):
        before = all_rows[index - 1] if index else row
        ends = {"else", "close"} & {row.kind, before.kind}
        number += bool(row.blank or row.level != before.level or ends)
        numbered.append((number, row))
    changed: list[Row] = []
    for _, run in groupby(numbered, key=lambda each: each[0]):
        changed += change([row for _, row in run])
    return changed


def _aligned(run: list[Row]) -> list[Row]:
    """Rows of one cell each: consecutive rows of a kind have their cells in columns."""
    found: list[Row] = []
    pending: list[Row] = []

    def flush() -> None:
        written = [row for row in pending if row.kind != "comment"]
        texts = iter(_columns(written))
        for row in pending:
            found.extend([row] if row.kind == "comment" else _split(row, next(texts)))
        pending.clear()

    for row in run:
        kinds = {_shape(each) for each in pending} - {"comment"}
        if row.kind != "comment" and kinds and (_shape(row) not in kinds or row.kind not in _RUNS):
            flush()
        pending.append(row)
    flush()
    return found


def _shape(row: Row) -> str:
    """What rows that stand in the same columns have in common: their kind, and for blocks their cells."""
    return row.kind if row.kind in ("comment", "claim") else f"{row.kind} {len(row.cells)}"


def _split(row: Row, texts: list[str]) -> list[Row]:
    *most, last = texts
    lines = [replace(row, cells=(text,), comment="", blank=False) for text in most]
    lines.append(replace(row, cells=(last,), blank=False))
    return [replace(lines[0], blank=row.blank), *lines[1:]]


def _columns(same: list[Row]) -> list[list[str]]:
    """The lines of each row of a run of one kind."""
    if same and same[0].kind == "claim":
        return _claims(same)
    if same and same[0].kind == "stage":
        return [broken(row.cells[0], MOST_COLUMNS - len(_INDENT) * row.level) for row in same]
    widths = [max(map(width, column)) for column in zip(*(row.cells[:-1] for row in same), strict=True)]
    lines = []
    for row in same:
        cells = [padded(cell, columns) for cell, columns in zip(row.cells[:-1], widths, strict=True)]
        lines.append([" ".join([*cells, row.cells[-1]])])
    return lines


def _claims(claims: list[Row]) -> list[list[str]]:
    kinds = max(width(row.cells[0]) for row in claims)
    heads = [f"{padded(row.cells[0], kinds)} {row.cells[1]}" for row in claims]
    formulas = [row.cells[2] for row in claims]
    pairs = list(zip(heads, formulas, strict=True))
    column = _best_column([(width(head), width(formula)) for head, formula in pairs])
    lines = []
    for head, formula in pairs:
        aligned = f"{padded(head, column)} : {formula}"
        fitting = [line for line in (aligned, f"{head} : {formula}") if width(line) <= MOST_COLUMNS]
        lines.append(fitting[:1] or [head, f"    : {formula}"])
    return lines


def _best_column(claims: list[tuple[int, int]]) -> int:
    """Where the colon stands so that it is in line for most claims, as far left as that allows."""
    found, most = 0, 0
    for column in sorted({head for head, _ in claims if head <= MOST_COLUMNS}):
        fitting = sum(head <= column and column + 3 + formula <= MOST_COLUMNS for head, formula in claims)
        if fitting > most:
            found, most = column, fitting
    return found


def _comments_aligned(run: list[Row]) -> list[Row]:
    columns = max((width(row.cells[0]) for row in run if row.comment), default=0)
    return [replace(row, cells=(padded(row.cells[0], columns),)) if row.comment else row for row in run]
