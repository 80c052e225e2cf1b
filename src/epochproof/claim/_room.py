"""The quantities that there are: the public modules of this room that hold one, loaded when asked for."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import epochproof.claim
from epochproof.claim._quantity import Quantity


@cache
def _modules() -> tuple[str, ...]:
    return tuple(
        sorted(each.name for each in iter_modules(epochproof.claim.__path__) if not each.name.startswith("_"))
    )


@cache
def _found(module: str) -> Quantity | None:
    loaded = import_module(f"epochproof.claim.{module}")
    for _, each in inspect.getmembers(loaded, inspect.isclass):
        if issubclass(each, Quantity) and each.__module__ == loaded.__name__:
            quantity: Quantity = each()
            return quantity
    return None


def quantity(name: str) -> Quantity | None:
    """The quantity called `name`, which is called like its module; `None` if there is none."""
    return _found(name) if name in _modules() else None


@cache
def names() -> tuple[str, ...]:
    """The names of all quantities, sorted."""
    return tuple(each for each in _modules() if _found(each))
