"""From a spec with bindings to the spec with their values in place, and where each is from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from epochproof.config.entry import Entry, Listed, Place, Scalar, Section, Unreadable, Value
from epochproof.config.fold import known
from epochproof.config.lookup import Absent, found, missing
from epochproof.config.read import Content, from_disk, read_config
from epochproof.config.use import OVERRIDE, Use, shown
from epochproof.diagnostics import Diagnostic, Label, Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.columns import safe
from epochproof.language.node import Node
from epochproof.language.suggest import suggest

READERS = ("config",)
"""What a binding can read with."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_NAMES_ALONE = ("axis", "by", "name")
"""Fields that hold names which are no values."""


@dataclass(frozen=True)
class Bound:
    """A spec without bindings, and what was taken from where, in the order of the text."""

    spec: tree.Spec
    uses: tuple[Use, ...]


def bound(spec: tree.Spec, overrides: Mapping[str, Scalar], content: Content = from_disk) -> Bound:
    """The spec with the values of its bindings in place.

    Args:
        spec: A spec as written.
        overrides: Values that replace those of the files, by their dotted names.
        content: Gives the bytes of a file.

    Raises:
        SpecError: A file cannot be read or is broken, a value is absent, null or no value, or two disagree.
    """
    folder = Path(spec.source.path).parent
    files, wrong = dict[str, Entry](), list[Diagnostic]()
    for each in spec.statements:
        if isinstance(each, tree.Binding):
            try:
                files[each.name] = _read(each, folder, content)
            except SpecError as error:
                if error.source is not None:
                    raise
                wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), spec.source)
    _check(overrides, files, spec)
    place = _Placing(files, overrides)
    statements = list[tree.Statement]()
    for each in spec.statements:
        try:
            statements += place.statement(each)
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), spec.source)
    return Bound(tree.Spec(spec.source, spec.edition, tuple(statements)), tuple(place.uses))


def _read(binding: tree.Binding, folder: Path, content: Content) -> Entry:
    if binding.reader not in READERS:
        cure = suggest(binding.reader, READERS) or 'write `bind t = config("train.yaml")`'
        raise fail("E704", f"nothing reads a `{binding.reader}`", binding.reader_span, help=cure)
    return read_config(binding, folder, content)


def _check(overrides: Mapping[str, Scalar], files: Mapping[str, Entry], spec: tree.Spec) -> None:
    """Refuses an override that changes nothing."""
    used = dict.fromkeys(str(each) for each in _names(spec.statements) if each.parts[0] in files)
    for name in overrides:
        if name not in used:
            cure = suggest(name, list(used)) or (
                f"bound are {', '.join(used)}" if used else "nothing is bound"
            )
            error = fail("E708", f"`--set {name}`: the spec binds no `{name}`", None, help=cure)
            error.source = spec.source
            raise error


def _names(value: object) -> Iterator[tree.Name]:
    if isinstance(value, tree.Name):
        yield value
    elif isinstance(value, Node):
        for each in vars(value).values():
            yield from _names(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _names(each)


@dataclass
class _Placing:
    """Puts values in place of names, statement by statement."""

    files: Mapping[str, Entry]
    overrides: Mapping[str, Scalar]
    uses: list[Use] = field(default_factory=list)
    texts: Literal["text", "word"] = "word"
    owner: int = 0

    def statement(self, statement: tree.Statement) -> list[tree.Statement]:
        """The statement with values in place; nothing for a binding."""
        if isinstance(statement, tree.Binding):
            return []
        self.owner = statement.span.start
        self.texts = "text" if isinstance(statement, tree.Dataset) else "word"
        if isinstance(statement, tree.Claim):
            given = None if statement.given is None else _as_formula(self.value(statement.given))
            return [_with(statement, formula=_as_formula(self.value(statement.formula)), given=given)]
        if isinstance(statement, tree.Assumption):
            return [_with(statement, formula=_as_formula(self.value(statement.formula)))]
        if isinstance(statement, tree.Loader):
            return [_with(statement, entries=tuple(map(self._entry, statement.entries)))]
        return [_with(statement, settings=tuple(map(self._entry, statement.settings)))]

    def _entry(self, entry: Any) -> Any:
        if isinstance(entry, tree.Stage):
            return _with(entry, arguments=tuple(map(self._entry, entry.arguments)))
        value = self.value(entry.value)
        unread = next(_unread(value), None)
        if unread is not None:
            return _with(entry, value=unread.at(entry.value.span), free=False)
        return _with(entry, value=value)

    def value(self, value: Any) -> Any:
        """An expression with values in place; known as far as bound values make it."""
        match value:
            case tree.Name() if value.parts[0] in self.files:
                return self._named(value)
            case tree.Fallback():
                return self._fallback(value)
            case tree.Call() if str(value.name) == "agree":
                return self._agree(value)
            case tree.Conditional():
                return self._choice(value)
            case Node():
                return self._parts(value)
            case tuple():
                return tuple(map(self.value, value))
        return value

    def _parts(self, value: Any) -> Any:
        new = {
            name: part if name in _NAMES_ALONE else self.value(part)
            for name, part in vars(value).items()
            if not isinstance(part, Span)
        }
        if all(_same(part, getattr(value, name)) for name, part in new.items()):
            return value
        made = _with(value, **new)
        amount = known(made)
        if isinstance(amount, int | Fraction) and not isinstance(amount, bool):
            return tree.Number(amount, value.span)
        if isinstance(amount, bool) and any(isinstance(each, tree.Word | tree.Text) for each in new.values()):
            return _word(str(amount).lower(), value.span)
        return made

    def _named(self, name: tree.Name) -> tree.Expression:
        entry = self._entry_of(name)
        if isinstance(entry, Absent):
            raise missing(entry, name)
        self._use(name, entry)
        if isinstance(entry, Value) and entry.value is None:
            what = f"`{name}` is null at {safe(str(entry.place))}"
            raise fail("E705", what, name.span, help=f"say what is meant then: `{name} ?? 0`")
        return self._literal(name, entry)

    def _entry_of(self, name: tree.Name) -> Entry | Absent:
        if len(name.parts) == 1:
            what = f"`{name}` is bound to a whole file"
            raise fail("E706", what, name.span, help=f"name a value in it: `{name}.batch_size`")
        if str(name) in self.overrides:
            return Value(self.overrides[str(name)], OVERRIDE)
        return found(self.files[name.parts[0]], name)

    def _use(self, name: tree.Name, entry: Entry | Absent) -> None:
        instead = ""
        if str(name) in self.overrides:
            written = found(self.files[name.parts[0]], name)
            was = None if isinstance(written, Absent) else written
            instead = f"{shown(was)} at {written.place}"
        told = shown(None if isinstance(entry, Absent) else entry)
        self.uses.append(Use(str(name), told, entry.place, name.span, self.owner, instead))

    def _literal(self, name: tree.Name, entry: Entry) -> tree.Expression:
        span = name.span
        match entry:
            case Unreadable():
                reason = f"`{name}` cannot be read: {safe(entry.reason)} ({safe(str(entry.place))})"
                return tree.Unread(str(name), reason, span)
            case Listed():
                return tree.List(tuple(self._literal(name, each) for each in entry.items), span)
            case Value(value=bool() as truth):
                return _word(str(truth).lower(), span)
            case Value(value=int() | Fraction() as amount):
                return _number(amount, span)
            case Value(value=str() as text):
                plain = self.texts == "word" and _WORD.fullmatch(text)
                return _word(text, span) if plain else tree.Text(text, span)
        what = "is a section" if isinstance(entry, Section) else "holds null"
        raise fail("E706", f"`{name}` {what} at {safe(str(entry.place))}", span, help="name a value in it")

    def _fallback(self, value: tree.Fallback) -> tree.Expression:
        name = value.value
        if not isinstance(name, tree.Name) or name.parts[0] not in self.files:
            cure = "write `t.seed ?? 0`, where `t` is bound to a config"
            raise fail("E706", "`??` stands after a bound value", value.span, help=cure)
        entry = self._entry_of(name)
        if isinstance(entry, Absent) or (isinstance(entry, Value) and entry.value is None):
            self._use(name, entry)
            otherwise: tree.Expression = self.value(value.otherwise)
            return otherwise.at(value.span)
        return self._named(name).at(value.span)

    def _choice(self, value: tree.Conditional) -> tree.Expression:
        condition = self.value(value.condition)
        if _same(condition, value.condition):
            return _with(value, then=self.value(value.then), otherwise=self.value(value.otherwise))
        for unread in _unread(condition):
            return unread.at(value.span)
        truth = known(condition)
        if truth is not None and not isinstance(truth, bool):
            what = "a condition is needed here, and this is neither true nor false"
            raise fail("E706", what, value.condition.span, help=self._bound_at(value.condition.span))
        if truth is None:
            parts = {"then": self.value(value.then), "otherwise": self.value(value.otherwise)}
            return _with(value, condition=_as_formula(condition), **parts)
        chosen: tree.Expression = self.value(value.then if truth else value.otherwise)
        return chosen.at(value.span)

    def _agree(self, call: tree.Call) -> tree.Expression:
        """The value that all arguments have."""
        if len(call.arguments) < 2 or any(each.name or each.free for each in call.arguments):  # noqa: PLR2004
            cure = "write `agree(t.num_processes, l.world)`"
            raise fail("E706", "`agree` takes two values or more", call.span, help=cure)
        sides = [self.value(each.value) for each in call.arguments]
        for side in sides:
            for unread in _unread(side):
                return unread.at(call.span)
        values = [known(each) for each in sides]
        for argument, value in zip(call.arguments, values, strict=True):
            if value is None:
                cure = "compare values that the spec leaves free in a claim"
                raise fail("E706", "`agree` compares bound values", argument.value.span, help=cure)
        first = call.arguments[0].value.span
        for argument, value in zip(call.arguments[1:], values[1:], strict=True):
            if known(tree.Binary("==", sides[0], _as_literal(value, call.span), call.span)) is not True:
                here = argument.value.span
                raise fail(
                    "E707",
                    f"these must agree: {self._bound_at(first)} and {self._bound_at(here)}",
                    here,
                    secondary=(Label(first, "the other one"),),
                    help="correct one of the two files",
                )
        return sides[0].at(call.span)

    def _bound_at(self, span: Span) -> str:
        """The values that were taken for the words of a span."""
        here = [each for each in self.uses if span.start <= each.span.start and each.span.end <= span.end]
        return ", ".join(dict.fromkeys(safe(str(each)) for each in here)) or "a number of the spec"


def _same(one: object, other: object) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return one is other


def _with(node: Any, **changed: Any) -> Any:
    return type(node)(**vars(node) | changed)


def _unread(value: object) -> Iterator[tree.Unread]:
    """What in the expression cannot be read."""
    if isinstance(value, tree.Unread):
        yield value
    elif isinstance(value, Node):
        for each in vars(value).values():
            yield from _unread(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _unread(each)


def _word(word: str, span: Span) -> tree.Word:
    return tree.Word((word,), span)


def _number(amount: int | Fraction, span: Span) -> tree.Expression:
    whole = isinstance(amount, Fraction) and amount.denominator == 1
    return tree.Number(int(amount) if whole else amount, span)


def _as_literal(value: Any, span: Span) -> tree.Expression:
    if isinstance(value, bool):
        return _word(str(value).lower(), span)
    return tree.Text(value, span) if isinstance(value, str) else tree.Number(value, span)


def _as_formula(value: Any) -> Any:
    """The formula with truth values as comparisons; other texts have no meaning in it."""
    match value:
        case tree.Word(parts=("true" | "false" as word,)):
            one = tree.Number(1, value.span)
            return tree.Binary("==", one, tree.Number(int(word == "true"), value.span), value.span)
        case tree.Word():
            what = f"a formula compares numbers, and this is the text `{safe(str(value))}`"
            raise fail("E706", what, value.span, help='compare it with a text: `t.strategy == "ddp"`')
        case tree.Name():
            return value
        case Node():
            new = {name: _as_formula(part) for name, part in vars(value).items()}
            return (
                value if all(new[name] is part for name, part in vars(value).items()) else _with(value, **new)
            )
        case tuple():
            parts = tuple(map(_as_formula, value))
            return value if _same(parts, value) else parts
    return value
