"""Frozen dataclasses as JSON: read strictly, written with every field, and described by a JSON Schema.

Names are in camel case outside. A field that is `None` is left out, and an unknown one is ignored. A text may
carry a pattern, `Annotated[str, "[0-9]+"]`, that all of it must match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Shaped = TypeVar("Shaped")


_UNIONS = (UnionType, Union)
"""Of a shape and `None`; the second is what `|` gives beside a pattern."""


class ShapeError(Exception):
    """A value has not the shape that is asked for; holds where, and what is wrong."""


def written(value: object) -> Any:
    """The value as objects, lists, texts and numbers of JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        found = {_outside(each.name): getattr(value, each.name) for each in fields(value)}
        return {name: written(each) for name, each in found.items() if each is not None}
    if isinstance(value, Mapping):
        return {name: written(each) for name, each in value.items()}
    return [written(each) for each in value] if isinstance(value, tuple) else value


def read(shape: type[Shaped], value: object) -> Shaped:
    """What JSON holds, as the shape.

    Raises:
        ShapeError: A field is missing, or a value does not fit.
    """
    found: Shaped = _read(shape, value, "")
    return found


def schema(shape: type, identifier: str, title: str) -> dict[str, Any]:
    """The JSON Schema of a shape, draft 2020-12."""
    named: dict[str, Any] = {}
    top = _schema(shape, named)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": identifier,
        "title": title,
        **top,
        "$defs": dict(sorted(named.items())),
    }


def _outside(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return f"{'_' if name.startswith('_') else ''}{first}{''.join(map(str.capitalize, rest))}"


@cache
def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


def _read(shape: Any, value: Any, at: str) -> Any:
    if is_dataclass(shape):
        return _read_fields(shape, value, at)
    origin, arguments = get_origin(shape), get_args(shape)
    if origin in _UNIONS:
        inner = next(each for each in arguments if each is not NoneType)
        return None if value is None else _read(inner, value, at)
    if origin is tuple:
        items = _kind(list, value, at)
        return tuple(_read(arguments[0], each, f"{at}[{number}]") for number, each in enumerate(items))
    if origin is Mapping:
        held = _kind(dict, value, at)
        return {name: _read(arguments[1], each, f"{at}.{name}") for name, each in held.items()}
    return _read_plain(shape, origin, arguments, value, at)


def _read_plain(shape: Any, origin: Any, arguments: tuple[Any, ...], value: Any, at: str) -> Any:
    if origin is Literal:
        if value not in arguments:
            raise ShapeError(f"`{_here(at)}` is none of {', '.join(map(str, arguments))}")
        return value
    if origin is Annotated:
        if not re.fullmatch(arguments[1], _kind(str, value, at)):
            raise ShapeError(f"`{_here(at)}` is malformed")
        return value
    return _kind(shape, value, at)


def _read_fields(shape: Any, value: Any, at: str) -> Any:
    held, found = _kind(dict, value, at), {}
    for each in fields(shape):
        name = _outside(each.name)
        if name in held:
            found[each.name] = _read(_hints(shape)[each.name], held[name], f"{at}.{name}")
        elif each.default is MISSING:
            raise ShapeError(f"`{_here(at)}` has no `{name}`")
    return shape(**found)


_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    bool: "true or false",
}


def _kind(wanted: type, value: Any, at: str) -> Any:
    if type(value) is not wanted:
        raise ShapeError(f"`{_here(at)}` is not {_KINDS[wanted]}")
    return value


def _here(at: str) -> str:
    return at.removeprefix(".") or "the document"


def _schema(shape: Any, named: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(shape):
        return _schema_of_fields(shape, named)
    origin, arguments = get_origin(shape), get_args(shape)
    if origin in _UNIONS:
        return _part(next(each for each in arguments if each is not NoneType), named)
    if origin is tuple:
        return {"type": "array", "items": _part(arguments[0], named)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _part(arguments[1], named)}
    return _schema_of_plain(shape, origin, arguments)


def _schema_of_plain(shape: Any, origin: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is Annotated:
        return {"type": "string", "pattern": f"^(?:{arguments[1]})$"}
    return {"type": {str: "string", int: "integer", bool: "boolean"}[shape]}


def _part(shape: Any, named: dict[str, Any]) -> dict[str, Any]:
    """The schema of a part; that of a dataclass stands under its name."""
    if not is_dataclass(shape):
        return _schema(shape, named)
    name = getattr(shape, "__name__", "")
    if name not in named:
        named[name] = {}
        named[name] = _schema(shape, named)
    return {"$ref": f"#/$defs/{name}"}


def _schema_of_fields(shape: Any, named: dict[str, Any]) -> dict[str, Any]:
    every = fields(shape)
    return {
        "type": "object",
        "description": (shape.__doc__ or "").partition("\n")[0],
        "properties": {_outside(each.name): _part(_hints(shape)[each.name], named) for each in every},
        "required": [_outside(each.name) for each in every if each.default is MISSING],
    }
