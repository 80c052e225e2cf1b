"""Everything that is promised of each stage, as laws; planted faults are put to the same laws."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from tests.stage import laws
from tests.stage.laws import ABOVE, RANKS, Law, Subject


def of_shard(stage: Shard) -> Iterator[Law]:
    subject = Subject(stage)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.dealt(subject)
    yield from laws.threshold(subject, more=1 if stage.tail == "uneven" else 0)
    total = stage.dealt(subject.here)
    if stage.tail == "pad":
        yield from laws.nothing_lost(subject)
        yield from laws.fewer_added(subject, RANKS, total)
    elif stage.tail == "drop":
        yield from laws.nothing_twice(subject)
        yield from laws.fewer_lost(subject, RANKS, total)
    else:
        yield from laws.each_once(subject)


def of_batch(stage: Batch) -> Iterator[Law]:
    subject = Subject(stage, stage.n >= 1)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.grouping(subject)
    if stage.tail == "pad":
        yield from laws.nothing_lost(subject)
        yield from laws.fewer_added(subject, stage.n, subject.length)
        yield from laws.whole(subject, stage.n)
    elif stage.tail == "drop":
        yield from laws.nothing_twice(subject)
        yield from laws.fewer_lost(subject, stage.n, subject.length)
        yield from laws.whole(subject, stage.n)
    else:
        yield from laws.each_once(subject)
        yield from laws.order_kept(subject)


def of_accumulate(stage: Accumulate, above: str) -> Iterator[Law]:
    subject = Subject(stage, stage.n >= 1, ABOVE[above])
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.order_kept(subject)
    yield from laws.grouping(subject, afresh=stage.tail != "carry")
    yield from laws.unit(subject)
    if stage.tail == "drop":
        yield from laws.nothing_twice(subject)
        yield from laws.whole_steps(subject, stage.n)
    else:
        yield from laws.each_once(subject)


def of_stop(stage: Stop, above: str) -> Iterator[Law]:
    subject = Subject(stage, stage.steps >= 0, ABOVE[above])
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.order_kept(subject)
    yield from laws.grouping(subject)
    yield from laws.nothing_twice(subject)
    yield from laws.stopped(subject, stage.steps)


def of_fetch(stage: Fetch, above: str) -> Iterator[Law]:
    subject = Subject(stage, stage.workers >= 0, ABOVE[above])
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.order_kept(subject)
    yield from laws.each_once(subject)
    yield from laws.grouping(subject)


def of_shuffle(stage: Shuffle) -> Iterator[Law]:
    subject = Subject(stage, stage.seed >= 0)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.each_once(subject)
