"""What the options of a stage may hold, from the annotations of its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

from epochproof.stage._options import Again, AtLeast, Column, Exact, Fixed, Lanes, Open, Seed
from epochproof.stage._stage import Stage

_Mark = TypeVar("_Mark", AtLeast, Seed, Lanes, Open, Fixed, Again, Column, Exact)


@dataclass(frozen=True)
class Field:
    """One option: its `marks`, the values of which it takes one (`choices`), and whether it must be given."""

    marks: tuple[object, ...]
    choices: tuple[object, ...]
    required: bool


@cache
def fields_of(kind: type[Stage]) -> Mapping[str, Field]:
    """The options of a stage, in the order in which they are declared."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        each.name: Field(
            getattr(hints[each.name], "__metadata__", ()),
            _choices(hints[each.name]),
            each.default is dataclasses.MISSING,
        )
        for each in dataclasses.fields(kind)
    }


def mark_of(kind: type[Stage], name: str, wanted: type[_Mark]) -> _Mark | None:
    """The mark of a field that is of the wanted kind, if it has one."""
    return next((each for each in fields_of(kind)[name].marks if isinstance(each, wanted)), None)


def _choices(annotation: object) -> tuple[object, ...]:
    parts = (annotation, *get_args(annotation))
    return next((get_args(each) for each in parts if get_origin(each) is Literal), ())
