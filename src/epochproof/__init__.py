"""Prove what an epoch covers: a language for data schedules, its verifier, and a runner for the real loader.

`check` proves the claims of a spec, `count` counts what its loaders read, `load` only reads it;
`record` writes down what a live loader reads.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as `typing` has it, whose import alone takes milliseconds
if TYPE_CHECKING:
    from epochproof.diagnostics import SpecError
    from epochproof.observe.record import record
    from epochproof.prove.session import Checked, check, count, load

__version__ = "0.1.0"
__all__ = ["Checked", "SpecError", "__version__", "check", "count", "load", "record"]

_HOMES = {
    "Checked": "epochproof.prove.session",
    "SpecError": "epochproof.diagnostics",
    "check": "epochproof.prove.session",
    "count": "epochproof.prove.session",
    "load": "epochproof.prove.session",
    "record": "epochproof.observe.record",
}


def __getattr__(name: str) -> object:
    """The public function or class, from the module that holds it: importing the package loads no prover."""
    if name not in _HOMES:
        raise AttributeError(f"module `epochproof` has no attribute `{name}`")
    from importlib import import_module  # noqa: PLC0415 -- a bare import stays cheap

    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
