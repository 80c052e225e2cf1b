"""Everything that is promised of each stage, as laws; planted faults are put to the same laws."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.stage._anyhow import Anyhow
from epochproof.stage._files import Files
from epochproof.stage._listed_files import ListedFiles
from epochproof.stage._portion import Portion
from epochproof.stage._skip import Skip
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.augment import Augment
from epochproof.stage.batch import Batch
from epochproof.stage.copy import Copy
from epochproof.stage.deal import Deal
from epochproof.stage.draw import Draw
from epochproof.stage.fetch import Fetch
from epochproof.stage.resume import Resume
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.stage.weigh import Weigh
from epochproof.term.node import TRUE, Bool, both, equal, variable
from tests.stage import laws
from tests.stage.laws import ABOVE, Law, Subject


def of_shard(stage: Shard) -> Iterator[Law]:
    subject = Subject(stage)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.dealt(subject)
    yield from laws.threshold(subject, more=1 if stage.tail == "uneven" else 0)
    total, lanes = stage.dealt(subject.here), stage.lanes_dealt_to(subject.here)
    if stage.tail == "pad":
        yield from laws.unpadded(subject)
        yield from laws.nothing_lost(subject)
        yield from laws.fewer_added(subject, lanes, total)
    elif stage.tail == "drop":
        yield from laws.nothing_twice(subject)
        yield from laws.fewer_lost(subject, lanes, total)
    else:
        yield from laws.each_once(subject)


def of_deal(stage: Deal, given: Bool = TRUE) -> Iterator[Law]:
    subject = Subject(stage, both(stage.block >= 1, given))
    total, round_ = stage.dealt(subject.here), laws.RANKS * stage.block
    yield from laws.nine(subject)
    yield from laws.dealt(subject)
    if stage.pads():
        yield from laws.unpadded(subject)
        yield from laws.nothing_lost(subject)
        yield from laws.fewer_added(subject, laws.RANKS if stage.tail == "spread" else round_, total)
    elif stage.tail == "drop":
        yield from laws.nothing_twice(subject)
        yield from laws.fewer_lost(subject, round_, total)
    else:
        yield from laws.each_once(subject)
    if stage.tail in ("pad", "drop"):
        yield from laws.whole(subject, stage.block)
    if stage.tail != "spread":
        yield from laws.kept(subject, unit=stage.block)


def of_anyhow(stage: Anyhow) -> Iterator[Law]:
    subject = Subject(stage, stage.dealing >= 0)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.dealt(subject)
    yield from laws.each_once(subject)


def of_files(stage: Files) -> Iterator[Law]:
    """The stream is whole files."""
    files = variable("files")
    subject = Subject(stage, both(stage.rows >= 1, files >= 0, equal(laws.N, stage.rows * files)))
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.dealt(subject)
    if stage.pads():
        yield from laws.unpadded(subject)
        yield from laws.nothing_lost(subject)
    else:
        yield from laws.nothing_twice(subject)


def of_listed_files(stage: ListedFiles) -> Iterator[Law]:
    """The stream is the files of the list."""
    subject = Subject(stage, equal(laws.N, sum(stage.rows)))
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.dealt(subject)
    if stage.pads():
        yield from laws.unpadded(subject)
        yield from laws.nothing_lost(subject)
    else:
        yield from laws.nothing_twice(subject)


def of_batch(stage: Batch) -> Iterator[Law]:
    subject = Subject(stage, stage.n >= 1)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.grouping(subject)
    if stage.tail == "pad":
        yield from laws.unpadded(subject)
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
    yield from _unchanged(Subject(stage, stage.workers >= 0, ABOVE[above]))


def of_copy(stage: Copy, above: str) -> Iterator[Law]:
    yield from _unchanged(Subject(stage, steps=ABOVE[above]))


def of_augment(stage: Augment, above: str) -> Iterator[Law]:
    yield from _unchanged(Subject(stage, steps=ABOVE[above]))


def of_weigh(stage: Weigh, above: str) -> Iterator[Law]:
    yield from _unchanged(Subject(stage, steps=ABOVE[above]))


def of_resume(stage: Resume, above: str) -> Iterator[Law]:
    yield from _unchanged(Subject(stage, stage.after >= 0, ABOVE[above]))


def of_skip(stage: Skip) -> Iterator[Law]:
    subject = Subject(stage, stage.count >= 0)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.nothing_twice(subject)
    yield from laws.skipped(subject, stage.count)


def of_portion(stage: Portion, above: str) -> Iterator[Law]:
    subject = Subject(stage, both(stage.start >= 0, stage.end >= stage.start), ABOVE[above])
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.nothing_twice(subject)
    yield from laws.portioned(subject, stage.start, stage.end)


def _unchanged(subject: Subject) -> Iterator[Law]:
    """Every position stays where it is."""
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.order_kept(subject)
    yield from laws.each_once(subject)
    yield from laws.grouping(subject)


def of_draw(stage: Draw) -> Iterator[Law]:
    """With replacement a position has up to n places; else as many as n holds the length, or one more."""
    subject = Subject(
        stage, both(stage.seed >= 0, stage.weights >= 0, *([] if stage.n is None else [stage.n >= 0]))
    )
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.drawn(subject, stage)


def of_shuffle(stage: Shuffle) -> Iterator[Law]:
    subject = Subject(stage, stage.seed >= 0)
    yield from laws.nine(subject)
    yield from laws.kept(subject)
    yield from laws.each_once(subject)
