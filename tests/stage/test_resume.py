"""Resume says how a stopped run goes on, and changes nothing of the run that nothing stops.

What is read before and after is in `tests/schedule/test_interrupted.py`; here is also the stage that skips.
"""

from __future__ import annotations

from itertools import product

import pytest
import torch

from epochproof.stage._fields import fields_of
from epochproof.stage._portion import Portion
from epochproof.stage._skip import Skip
from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.stage.resume import Resume
from epochproof.term.fold import variables
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import built, grouped, here, places, read
from tests.stage.refusals import free, last, refused, schedule
from tests.worlds import chunks

AFTER, SEED = variable("after"), variable("resumed.seed")
RANKS, BATCH = variable("resumed.ranks"), variable("resumed.batch")
WORDS = {name: fields_of(Resume)[name].choices for name in ("position", "order", "counter")}


def resume(**words: str) -> Resume:
    return built(Resume, after=AFTER, ranks=RANKS, batch=BATCH, seed=SEED, **words)


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("position", WORDS["position"])
def test_laws_are_proved_for_all_parameters(position: str, above: str) -> None:
    assert unproved(promises.of_resume(resume(position=position), above)) == []


def test_laws_of_skipping_are_proved_for_all_parameters() -> None:
    assert unproved(promises.of_skip(Skip(count=variable("skip")))) == []


@pytest.mark.parametrize("above", ABOVE)
def test_laws_of_a_portion_are_proved_for_all_parameters(above: str) -> None:
    assert unproved(promises.of_portion(Portion(start=variable("start"), end=variable("end")), above)) == []


def test_run_that_nothing_stops_stays_as_it_is() -> None:
    for n in range(7):
        above = Batch(n=number(3)).grouped(here(n))

        assert read(resume(), here(n)) == [(record, False) for record in range(n)]
        assert places(resume(), here(n)) == {(record, 0): (0, 0, record) for record in range(n)}
        assert grouped(resume(), here(n, above=above)) == chunks(range(n), 3)


def test_skip_leaves_out_the_first_positions() -> None:
    for n, count in product(range(6), range(8)):
        skip = Skip(count=number(count))

        assert read(skip, here(n)) == [(record, False) for record in list(range(n))[count:]]
        assert places(skip, here(n)) == {
            (record, 0): (0, 0, at) for at, record in enumerate(list(range(n))[count:])
        }


def test_portion_is_a_slice_of_the_batches() -> None:
    for n, size, start, end in product(range(8), (1, 3), range(4), range(5)):
        above = Batch(n=number(size)).grouped(here(n))
        portion = Portion(start=number(start), end=number(end))
        left = [record for group in chunks(range(n), size)[start : end + 1] for record in group]

        assert read(portion, here(n, above=above)) == [(record, False) for record in left]


@pytest.mark.parametrize(("name", "word"), [(name, word) for name, words in WORDS.items() for word in words])
def test_words_are_read_as_they_are_written(name: str, word: str) -> None:
    stage = last("shard(ranks)", "batch(2)", f"resume({name} = {word})")

    assert getattr(stage, name) == word


def test_run_that_goes_on_where_it_was_is_the_default() -> None:
    stage = last("batch(2)", "resume()")

    assert isinstance(stage, Resume)
    assert (stage.position, stage.order, stage.counter) == ("consumed", "same", "rank")
    assert (stage.ranks, stage.batch) == (None, None)
    assert (stage.after, stage.seed) == (variable("l.after"), variable("l.resumed.seed"))


@pytest.mark.parametrize(
    ("argument", "named"),
    [
        ("", {"l.after", "l.resumed.seed"}),
        ("after = any", {"l.after", "l.resumed.seed"}),
        ("after in 2..5", {"l.after", "l.resumed.seed"}),
        ("after = 3", {"l.resumed.seed"}),
        ("after = 3, seed = 4", set()),
        ("after = 3, seed = any", {"l.resumed.seed"}),
        ("after = 3, seed in 0..9", {"l.resumed.seed"}),
        ("after = 3, seed = 4, ranks in 1..", {"l.resumed.ranks"}),
        ("after = 3, seed = 4, batch in 1..8", {"l.resumed.batch"}),
        ("after = 3, seed = 4, ranks = 2, batch = 1", set()),
        ("after = 3, times = 3", {"l.resumed.seed", "l.resumed.seed_2", "l.resumed.seed_3"}),
        ("times = 2", {"l.after", "l.after_2", "l.resumed.seed", "l.resumed.seed_2"}),
        ("after in 2..5, times = 2", {"l.after", "l.after_2", "l.resumed.seed", "l.resumed.seed_2"}),
        ("ranks in 1.., batch in 1..", {"l.after", "l.resumed.seed", "l.resumed.ranks", "l.resumed.batch"}),
    ],
)
def test_free_values_have_the_names_of_the_resumed_half(argument: str, named: set[str]) -> None:
    assert free("batch(2)", f"resume({argument})") == named


def test_halves_do_not_share_the_names_of_their_values() -> None:
    found = free("ranks in 1..", "shuffle(seed = any)", "batch(in 1..)", "resume(ranks in 1.., batch in 1..)")

    assert found == {
        "l.ranks",
        "l.seed",
        "l.batch",
        "l.after",
        "l.resumed.ranks",
        "l.resumed.batch",
        "l.resumed.seed",
    }


def test_later_stops_have_the_domain_of_the_first_one() -> None:
    known = schedule("batch(2)", "resume(after in 2..5, seed in 1..9, times = 3)").scope.parameters
    domains = {name: str(each.domain) for name, each in known.items()}

    assert domains == {
        "l.after": "2..5", "l.resumed.seed": "1..9",
        "l.after_2": "2..5", "l.after_3": "2..5", "l.resumed.seed_2": "1..9", "l.resumed.seed_3": "1..9",
    }  # fmt: skip
    assert [name for name, each in known.items() if each.seed] == [
        "l.resumed.seed",
        "l.resumed.seed_2",
        "l.resumed.seed_3",
    ]


def test_fixed_stop_is_the_same_each_time() -> None:
    stage, names = last("resume(after = 5, times = 3)"), schedule("resume(after = 5, times = 3)").scope.names

    assert isinstance(stage, Resume)
    assert [each.after for each in stage.each()] == [number(5)] * 3
    assert (names["l.after"], names["l.after_2"], names["l.after_3"]) == (number(5),) * 3


def test_run_is_interrupted_once_if_nothing_is_said() -> None:
    stage = last("batch(2)", "resume()")

    assert isinstance(stage, Resume)
    assert (stage.times, stage.each()) == (1, (stage,))


def test_later_stops_are_substituted_where_values_are() -> None:
    loader = schedule("batch(2)", "resume(times = 2)").loaders["l"]
    (stage,) = [each.stage for each in loader.with_values({"l.after_2": number(4)}).stages[1:]]

    assert isinstance(stage, Resume)
    assert stage.afters == (number(4),)


def test_values_of_the_resumed_half_may_follow_from_the_first() -> None:
    stage = last("ranks in 1..", "batch(in 1..)", "resume(ranks = ranks * 2, batch = l.batch + 1)")

    assert isinstance(stage, Resume)
    assert stage.ranks is not None and variables(stage.ranks) == {"l.ranks"}
    assert stage.batch is not None and variables(stage.batch) == {"l.batch"}


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("position = end", "E204", "`position` cannot be `end`"),
        ("position in 1..", "E204", "`position` cannot be left free"),
        ("position = any", "E204", "`position` cannot be `any`"),
        ("order = other", "E204", "`order` cannot be `other`"),
        ("counter = worker", "E204", "`counter` cannot be `worker`"),
        ("after = 0 - 1", "E205", "`after` must be at least 0, and is -1 here"),
        ("ranks = 0", "E205", "`ranks` must be at least 1, and is 0 here"),
        ("batch = 0", "E205", "`batch` must be at least 1, and is 0 here"),
        ("ranks = any", "E207", "unknown name `any`"),
        ("workers = 2", "E203", "`resume` has no option `workers`"),
        ("times = 0", "E205", "`times` must be at least 1, and is 0 here"),
        ("times = 9", "E204", "`times` must be at most 8, and is 9 here"),
        ("times in 1..3", "E204", "`times` cannot be left free"),
        ("times = any", "E204", "`times` cannot be left free"),
        ("times = l.batch + 7", "E204", "`times` must be at most 8, and is 9 here"),
        ("times = 2, seed = 4", "E204", "`seed` cannot be one key of several orders"),
        ("times = 2, after_2 = 4", "E203", "`resume` has no option `after_2`"),
        ("afters = 4", "E203", "`resume` has no option `afters`"),
    ],
)
def test_other_options_are_refused(argument: str, code: str, message: str) -> None:
    assert refused("batch(2)", f"resume({argument})") == (code, message)


@pytest.mark.parametrize("deals", [(), ("shard(ranks)", "shard(ranks)")])
def test_global_count_needs_one_deal_to_the_ranks(deals: tuple[str, ...]) -> None:
    wrong = "`resume` makes no sense here: a global count needs exactly one `shard(ranks)` above"

    assert refused(*deals, "batch(2)", "resume(counter = global)") == ("E209", wrong)
    assert refused(*deals, "batch(2)", "resume(counter = rank)") == ("", "")
    assert refused("shard(ranks)", "batch(2)", "resume(counter = global)") == ("", "")


def test_loader_has_one_resume() -> None:
    why = "a loader has one `resume`; interruptions in a row are `times = 2`"
    wrong = ("E209", f"`resume` makes no sense here: {why}")

    assert refused("batch(2)", "resume()", "resume(after = 1, seed = 1)") == wrong


def test_workers_of_an_iterable_loader_are_not_interrupted_together() -> None:
    code, message = refused("style = iterable", "workers = 2", "shard(workers)", "batch(2)", "resume()")

    assert code == "E209"
    assert message.endswith("the workers of an iterable loader read and batch on their own")


def test_resumed_run_rests_on_an_assumption() -> None:
    assert resume().assumes() == ("the resumed run reads the same dataset, under the same seed and epoch",)


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_real_run_that_nothing_stops_stays_as_it_is(stream: list[object]) -> None:
    assert resume().real(stream, Reality(torch, 0, 1, 0, {})) == stream
