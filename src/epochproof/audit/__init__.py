"""What a run really read: its trace, the writer and the reader of traces, and their comparison with a spec.

The only room that imports pyarrow and Ibis.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A room that has the name of the function that Python callers want: `epochproof.audit(spec, trace)`."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from epochproof.audit.audit import audit  # noqa: PLC0415 -- who records needs no Ibis

        return audit(*arguments, **options)


sys.modules[__name__].__class__ = _Room
