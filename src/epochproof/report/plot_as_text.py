"""Pictures of small schedules in a terminal: a row for each rank and worker, a column for each step."""

from __future__ import annotations

from collections.abc import Mapping

from epochproof.language.columns import width
from epochproof.report._counterexample import in_runs
from epochproof.report._style import Style, listed, shown
from epochproof.schedule.picture import MOST_POSITIONS, Cell, Picture, Row

_MARGIN = "    "


def render(
    pictures: Mapping[str, Picture | None],
    *,
    steps: tuple[int, int] | None = None,
    colour: bool = False,
    symbols: bool = True,
    columns: int = 100,
) -> str:
    """Several lines without a line break at the end.

    Args:
        pictures: What each loader reads, by its name; `None` where that is too much to draw.
        steps: The first and the last step that are drawn, both included; all if `None`.
        colour: Whether to write ANSI colours.
        symbols: Whether the output can show signs beyond ASCII.
        columns: How wide a line may be; what is wider goes on below.
    """
    style = Style(colour, symbols, columns)
    parts = [_loader(name, picture, steps, style) for name, picture in pictures.items()]
    key = "a record with + is padding, one with * is read more than once, - is no step"
    return "\n\n".join(["\n".join(part) for part in parts] + [style.ink("faint", f"  {key}")])


def _loader(name: str, picture: Picture | None, steps: tuple[int, int] | None, style: Style) -> list[str]:
    head = f"  {style.ink('strong', name)}"
    if picture is None:
        return [f"{head}  too large to be drawn: more than {shown(MOST_POSITIONS)} positions and records"]
    if picture.values:
        head += f"  {', '.join(f'{known} = {shown(value)}' for known, value in picture.values.items())}"
    first, last = steps or (0, picture.steps - 1)
    drawn = range(first, min(last + 1, picture.steps))
    if not drawn:
        return [f"{head}  no rank runs a step", *_omitted(picture, style)]
    return [head, *_table(picture, drawn, style), *_omitted(picture, style)]


def _omitted(picture: Picture, style: Style) -> list[str]:
    if not picture.omitted:
        return []
    words = in_runs(picture.omitted)
    return [style.ink("bad", f"{_MARGIN}omitted in the epoch: {listed(words)}")]


def _table(picture: Picture, drawn: range, style: Style) -> list[str]:
    """The rows of the picture, in as many blocks as the columns need."""
    names = [_name(row) for row in picture.rows]
    lead = max(map(len, [*names, "step"]))
    cells = {step: [_cell(row, step, style) for row in picture.rows] for step in drawn}
    wide = {step: max(len(shown(step)), *(_wide(row, step) for row in picture.rows)) for step in drawn}
    lines: list[str] = []
    for block in _blocks(drawn, wide, style.columns - len(_MARGIN) - lead):
        heads = "".join(f"  {shown(step):{wide[step]}}" for step in block)
        lines.append(style.ink("faint", f"{_MARGIN}{'step':{lead}}{heads}".rstrip()))
        for at, name in enumerate(names):
            body = "".join(
                f"  {cells[step][at]}{' ' * (wide[step] - _wide(picture.rows[at], step))}" for step in block
            )
            lines.append(f"{_MARGIN}{name:{lead}}{body}".rstrip())
    return lines


def _blocks(drawn: range, wide: Mapping[int, int], room: int) -> list[list[int]]:
    """The steps that stand beside each other."""
    blocks: list[list[int]] = [[]]
    left = room
    for step in drawn:
        if blocks[-1] and wide[step] + 2 > left:
            blocks.append([])
            left = room
        blocks[-1].append(step)
        left -= wide[step] + 2
    return blocks


def _name(row: Row) -> str:
    worker = "" if row.worker is None else f" worker {shown(row.worker)}"
    return f"rank {shown(row.rank)}{worker}"


def _cell(row: Row, step: int, style: Style) -> str:
    found = row.steps[step]
    if found is None:
        return style.ink("faint", "-")
    return " ".join(_sign(cell, style) for cell in found)


def _wide(row: Row, step: int) -> int:
    return width(_cell(row, step, Style()))


def _sign(cell: Cell, style: Style) -> str:
    sign = f"{cell.record}{'+' if cell.padded else ''}{'*' if cell.times > 1 else ''}"
    if cell.padded:
        return style.ink("open", sign)
    return style.ink("strong", sign) if cell.times > 1 else sign
