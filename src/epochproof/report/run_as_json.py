"""What running the real loader found, as a program reads it: the document `epochproof/run/1`."""

from __future__ import annotations

from epochproof.report._json import written
from epochproof.report._run import Delivery, Difference, EndsEarly, LoaderRun, Replay, RunReport

SCHEMA = "epochproof/run/1"


def render(report: RunReport) -> str:
    """The JSON text, without a line break at the end."""
    return written(
        {
            "schema": SCHEMA,
            "path": report.checked.path,
            "torch": report.torch,
            **({"own_loader": report.own} if report.own else {}),
            "loaders": [_loader(each) for each in report.loaders],
            "counterexamples": [_replay(each) for each in report.counterexamples],
            "claims": [
                {
                    "text": each.text,
                    "kind": each.kind,
                    "verdict": each.verdict.word,
                    "as_stated": each.as_stated,
                }
                for each in report.checked.claims
            ],
            "drift": report.drift,
        }
    )


def _loader(loader: LoaderRun) -> dict[str, object]:
    return {
        "name": loader.name,
        "instances": loader.instances,
        "occurrences": loader.occurrences,
        "workers_checked": loader.with_workers,
        "agrees": loader.difference is None,
        "difference": None if loader.difference is None else _difference(loader.difference),
        "delivered": None if loader.delivery is None else _delivery(loader.delivery),
        "left_out": list(loader.left_out),
        **(_on_real_ranks(loader) if loader.in_group else {}),
    }


def _on_real_ranks(loader: LoaderRun) -> dict[str, object]:
    early = loader.ends_early
    return {
        "real_ranks_checked": loader.in_group,
        "ends_early": None if early is None else _ends_early(early),
    }


def _ends_early(found: EndsEarly) -> dict[str, object]:
    return {
        "parameters": dict(found.parameters),
        "epoch": found.epoch,
        "step": found.step,
        "ranks": list(found.ranks),
    }


def _difference(found: Difference) -> dict[str, object]:
    return {
        "parameters": dict(found.parameters),
        "real": found.real,
        "epoch": found.epoch,
        "rank": found.rank,
        "step": found.step,
        "slot": found.slot,
        "model": found.model,
        "torch": found.torch,
    }


def _delivery(delivery: Delivery) -> dict[str, object]:
    return {
        "parameters": dict(delivery.parameters),
        "epoch": 0,
        "ranks": [[list(batch) for batch in rank] for rank in delivery.ranks],
    }


def _replay(replay: Replay) -> dict[str, object]:
    found: dict[str, object] = {
        "text": replay.text,
        "parameters": dict(replay.parameters),
        "replayed": replay.replayed,
    }
    return found | ({"reason": replay.reason} if replay.reason else {})
