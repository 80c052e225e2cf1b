"""The lines of a spec before they are aligned: what stands on each, and the comments that belong to it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from lark import Token

from epochproof.diagnostics import Span
from epochproof.language import tree
from epochproof.language.build import span_of
from epochproof.language.columns import width
from epochproof.language.preset import Choice, Preset, Use

Block = Literal["preset", "dataset", "split", "mix", "loader"]
"""Blocks on one line; a longer block has an `open` and a `close`."""

Kind = Literal["edition", "bind", Block, "open", "else", "close", "setting", "stage", "claim", "comment"]

MOST_COLUMNS = 120

_COMMENT = re.compile(r"#[^\r\n]*")
_OPERAND_ENDS = frozenset({"NAME", "DOTTED", "NUMBER", "STRING", "RPAR", "RBRACE", "RSQB"})


@dataclass(frozen=True)
class Row:
    """One line: its cells from left to right, its comment, and whether a blank line stands before it."""

    kind: Kind
    cells: tuple[str, ...]
    span: Span
    level: int = 0
    blank: bool = False
    comment: str = ""


def rows(spec: tree.Spec, tokens: list[Token]) -> list[Row]:
    """The rows of a whole spec, each comment of the text on exactly one of them."""
    script = _Script(spec.source.text, tokens, [span_of(token).start for token in tokens])
    bare = [Row("edition", (script.words(0, 2),), span_of(tokens[0]).to(span_of(tokens[1])))]
    for statement in spec.statements:
        bare += _statement(statement, script)
    placed: list[Row] = []
    for row in _with_comments(bare, script):
        first = not placed or placed[-1].kind in ("open", "else") or row.kind in ("else", "close")
        placed.append(replace(row, blank=row.blank and not first))
    return placed


@dataclass(frozen=True)
class _Script:
    text: str
    tokens: list[Token]
    starts: list[int]

    def words(self, first: int, last: int) -> str:
        """Tokens `first <= at < last`, in canonical spacing."""
        written = ""
        before: Token | None = None
        unary = False
        for token in self.tokens[first:last]:
            if before is not None and _apart(before, token, unary=unary):
                written += " "
            unary = token.type == "MINUS" and (before is None or before.type not in _OPERAND_ENDS)
            written += token
            before = token
        return written

    def at(self, span: Span) -> str:
        """The tokens of a span, in canonical spacing."""
        return self.words(bisect_left(self.starts, span.start), bisect_left(self.starts, span.end))

    def next(self, kind: str, start: int) -> Span:
        """The first token of a kind that does not stand before `start`."""
        at = bisect_left(self.starts, start)
        return span_of(next(each for each in self.tokens[at:] if each.type == kind))

    def blank_before(self, at: int) -> bool:
        """Whether an empty line stands right before an offset."""
        breaks = 0
        while at > 0 and self.text[at - 1].isspace():
            at -= 1
            breaks += self.text[at] == "\n"
        return breaks > 1


def _apart(before: Token, token: Token, *, unary: bool) -> bool:
    if before.type in ("LPAR", "LBRACE", "LSQB", "TO") or unary:
        return False
    if token.type == "LPAR":
        return before.type not in ("NAME", "DOTTED", "CEIL")
    return token.type not in ("RPAR", "RBRACE", "RSQB", "COMMA", "TO", "OPEN")


def _statement(statement: tree.Statement, script: _Script) -> list[Row]:
    if isinstance(statement, tree.Block | Preset):
        return _block(statement, script)
    if isinstance(statement, tree.Binding):
        return [Row("bind", _binding(statement, script), statement.span)]
    kind = statement.kind if isinstance(statement, tree.Claim) else "assume"
    colon = bisect_left(script.starts, statement.text_span.end)
    formula = script.words(colon + 1, bisect_left(script.starts, statement.span.end))
    return [Row("claim", (kind, f'"{statement.text}"', formula), statement.span)]


def _binding(binding: tree.Binding, script: _Script) -> tuple[str, ...]:
    return f"bind {binding.name}", script.at(Span(binding.name_span.end, binding.span.end))


def _block(block: tree.Block | Preset, script: _Script) -> list[Row]:
    kind, header, end = _header(block, script)
    entries = block.entries if isinstance(block, tree.Loader | Preset) else block.settings
    inside = [row for entry in entries for row in _entry(entry, script)]
    listed = ", ".join(" ".join(row.cells) for row in inside)
    one_line = (*header, f"{{ {listed} }}" if listed else "{}")
    written = script.text[block.span.start : block.span.end]
    if "\n" not in written and width(" ".join(one_line)) <= MOST_COLUMNS:
        return [Row(kind, one_line, block.span)]
    opener = script.next("LBRACE", end)
    opened = Row("open", (*one_line[:-1], "{"), Span(block.span.start, opener.end))
    return [opened, *inside, Row("close", ("}",), Span(block.span.end - 1, block.span.end))]


def _header(block: tree.Block | Preset, script: _Script) -> tuple[Block, tuple[str, ...], int]:
    """The kind of a block, the cells before its brace, and where they end in the text."""
    match block:
        case Preset():
            end = block.parameters[-1].span.end if block.parameters else block.name_span.end
            return "preset", (script.at(Span(block.span.start, script.next("LBRACE", end).start)),), end
        case tree.Dataset():
            if block.source is None:
                return "dataset", (f"dataset {block.name}",), block.name_span.end
            return "dataset", (f"dataset {block.name}", f"from {block.source}"), block.source.span.end
        case tree.Split():
            cells = (f"split {block.name}", f"of {block.whole}", f"by {block.key}")
            return "split", cells, block.key.span.end
        case tree.Mix():
            return "mix", (f"mix {block.name}",), block.name_span.end
        case tree.Loader():
            return "loader", (f"loader {block.name}", f"over {block.over}"), block.over.span.end


def _entry(entry: tree.Setting | tree.Part, script: _Script, level: int = 1) -> list[Row]:
    if isinstance(entry, Choice):
        return _choice(entry, script, level)
    if isinstance(entry, tree.Stage | Use):
        return [Row("stage", (script.at(entry.span),), entry.span, level)]
    sign = "in" if entry.free else "="
    name = bisect_left(script.starts, entry.span.start)
    value = script.words(name + 2, bisect_left(script.starts, entry.span.end))
    return [Row("setting", (entry.name, f"{sign} {value}"), entry.span, level)]


def _choice(choice: Choice, script: _Script, level: int) -> list[Row]:
    """One row where it is written so and has no `else`, else those of its branches."""
    opener = script.next("LBRACE", choice.condition.span.end)
    head = script.at(Span(choice.span.start, opener.start))
    inside = [row for part in choice.then for row in _entry(part, script, level + 1)]
    closer = script.next("RBRACE", choice.then[-1].span.end if choice.then else opener.end)
    if "\n" not in script.text[choice.span.start : choice.span.end] and closer.end == choice.span.end:
        listed = ", ".join(" ".join(row.cells) for row in inside)
        return [Row("stage", (f"{head} {{ {listed} }}" if listed else f"{head} {{}}",), choice.span, level)]
    opened = [Row("open", (f"{head} {{",), Span(choice.span.start, opener.end), level), *inside]
    if closer.end == choice.span.end:
        return [*opened, Row("close", ("}",), closer, level)]
    after = script.next("ELSE", closer.end)
    if script.tokens[bisect_left(script.starts, after.end)].type == "IF":
        (inner,) = choice.otherwise
        first, *rest = _entry(inner, script, level)
        return [*opened, Row("else", (f"}} else {first.cells[0]}",), closer.to(first.span), level), *rest]
    again = script.next("LBRACE", after.end)
    last = Span(choice.span.end - 1, choice.span.end)
    inside = [row for part in choice.otherwise for row in _entry(part, script, level + 1)]
    middle = Row("else", ("} else {",), closer.to(again), level)
    return [*opened, middle, *inside, Row("close", ("}",), last, level)]


def _with_comments(bare: list[Row], script: _Script) -> Iterator[Row]:
    comments = _comments(script)
    at = 0
    for index, row in enumerate(bare):
        end = bare[index + 1].span.start if index + 1 < len(bare) else len(script.text) + 1
        above: list[Row] = []
        while at < len(comments) and comments[at].span.start < row.span.end:
            above.append(replace(comments[at], level=row.level + (row.kind in ("else", "close"))))
            at += 1
        blank = script.blank_before(row.span.start)
        hoisted = [each for each in above if each.span.start > row.span.start]
        own = above[: len(above) - len(hoisted)]
        yield from own
        yield from (replace(each, blank=blank and each is hoisted[0]) for each in hoisted)
        beside = ""
        if at < len(comments) and comments[at].span.start < end:
            gap = script.text[row.span.end : comments[at].span.start]
            if "\n" not in gap:
                beside = comments[at].cells[0]
                at += 1
        yield replace(row, blank=blank and not hoisted, comment=beside)
    yield from comments[at:]


def _comments(script: _Script) -> list[Row]:
    found = []
    ends = [0, *(span_of(token).end for token in script.tokens)]
    for start, end in zip(ends, [*script.starts, len(script.text)], strict=True):
        for match in _COMMENT.finditer(script.text, start, end):
            span = Span(match.start(), match.end())
            found.append(Row("comment", (match[0].rstrip(),), span, blank=script.blank_before(match.start())))
    return found
