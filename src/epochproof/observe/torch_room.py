"""Torch, loaded when it is needed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from epochproof.diagnostics import fail

_NOISE = (
    ".*use of fork\\(\\) may lead to deadlocks.*",
    ".*This DataLoader will create .* worker processes.*",
    ".*'set_vital' is deprecated.*",
)


def load_torch() -> Any:
    """The module `torch`, with its data loading.

    Raises:
        SpecError: torch is not installed.
    """
    try:
        import torch  # noqa: PLC0415 -- only who runs the loader pays for it
        import torch.utils.data  # noqa: PLC0415 -- only who runs the loader pays for it
    except ImportError as missing:
        message = "running the loader needs torch: `pip install 'epochproof[torch]'`"
        raise fail("E401", message, None) from missing
    return torch


@contextmanager
def quiet() -> Iterator[None]:
    """Inside, torch does not advise on how many worker processes to start."""
    with warnings.catch_warnings():
        for noise in _NOISE:
            warnings.filterwarnings("ignore", message=noise)
        yield
