"""What a syntax error says: what was expected, in the words of a user."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from epochproof.diagnostics import Label, Source, Span, SpecError, fail
from epochproof.language.balance import ENDS, RELATIONS
from epochproof.language.build import span_of
from epochproof.language.engine import keywords
from epochproof.language.scan import cropped
from epochproof.language.suggest import suggest

BLOCKS = ("DATASET", "SPLIT", "MIX", "LOADER")
STATEMENTS = ("BIND", "PRESET", *BLOCKS, "PROVE", "REFUTE", "ASSUME")
_BRACKETS = frozenset({"LPAR", "LBRACE", "LSQB"})
_VALUES = _BRACKETS | {"NUMBER", "STRING", "NAME", "DOTTED", "DISTINCT", "MINUS", "NOT", "IF", "CEIL"}
_OPERATORS = frozenset({"PLUS", "MINUS", "TIMES", "ABSENT", "AND", "OR", "TO", "OPEN", "PER"}) | RELATIONS
_SPELT = {
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "IS": "`=`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "SLASH": "`/`",
    "NUMBER": "a number",
    "STRING": "a text in double quotes",
    "NAME": "a name",
}


@dataclass(frozen=True)
class Place:
    """Where the parser stopped: `tokens[at]` is refused, or the file ends there; `accepts` was possible."""

    source: Source
    tokens: list[Token]
    at: int
    accepts: frozenset[str]

    @property
    def token(self) -> Token | None:
        """The refused token, `None` at the end of the file."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def before(self) -> Token:
        """The last token that was accepted."""
        return self.tokens[self.at - 1]

    @property
    def after(self) -> str:
        """The kind of the token after the refused one."""
        return self.tokens[self.at + 1].type if self.at + 1 < len(self.tokens) else ""

    @property
    def begins_line(self) -> bool:
        """Whether nothing stands before the refused token on its line."""
        if self.token is None:
            return False
        return "\n" in self.source.text[span_of(self.before).end : span_of(self.token).start]


def refusal(place: Place) -> SpecError:
    """The error of a file that does not follow the grammar."""
    token = place.token
    if token is None:
        end = span_of(place.before).end
        return fail("E101", f"expected {_expected(place)}, found the end of the file", Span(end, end))
    return _slash(token) or _chained(place, token) or _keyword(place, token) or _other(place, token)


def _slash(token: Token) -> SpecError | None:
    if token.type != "SLASH":
        return None
    cure = "write ceil(a / b) or //"
    return fail("E110", "`/` stands outside `ceil`", span_of(token), label="rounds which way?", help=cure)


def _chained(place: Place, token: Token) -> SpecError | None:
    first = _relation_before(place) if token.type in RELATIONS else None
    if first is None:
        return None
    return fail(
        "E109",
        f"`{token}` compares what is compared already",
        span_of(token),
        secondary=(Label(span_of(first), "the first comparison"),),
        help="comparisons do not chain; write a < b and b < c",
    )


def _relation_before(place: Place) -> Token | None:
    level = 0
    for token in reversed(place.tokens[: place.at]):
        level += (token in (")", "}", "]")) - (token in ("(", "{", "["))
        if level < 0 or (level == 0 and token.type in ENDS | {"AND", "OR", "IF", "THEN", "ELSE", "NOT"}):
            return None
        if level == 0 and token.type in RELATIONS:
            return token
    return None


def _keyword(place: Place, token: Token) -> SpecError | None:
    named = place.before.type in ("BIND", "PRESET", *BLOCKS) or place.after == "IS"
    if token.type not in keywords() or "NAME" not in place.accepts or not named:
        return None
    message = f"`{token}` is a keyword and names nothing else"
    return fail("E111", message, span_of(token), help="choose another name")


def _other(place: Place, token: Token) -> SpecError:
    starts = "LOADER" in place.accepts and token.type == "NAME"
    starts = starts and (place.begins_line or not place.accepts & _OPERATORS)
    if starts:
        place = Place(place.source, place.tokens, place.at, frozenset(STATEMENTS))
    found = f"`{cropped(token)}`"
    return fail(
        "E112" if starts else "E101",
        f"expected {_expected(place)}, found {found}",
        span_of(token),
        help=_help(place, token),
    )


def _help(place: Place, token: Token) -> str:
    possible = place.accepts
    recent = [each.type for each in place.tokens[max(0, place.at - 2) : place.at]]
    value = "NUMBER" in possible
    sets, adds = token.type == "IS", token.type in ("PLUS", "MINUS")
    cures = {
        "the edition stands once, at the top": token.type == "EDITION",
        "`use` stands in a loader or a preset": token.type == "USE",
        "a range without an upper end ends its line, or a comma follows it": sets and "TO" in recent,
        "`==` compares two values": sets and "COMPARE" in possible,
        f"put it in brackets: ({token} ...)": token.type in ("IF", "NOT") and value,
        "a sum stands in brackets: ceil((a + b) / c)": adds and "SLASH" in possible,
        "`ceil` takes a quotient: ceil(a / b)": "SLASH" in possible,
        "a name that is defined here has no dots": token.type == "DOTTED" and "NAME" in possible,
        f'say in a text what is claimed: {place.before} "..." : formula': "STRING" in possible
        and place.before.type != "LPAR"
        and not value,
    }
    known = [word for kind, word in keywords().items() if kind in possible]
    nearest = suggest(token, known) if token.type == "NAME" else ""
    return next((cure for cure, applies in cures.items() if applies), nearest)


def _expected(place: Place) -> str:
    left = set(place.accepts)
    phrases: list[str] = []

    def name(phrase: str, kinds: frozenset[str] | set[str]) -> None:
        left.difference_update(kinds)
        phrases.append(phrase)

    if {"NUMBER", "BY"} <= left:
        name("an argument", _VALUES | {"IN", "BY"})
    elif {"NUMBER", "NAME"} <= left:
        name("a value", _VALUES)
    if {"NAME", "RBRACE"} <= left:
        name(_entry(place), {"NAME", "USE", "IF"})
    if left & _OPERATORS:
        name("an operator" if "PLUS" in left else "`*`, `//`, `%`", _OPERATORS | {"LPAR"})
    if "LOADER" in left and phrases:
        name("a statement", {*STATEMENTS, "$END"})
    single = sorted(left - {"$END", "DOTTED"}, key=_rank)
    phrases += [_SPELT.get(kind) or f"`{keywords()[kind]}`" for kind in single]
    *most, last = phrases or ["the end of the file"]
    return f"{', '.join(most)} or {last}" if most else last


def _entry(place: Place) -> str:
    kinds = [token.type for token in place.tokens[: place.at] if token.type in STATEMENTS]
    return "a stage, a setting" if kinds[-1] in ("LOADER", "PRESET") else "a setting"


def _rank(kind: str) -> tuple[int, str]:
    order = (*STATEMENTS, *_SPELT)
    return order.index(kind) if kind in order else len(order), kind
