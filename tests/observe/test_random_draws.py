"""Random draws run on torch's own samplers, with ranks, batches and worker processes below."""

from __future__ import annotations

from pathlib import Path

import pytest

import epochproof
from epochproof.observe.run import run
from epochproof.prove.session import opened
from tests.observe.bench import grid, ran, spec

DRAWS = (
    "draw(in 0.., seed = any)",
    "draw(in 0.., seed = any, replacement = false)",
    "draw(in 0.., seed = any, shared = false, reseed = never)",
    "draw(in 0.., seed = any, weights = w)",
)
BELOW = ("shard(ranks); batch(in 1.., tail = drop)", "batch(in 1..); stop(steps = 2)")
SIZES = {"d.size": [0, 1, 2, 5], "l.draw": [0, 1, 4, 9], "l.ranks": [1, 3], "l.batch": [1, 2]}
CHOICES = {**SIZES, "l.seed": [0, 2**32 + 5], "d.w": [0, 1, 4]}


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("draw", DRAWS)
def test_model_is_torch(draw: str, below: str) -> None:
    compared, differences = grid(f"{draw}; {below}", CHOICES, settings="ranks in 1.., epochs = 2")

    assert compared > 500
    assert differences == []


def test_weights_of_a_manifest_are_those_that_torch_is_handed(tmp_path: Path) -> None:
    (tmp_path / "clips.csv").write_text("w\n0.1\n0\n2.75\n1e-3\n12\n0.3\n")
    text = spec("draw(in 1..20, seed = any, weights = w); shard(ranks); batch(3)", settings="ranks in 1..3")
    manifest = f'manifest = "{tmp_path}/clips.csv", weight = w'

    (tmp_path / "a.epoch").write_text(text.replace("size in 0..", manifest))
    session = opened(epochproof.load(tmp_path / "a.epoch"), all_loaders=True)

    report = run(session, session.checked())

    assert "d.w" not in session.schedule.scope.parameters

    assert [each.difference for each in report.loaders] == [None]
    assert report.loaders[0].occurrences > 50


def test_draws_with_workers_are_built_by_real_workers() -> None:
    report = ran(
        spec(
            "draw(in 1..20, seed = any); shard(ranks); batch(3); fetch(in 0..2)",
            settings="ranks in 1..3",
            size="in 1..9",
        )
    )

    assert [each.difference for each in report.loaders] == [None]
    assert report.loaders[0].with_workers > 0


def test_counterexample_is_false_on_torch_or_says_why_it_was_not_run() -> None:
    claims = [
        'refute "seed" : l.omitted == {} given l.draw == 10',
        'refute "made up" : l.omitted == {} given l.draw == 900',
        'refute "mean" : expected(l.distinct) >= 9 given l.draw == 10',
    ]
    report = ran(spec("draw(in 1..900, seed = any)", size="= 10", claims="\n".join(claims)))

    assert [(each.replayed, each.reason) for each in report.counterexamples] == [
        ("torch", ""),
        ("model", "no seed is known that draws this"),
        ("model", "no single run shows what is likely"),
    ]
