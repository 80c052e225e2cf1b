"""Counterexamples on the real loader: the claim has to be false on the lists that it delivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from epochproof.claim._claim import Claim
from epochproof.model.values import Scope
from epochproof.observe.bench import MOST, TORCH_REFUSES
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.real import Read, RealObject, StageByStage, settled
from epochproof.prove.verdict import Counterexample
from epochproof.prove.worlds import Worlds
from epochproof.report._run import Replay
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of


class _RealLists(Compiled):
    """A plan whose lists are the real loader's; only which occurrences are padding is the model's word."""

    def __init__(self, loader: Loader, names: tuple[str, ...], real: RealObject) -> None:
        super().__init__(plan_of(loader), loader.epochs, names)
        self._real = real

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank really reads in one epoch."""
        read: Read = self._real.open(dict(zip(self.names, values, strict=True)), rank)(epoch)
        model = super().lane(values, rank, epoch)
        records = [record for group in read.groups for record in group]
        step = [at for at, group in enumerate(read.groups) for _ in group]
        padded = model.padded if len(model.padded) == len(records) else [False] * len(records)
        alone = [0] * len(records)
        return Delivered(records, padded, step, read.steps, alone, list(range(len(records))))


class _RealWorlds(Worlds):
    """The worlds of a claim, delivered by the real loaders."""

    def __init__(self, torch: Any, claim: Claim, scope: Scope) -> None:
        super().__init__(claim)
        lows = {name: each.domain.low for name, each in scope.parameters.items()}
        self._plans = {
            name: _really(torch, claim.loaders[name], plan.names, lows) for name, plan in self._plans.items()
        }


def _really(torch: Any, loader: Loader, names: tuple[str, ...], lows: Mapping[str, int]) -> Compiled:
    """The real loader; a parameter on which the claim does not depend has its least value."""
    fixed = settled(loader, {name: low for name, low in lows.items() if name not in names})
    real: RealObject = Fused(torch, fixed) if fusable(fixed) else StageByStage(torch, fixed)
    return _RealLists(fixed, names, real)


def replay(torch: Any, claim: Claim, scope: Scope, found: Counterexample) -> Replay:
    """The counterexample, and whether the claim is false on what torch delivers, too."""
    text = claim.written.text
    worlds = _RealWorlds(torch, claim, scope)
    if worlds.weight(found.parameters) > MOST:
        return Replay(text, found.parameters, "model", "too many occurrences to run")
    try:
        violation = claim.violation(worlds.world(found.parameters))
    except TORCH_REFUSES as refusal:
        return Replay(text, found.parameters, "contradicted", f"{type(refusal).__name__}: {refusal}")
    if violation is None:
        return Replay(text, found.parameters, "contradicted", "the claim is true on what torch delivers")
    return Replay(text, found.parameters, "torch")
