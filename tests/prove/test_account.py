"""An account has a scene of each loader, and a story of each claim that lists show to be false."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.diagnostics import SpecError
from epochproof.prove.account import Account, account
from epochproof.prove.session import load

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(name: str, **values: int) -> Account:
    return account(load(EXAMPLES / f"{name}.epoch"), values)


def test_free_values_are_chosen_small_unless_given() -> None:
    (train, _) = told("any-size", **{"images.size": 13, "train.ranks": 4}).scenes

    assert train.values == {
        "train.seed": 0,
        "images.size": 13,
        "train.ranks": 4,
        "train.workers": 2,
        "train.batch": 3,
    }
    assert train.chosen
    assert train.picture is not None and train.picture.size == 13
    assert train.population is not None and train.population.occurrences == train.picture.occurrences


def test_values_that_are_outside_of_a_domain_are_not_chosen() -> None:
    padded, trimmed = told("tiny").scenes

    assert padded.values == trimmed.values == {"few.size": 4}


def test_fixed_values_are_not_chosen() -> None:
    assert [scene.chosen for scene in told("sc241").scenes] == [False, False, False]


def test_scenes_count_what_they_draw() -> None:
    for name in ("sc241", "tiny", "stream", "evaluation", "any-size"):
        for scene in told(name).scenes:
            assert scene.picture is not None and scene.population is not None
            assert scene.picture.occurrences == scene.population.occurrences
            assert len(scene.picture.omitted) == scene.population.omitted.count
            assert len(scene.picture.repeated) == scene.population.repeated.count


def test_only_claims_that_are_false_have_stories() -> None:
    found = told("sc241")

    assert [[story.loader.name for story in each] for each in found.stories] == [[]] * 8 + [["padded"]]


def test_story_is_told_in_the_world_of_the_counterexample() -> None:
    found = told("any-size")
    at = next(k for k, each in enumerate(found.checked.claims) if "epoch of the training" in each.text)

    (story,) = found.stories[at]

    assert [(each.name, each.dropped) for each in story.chapters] == [
        ("", ()),
        ("shuffle", ()),
        ("shard", ()),
        ("batch", (0,)),
        ("fetch", ()),
    ]


def test_a_claim_about_two_runs_has_a_story_of_each() -> None:
    found = told("same-order-different-numbers")

    assert [[story.second for story in each] for each in found.stories] == [[], [False, True], [], [False]]


def test_records_that_meet_are_no_story() -> None:
    assert not any(told("clips").stories)


def test_a_draw_that_is_made_up_is_no_story() -> None:
    spec = """edition 1
dataset records { size = 2 }
loader train over records { draw(8, seed = any) }
refute "no epoch leaves one out" : train.omitted == {}
refute "nor reads one alone" : train.multiplicity <= 7
"""

    found = account(load(spec), {})

    for claim, stories in zip(found.checked.claims, found.stories, strict=True):
        counterexample = claim.verdict.counterexample
        assert counterexample is not None
        assert bool(stories) is not counterexample.made_up


def test_statements_are_whole_claims() -> None:
    found = told("sc241")
    span = found.statements[8]

    written = found.checked.source.text[span.start : span.end]

    assert written.startswith('refute "a padded pass') and written.endswith("== 1")


def test_wrong_values_are_refused() -> None:
    with pytest.raises(SpecError, match=r"there is no parameter `train\.rank`"):
        told("any-size", **{"train.rank": 4})
