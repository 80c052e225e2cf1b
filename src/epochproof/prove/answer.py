"""What a solver answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import z3

GUARD = 60_000
"""Milliseconds after which z3 is stopped: only where it spends no resource units, which it should not do."""


@dataclass(frozen=True)
class Answer:
    """`none`: no values satisfy the condition. `found`: these do. `unknown`: the limit was reached."""

    status: Literal["none", "found", "unknown"]
    values: Mapping[str, int] = field(default_factory=dict)


def values(model: z3.ModelRef) -> dict[str, int]:
    """The integers of a model, by name."""
    return {
        each.name(): model[each].as_long()
        for each in model.decls()
        if each.arity() == 0 and z3.is_int_value(model[each])
    }
