"""The parser's tables: made from `grammar.lark`, kept in `tables.json`, loaded where they fit.

`python -m epochproof.language.tables` writes the file anew.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("tables.json")

_UNBOUNDED = 2**16
"""The width of a terminal without a longest text: how Python counts it differs between versions."""

_SHIFT, _REDUCE = 0, 1
"""What lark's data calls the two kinds of action."""

State = dict[str, int]
"""By symbol: the number of the state that follows, or a negative number -n to reduce by definition n."""


def built(transformer: object = None) -> Lark:
    """The parser made from the grammar, which takes longer than all else that parsing loads."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        transformer=transformer,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def loaded(text: str, transformer: object = None) -> Lark | None:
    """The parser that `built` gives, from the text of `tables.json`.

    Returns:
        `None` where the tables are from another grammar or another version of lark, whose data may differ.
    """
    tables = json.loads(text)
    if tables["made_from"] != _origin():
        return None
    data, definitions, states = tables["data"], tables["definitions"], tables["states"]
    reductions = [(_REDUCE, {"@": number}) for number in range(len(definitions))]
    data["options"]["transformer"] = transformer
    data["parser"]["parser"] |= {
        "tokens": {symbol: symbol for state in states for symbol in state},
        "states": {
            number: {symbol: (_SHIFT, to) if to > 0 else reductions[-to] for symbol, to in state.items()}
            for number, state in enumerate(states)
        },
    }
    return Lark.load({"data": data, "memo": dict(enumerate(definitions))})


def written() -> str:
    """The text of `tables.json` for the grammar and the version of lark that are installed.

    Sets have no order, so lark numbers its states in another way each time; here they are numbered along a
    walk from the start, and the same grammar gives the same text.
    """
    data, memo = built().memo_serialize([TerminalDef, Rule])
    parser = data["parser"]["parser"]
    numbers = _walk(parser)
    for ends in ("start_states", "end_states"):
        parser[ends] = {start: numbers[state] for start, state in parser[ends].items()}
    tokens, states = parser.pop("tokens"), parser.pop("states")
    return _lines(
        made_from=_origin(),
        data=data,
        definitions=[_bounded(memo[number]) for number in range(len(memo))],
        states=[_state(states[state], tokens, numbers) for state in numbers],
    )


def _origin() -> dict[str, str]:
    grammar = GRAMMAR.read_text(encoding="utf-8").encode()
    return {"lark": __version__, "grammar": sha256(grammar).hexdigest()}


def _walk(parser: dict[str, Any]) -> dict[int, int]:
    """The new number of each state: breadth first, symbols in order."""
    tokens, states = parser["tokens"], parser["states"]
    found = [parser["start_states"]["start"]]
    for state in found:  # grows on the way
        row = states[state]
        following = [row[token][1] for token in sorted(row, key=tokens.get) if row[token][0] == _SHIFT]
        found += [each for each in following if each not in found]
    return {state: number for number, state in enumerate(found)}


def _state(row: dict[int, tuple[int, Any]], tokens: dict[int, str], numbers: dict[int, int]) -> State:
    named = {
        tokens[token]: numbers[to] if action == _SHIFT else -to["@"] for token, (action, to) in row.items()
    }
    return dict(sorted(named.items()))


def _bounded(definition: dict[str, Any]) -> dict[str, Any]:
    pattern = definition.get("pattern", {})
    if "_width" in pattern:
        pattern["_width"] = [min(width, _UNBOUNDED) for width in pattern["_width"]]
    return definition


def _lines(**parts: object) -> str:
    """JSON with a line for each part, or for each item where a part is a list."""
    lines = []
    for name, part in parts.items():
        items = ",\n".join(map(json.dumps, part)) if isinstance(part, list) else ""
        lines.append(f'"{name}": ' + (f"[\n{items}\n]" if items else json.dumps(part)))
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TABLES.write_text(written(), encoding="utf-8", newline="\n")
