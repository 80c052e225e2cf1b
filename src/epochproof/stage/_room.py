"""The stages that there are: the public modules of this room, one class each, loaded when asked for."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import epochproof.stage
from epochproof.stage._stage import Stage


@cache
def names() -> tuple[str, ...]:
    """The names of all stages, sorted; a stage is called like its module."""
    return tuple(
        sorted(each.name for each in iter_modules(epochproof.stage.__path__) if not each.name.startswith("_"))
    )


@cache
def stage_class(name: str) -> type[Stage]:
    """The class of the stage `name`, one of `names()`."""
    module = import_module(f"epochproof.stage.{name}")
    (found,) = [
        each
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Stage) and each.__module__ == module.__name__
    ]
    return found
