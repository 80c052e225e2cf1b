"""The statements of a spec with bound values in place of their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from epochproof.config.entry import Entry, Scalar, Value
from epochproof.config.fold import amount, known
from epochproof.config.literal import as_formula, as_literal, changed, literal, same, unread_in
from epochproof.config.lookup import Absent, found, missing
from epochproof.config.use import OVERRIDE, Use, shown
from epochproof.diagnostics import Label, Span, fail
from epochproof.language import preset, tree
from epochproof.language.columns import safe
from epochproof.language.node import Node

_NAMES_ALONE = ("axis", "by", "name")
"""Fields that hold names which are no values."""


@dataclass
class Placing:
    """Puts values in place of names, statement by statement."""

    files: Mapping[str, Entry]
    overrides: Mapping[str, Scalar]
    uses: list[Use] = field(default_factory=list)
    texts: Literal["text", "word"] = "word"
    owner: int = 0

    def statement(self, statement: tree.Statement) -> list[tree.Statement]:
        """The statement with values in place; nothing for a binding or a preset."""
        if isinstance(statement, tree.Binding | preset.Preset):
            return []
        self.owner = statement.span.start
        self.texts = "text" if isinstance(statement, tree.Dataset) else "word"
        if isinstance(statement, tree.Claim):
            given = None if statement.given is None else as_formula(self.value(statement.given))
            return [changed(statement, formula=as_formula(self.value(statement.formula)), given=given)]
        if isinstance(statement, tree.Assumption):
            return [changed(statement, formula=as_formula(self.value(statement.formula)))]
        if isinstance(statement, tree.Loader):
            return [changed(statement, entries=tuple(map(self._entry, statement.entries)))]
        return [changed(statement, settings=tuple(map(self._entry, statement.settings)))]

    def _entry(self, entry: Any) -> Any:
        if isinstance(entry, tree.Stage | preset.Use):
            return changed(entry, arguments=tuple(map(self._entry, entry.arguments)))
        value = self.value(entry.value)
        unread = next(unread_in(value), None)
        if unread is not None:
            return changed(entry, value=unread.at(entry.value.span), free=False)
        return changed(entry, value=value)

    def value(self, value: Any) -> Any:
        """An expression with values in place; known as far as bound values make it."""
        match value:
            case tree.Name() if value.parts[0] in self.files:
                return self._named(value)
            case tree.Fallback():
                return self._fallback(value)
            case tree.Call():
                return self._call(value)
            case tree.Conditional():
                return self._choice(value)
            case tuple():
                return tuple(map(self.value, value))
        return self._parts(value) if isinstance(value, Node) else value

    def _parts(self, value: Any) -> Any:
        new = {
            name: part if name in _NAMES_ALONE else self.value(part)
            for name, part in vars(value).items()
            if not isinstance(part, Span)
        }
        if all(same(part, getattr(value, name)) for name, part in new.items()):
            return value
        made = changed(value, **new)
        result = known(made)
        texts = any(isinstance(each, tree.Word | tree.Text) for each in new.values())
        if amount(result) is not None or (isinstance(result, bool) and texts):
            return as_literal(result, value.span)
        return made

    def _named(self, name: tree.Name) -> tree.Expression:
        entry = self._entry_of(name)
        if isinstance(entry, Absent):
            raise missing(entry, name)
        self._use(name, entry)
        if isinstance(entry, Value) and entry.value is None:
            what = f"`{name}` is null at {safe(str(entry.place))}"
            raise fail("E705", what, name.span, help=f"say what is meant then: `{name} ?? 0`")
        return literal(name, entry, words=self.texts == "word")

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

    def _fallback(self, value: tree.Fallback) -> tree.Expression:
        name = value.value
        if not isinstance(name, tree.Name) or name.parts[0] not in self.files:
            cure = "write `t.seed ?? 0`, where `t` is bound to a config"
            raise fail("E706", "`??` stands after a bound value", value.span, help=cure)
        entry = self._entry_of(name)
        if isinstance(entry, Absent) or (isinstance(entry, Value) and entry.value is None):
            self._use(name, entry)
            return _at(self.value(value.otherwise), value.span)
        return _at(self._named(name), value.span)

    def _choice(self, value: tree.Conditional) -> tree.Expression:
        condition = self.value(value.condition)
        if same(condition, value.condition):
            return cast("tree.Expression", self._parts(value))
        for unread in unread_in(condition):
            return unread.at(value.span)
        truth = known(condition)
        if truth is not None and not isinstance(truth, bool):
            what = "a condition is needed here, and this is neither true nor false"
            raise fail("E706", what, value.condition.span, help=self._bound_at(value.condition.span))
        if truth is None:
            parts = {"then": self.value(value.then), "otherwise": self.value(value.otherwise)}
            return _at(changed(value, condition=as_formula(condition), **parts), value.span)
        return _at(self.value(value.then if truth else value.otherwise), value.span)

    def _call(self, call: tree.Call) -> Any:
        calls = {"agree": self._agree, "count": self._count}
        return calls.get(str(call.name), self._parts)(call)

    def _count(self, call: tree.Call) -> tree.Expression:
        """How many entries a bound list has; other counts are as written."""
        made = self._parts(call)
        if len(call.arguments) == 1 and isinstance(call.arguments[0].value, tree.Name):
            listed = made.arguments[0].value
            if isinstance(listed, tree.List):
                return as_literal(len(listed.items), call.span)
        return cast("tree.Expression", made)

    def _agree(self, call: tree.Call) -> tree.Expression:
        """The value that all arguments have."""
        if len(call.arguments) < 2 or any(each.name or each.free for each in call.arguments):  # noqa: PLR2004
            cure = "write `agree(t.num_processes, l.world)`"
            raise fail("E706", "`agree` takes two values or more", call.span, help=cure)
        sides = [self.value(each.value) for each in call.arguments]
        for side in sides:
            for unread in unread_in(side):
                return unread.at(call.span)
        values = [known(each) for each in sides]
        for argument, value in zip(call.arguments, values, strict=True):
            if value is None:
                cure = "compare values that the spec leaves free in a claim"
                raise fail("E706", "`agree` compares bound values", argument.value.span, help=cure)
        first = call.arguments[0].value.span
        for argument, value in zip(call.arguments[1:], values[1:], strict=True):
            if known(tree.Binary("==", sides[0], as_literal(value, call.span), call.span)) is not True:
                here = argument.value.span
                raise fail(
                    "E707",
                    f"these must agree: {self._bound_at(first)} and {self._bound_at(here)}",
                    here,
                    secondary=(Label(first, "the other one"),),
                    help="correct one of the two files",
                )
        return _at(sides[0], call.span)

    def _bound_at(self, span: Span) -> str:
        """The values that were taken for the words of a span."""
        here = [each for each in self.uses if span.start <= each.span.start and each.span.end <= span.end]
        return ", ".join(dict.fromkeys(safe(str(each)) for each in here)) or "a number of the spec"


def _at(value: Any, span: Span) -> tree.Expression:
    return cast("tree.Expression", value.at(span))
