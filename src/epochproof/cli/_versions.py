"""What proves: the state of this package's files, and of the packages and the interpreter below it."""

from __future__ import annotations

import os
import sys

PACKAGES = ("cvc5", "duckdb", "lark", "pydantic", "pydantic_core", "z3")
_DISTRIBUTIONS = ("cvc5-", "duckdb-", "lark-", "pydantic-", "pydantic_core-", "z3_solver-")

State = tuple[int, ...]


def state(path: str) -> State | None:
    """What changes when a file does: its size, its times, its inode; `None` if it is missing."""
    try:
        return _state(os.stat(path))
    except (OSError, ValueError):
        return None


def _state(found: os.stat_result) -> State:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def own_sources() -> object:
    """The files of this package, each with its state: an edited one is another prover."""
    return sorted(_below(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def interpreter() -> object:
    """The version of Python, and whether it leaves assertions out."""
    return sys.version, sys.flags.optimize


def packages() -> object:
    """The packages that a verdict rests on: name, version and state, in the order of the search path."""
    found: list[object] = [os.environ.get("Z3_LIBRARY_PATH")]
    for each in sys.path:
        folder = each or "."
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        found += sorted(
            each for each in names if each.endswith(".dist-info") and each.startswith(_DISTRIBUTIONS)
        )
        held = [f"{folder}/{name}" for name in PACKAGES if name in names]
        found += [(path, state(f"{path}/__init__.py"), _library(path)) for path in held]
    return found


def _library(package: str) -> object:
    """The compiled part of z3, which lies in a folder of its own."""
    return sorted(_below(f"{package}/lib")) if os.path.isdir(f"{package}/lib") else None


def _below(folder: str) -> list[tuple[str, State]]:
    found: list[tuple[str, State]] = []
    with os.scandir(folder) as entries:
        for each in entries:
            if not each.is_dir():
                found.append((each.path, _state(each.stat())))
            elif each.name != "__pycache__":
                found += _below(each.path)
    return found
