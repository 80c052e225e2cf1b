"""A diagnostic code explained to a person."""

from __future__ import annotations

from textwrap import indent

from epochproof.codes import Code
from epochproof.report._style import Style


def render(code: Code, *, colour: bool = False) -> str:
    """The entry of the catalogue: what the code means, why, a spec with the fault and one without."""
    style = Style(colour)
    parts = [f"{style.ink('bad', code.code)} {style.ink('strong', code.name)}\n{code.summary}", code.why]
    if code.example:
        parts.append(f"{style.ink('bad', 'wrong:')}\n\n{indent(code.example.strip(), '    ')}")
        parts.append(f"{style.ink('good', 'instead:')}\n\n{indent(code.instead.strip(), '    ')}")
    return "\n\n".join(parts)
