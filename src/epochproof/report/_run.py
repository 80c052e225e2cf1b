"""What running the real loader found: frozen data that the formats of this room show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from epochproof.prove.session import Checked


@dataclass(frozen=True)
class Difference:
    """The first place where the model and the real loader differ.

    `real` names the object that differed. `step` and `slot` are `None` where a whole epoch of a rank is
    meant: its number of steps, or an error of torch.
    """

    loader: str
    parameters: Mapping[str, int]
    real: str
    epoch: int
    rank: int
    step: int | None
    slot: int | None
    model: str
    torch: str


@dataclass(frozen=True)
class Delivery:
    """What torch delivered in epoch 0 of one instance: for each rank its batches of records."""

    parameters: Mapping[str, int]
    ranks: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class EndsEarly:
    """Ranks that have no `step` while another one waits for them in it, in one epoch of an instance."""

    parameters: Mapping[str, int]
    epoch: int
    step: int
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class LoaderRun:
    """One loader: how many instances of it ran, and whether each occurrence was where the model says.

    `occurrences` counts each delivered occurrence once, however many real objects delivered it;
    `with_workers` counts the instances that also ran with worker processes. `delivery` is given for a small
    loader without free parameters. `left_out` says what did not run, and why. `in_group` counts the instances
    that ran on real ranks, `ends_early` is the first of them whose ranks did not end together.
    """

    name: str
    instances: int
    occurrences: int
    with_workers: int
    difference: Difference | None
    delivery: Delivery | None
    left_out: tuple[str, ...]
    in_group: int = 0
    ends_early: EndsEarly | None = None


@dataclass(frozen=True)
class Replay:
    """A counterexample, on the lists that the real loader delivers.

    `torch`: the claim is false on them. `model`: they were not asked, `reason` says why. `contradicted`: the
    claim is true on them, so model and loader differ.
    """

    text: str
    parameters: Mapping[str, int]
    replayed: Literal["torch", "model", "contradicted"]
    reason: str = ""


@dataclass(frozen=True)
class RunReport:
    """Everything that running one spec found; `checked` knows which counterexamples torch showed.

    `own` is what the user's own loader is called, where that one ran instead of torch's.
    """

    torch: str
    loaders: tuple[LoaderRun, ...]
    counterexamples: tuple[Replay, ...]
    checked: Checked
    own: str = ""

    @property
    def occurrences(self) -> int:
        """The occurrences that were compared."""
        return sum(each.occurrences for each in self.loaders)

    @property
    def drift(self) -> bool:
        """Whether the model and the real loader differ anywhere."""
        return any(each.difference for each in self.loaders) or any(
            each.replayed == "contradicted" for each in self.counterexamples
        )

    @property
    def exit_code(self) -> int:
        """4: the model and the real loader differ. Otherwise that of the claims."""
        return 4 if self.drift else self.checked.exit_code
