"""What every node of a tree is: frozen, equal by its fields, open to `match`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

from epochproof.diagnostics import Span


@dataclass_transform(frozen_default=True)
class Node:
    """A class whose annotations are its fields, as in a frozen dataclass without defaults.

    `dataclass` writes and compiles five methods for each class, which takes longer than most specs take to
    parse; here every class shares the methods below. Type checkers take a node for a frozen dataclass.
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)  # type: ignore[misc]  # final, says mypy

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self.__match_args__
        given = dict(zip(names, values, strict=False)) | named
        if len(values) + len(named) != len(names) or given.keys() != set(names):
            raise TypeError(f"`{type(self).__name__}` takes {', '.join(names)}, each once")
        self.__dict__.update((name, given[name]) for name in names)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot change `{name}`")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete `{name}`")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        fields = map("{}={!r}".format, vars(self), vars(self).values())
        return f"{type(self).__name__}({', '.join(fields)})"

    def at(self, span: Span) -> Self:
        """The same node, standing elsewhere."""
        return type(self)(**vars(self) | {"span": span})


def walk(written: object) -> Iterator[Node]:
    """Every node of a tree, or of a tuple of trees, each before its parts."""
    if isinstance(written, Node):
        yield written
        written = tuple(vars(written).values())
    if isinstance(written, tuple):
        for each in written:
            yield from walk(each)
