"""Every planted fault is caught: by a law, by lists written by hand, or by torch."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from epochproof.stage._listed_files import ListedFiles
from epochproof.stage._mixing import Mixing
from epochproof.stage._portion import Portion
from epochproof.stage._skip import Skip
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.copy import Copy
from epochproof.stage.deal import Deal
from epochproof.stage.draw import Draw
from epochproof.stage.resume import Resume
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop
from epochproof.stage.weigh import Weigh
from tests.claim.weighed import MASKED, SHARED
from tests.laws import deal_faults, draw_faults, faults, file_faults, lane_faults, mix_faults
from tests.laws import lineage_faults as lineage
from tests.laws import schedule_faults as wrong
from tests.laws import weighing_faults as weighing
from tests.laws.fault import Fault
from tests.laws.lineages import cuts, pairs, shares, windows
from tests.laws.schedules import after_a_stop, after_stops, asked, drawn, planted, right, taken, weighed
from tests.laws.stages import (
    of_accumulate,
    of_batch,
    of_copy,
    of_deal,
    of_draw,
    of_lanes,
    of_listed_files,
    of_mix,
    of_portion,
    of_resume,
    of_shard,
    of_shuffle,
    of_skip,
    of_stop,
    of_weigh,
)

PAGE = Path(__file__).with_name("README.md")
HEAD = """# Planted faults

Each row is a stage with one fault, written in `faults.py`, or a part of a schedule, in `schedule_faults.py`.
Faults in what records weigh are written in `weighing_faults.py`.
*Law* is the first law of `tests/stage/laws.py` of which the prover shows a counterexample.
*Lists* says whether lists that a test writes by hand differ, *torch* whether the real object does.
A hint or a total has no list and no object of its own: only laws see it.
A part of a schedule has no laws: lists see it, and torch where it has such an object.
Windows, splits and pairs of records, in `lineage_faults.py`, have laws of their own, in `lineages.py`.

| fault | stage | what it does | law | lists | torch |
|---|---|---|---|---|---|
"""

PLANTED: dict[str, Callable[[], Fault]] = {
    "wrong stride": lambda: of_shard(faults.WrongStride, "uneven"),
    "rank forgotten": lambda: of_shard(faults.RankForgotten, "drop"),
    "rank from 1": lambda: of_shard(faults.RankFromOne, "drop"),
    "wrong modulus": lambda: of_shard(faults.WrongModulus, "pad"),
    "padding from the end": lambda: of_shard(faults.PadsFromTheEnd, "pad"),
    "floor in the length": lambda: of_shard(faults.FloorInTheLength, "pad"),
    "floor for ceiling": lambda: of_shard(faults.FloorForCeiling, "pad"),
    "ceiling for floor": lambda: of_shard(faults.CeilingForFloor, "drop"),
    "length off by one": lambda: of_shard(faults.LengthOffByOne, "drop"),
    "drop that keeps": lambda: of_shard(faults.DropThatKeeps, "drop"),
    "laps swapped": lambda: of_shard(faults.LapsSwapped, "pad"),
    "kept too wide": lambda: of_shard(faults.KeptTooWide, "pad"),
    "dealt too large": lambda: of_shard(faults.DealtTooLarge, "pad"),
    "threshold off by one": lambda: of_shard(faults.ThresholdOffByOne, "uneven"),
    "blocked floor": lambda: of_shard(faults.BlockedFloor, "uneven", "blocked"),
    "steps floor": lambda: of_batch(faults.StepsFloor, "keep"),
    "tail kept": lambda: of_batch(faults.TailKept, "drop"),
    "last repeated": lambda: of_batch(faults.LastRepeated, "pad"),
    "unit forgotten": lambda: of_accumulate(faults.UnitForgotten, "keep"),
    "nothing waits": lambda: of_accumulate(faults.NothingWaits, "carry"),
    "stops after records": lambda: of_stop(faults.StopsAfterRecords),
    "stops late": lambda: of_stop(faults.StopsLate),
    "epoch ignored": lambda: of_shuffle(faults.EpochIgnored),
    "ranks disagree": lambda: of_shuffle(faults.RanksDisagree),
    "worker forgotten": lambda: of_lanes(lane_faults.WorkerForgotten, "uneven"),
    "rank forgotten by workers": lambda: of_lanes(lane_faults.RankForgottenByWorkers, "uneven"),
    "wrong factor": lambda: of_lanes(lane_faults.WrongFactor, "uneven"),
    "wrong major": lambda: of_lanes(lane_faults.WrongMajor, "uneven"),
    "majors swapped": lambda: of_lanes(lane_faults.MajorsSwapped, "pad"),
    "lanes forgotten": lambda: of_lanes(lane_faults.LanesForgotten, "uneven"),
    "longer off by one": lambda: of_lanes(lane_faults.LongerOffByOne, "uneven", "worker_major"),
    "longer without bounds": lambda: of_lanes(lane_faults.LongerUnbounded, "uneven"),
    "padding hint off by one": lambda: of_lanes(lane_faults.UnpaddedOffByOne, "pad"),
    "longer runs last": lambda: of_shard(deal_faults.LongerRunsLast, "uneven", "balanced"),
    "shorter by the lanes": lambda: of_shard(deal_faults.ShorterByTheLanes, "uneven", "balanced"),
    "round forgotten": lambda: of_deal(deal_faults.RoundForgotten, "drop"),
    "rest of the rank": lambda: of_deal(deal_faults.RestOfTheRank, "uneven"),
    "last round not filled": lambda: of_deal(deal_faults.LastRoundNotFilled, "pad"),
    "blocks filled": lambda: of_deal(deal_faults.BlocksFilled, "pad"),
    "block for round": lambda: of_deal(deal_faults.BlockForRound, "uneven"),
    "share rounded down": lambda: of_deal(deal_faults.ShareRoundedDown, "spread"),
    "skips one more": lambda: of_skip(faults.SkipsOneMore),
    "skips one less": lambda: of_skip(faults.SkipsOneLess),
    "skips more than there is": lambda: of_skip(faults.SkipOfAFewTooMany),
    "portion half open": lambda: of_portion(faults.PortionHalfOpen),
    "files of one size": lambda: of_listed_files(file_faults.FilesOfOneSize),
    "starts at the end": lambda: of_listed_files(file_faults.StartsAtTheEnd),
    "turns of the first lane": lambda: of_listed_files(file_faults.TurnsOfTheFirstLane),
    "copy that deals": lambda: of_copy(faults.CopyThatDeals),
    "skips at once": lambda: of_resume(faults.SkipsAtOnce),
    "draws one more": lambda: of_draw(draw_faults.DrawsOneMore),
    "draws from nothing": lambda: of_draw(draw_faults.DrawsFromNothing),
    "draws for epoch zero": lambda: of_draw(draw_faults.DrawsForEpochZero),
    "draws of the rank alone": lambda: of_draw(draw_faults.DrawsOfTheRank),
    "shuffles once": lambda: of_draw(draw_faults.ShufflesOnce, replacement=False),
    "rest forgotten": lambda: of_draw(draw_faults.RestForgotten, replacement=False),
    "always the first": lambda: of_draw(draw_faults.AlwaysTheFirst),
    "drawn forever": lambda: of_draw(draw_faults.DrawnForever),
    "drawn once": lambda: of_draw(draw_faults.FirstLapOnly),
    "skip above the deal": lambda: planted("resume", "_where", wrong.above_the_deal, after_a_stop()),
    "skip below the deal": lambda: planted(
        "resume", "_where", wrong.below_the_deal, after_a_stop(counter="global")
    ),
    "counter in new batches": lambda: planted("resume", "_going_on", wrong.in_new_batches, after_a_stop()),
    "prefetch forgotten": lambda: planted(
        "resume", "_going_on", wrong.as_consumed, after_a_stop(position="fetched")
    ),
    "global count of one rank": lambda: planted(
        "resume", "_going_on", wrong.of_one_rank, after_a_stop(counter="global")
    ),
    "fresh order forgotten": lambda: planted(
        "resume", "_going_on", wrong.in_the_old_order, after_a_stop(order="fresh")
    ),
    "second skip in place of the first": lambda: planted(
        "resume", "_going_on", wrong.in_place_of_the_first, after_stops()
    ),
    "second stop in the first world": lambda: planted(
        "resume", "_going_on", wrong.in_the_first_world, after_stops()
    ),
    "second global stop in the first world": lambda: planted(
        "resume", "_going_on", wrong.in_the_first_world, after_stops(counter="global")
    ),
    "stopped after the end": lambda: planted("resume", "stops", wrong.within_the_whole, asked()),
    "stopped late": lambda: planted("resume", "Stop", wrong.AStepLate, after_a_stop()),
    "short batch forgotten": lambda: planted(
        "augment", "_a_pass", wrong.full_batches, drawn(persistent=True)
    ),
    "persistence forgotten": lambda: planted("augment", "_a_pass", wrong.anew, drawn(persistent=True)),
    "turns by records": lambda: planted("augment", "_who", wrong.by_records, drawn()),
    "draws of the rank": lambda: planted("augment", "_who", wrong.of_the_rank, drawn()),
    "fixed turns": lambda: planted("shard", "_in_turn", wrong.until_one_ends, taken()),
    "no turns": lambda: planted("shard", "_in_turn", wrong.one_after_the_other, taken()),
    "turns of the ended": lambda: planted("shard", "_in_turn", wrong.with_gaps, taken()),
    "window and stride swapped": lambda: windows("made", lineage.stride_for_window),
    "short window kept": lambda: windows("made", lineage.tail_kept),
    "last window forgotten": lambda: windows("made", lineage.last_forgotten),
    "windows counted up": lambda: windows("count", lineage.counted_up),
    "window uncounted": lambda: windows("count", lineage.uncounted),
    "rest of the shares lost": lambda: shares(lineage.floored),
    "shares rounded": lambda: shares(lineage.rounded),
    "rest to the last part": lambda: shares(lineage.rest_to_the_last),
    "rest from the last part on": lambda: shares(lineage.rest_from_the_end),
    "gap one less": lambda: cuts(lineage.gap_one_less),
    "gap behind": lambda: cuts(lineage.gap_before),
    "touching frames": lambda: pairs("meets", lineage.overlap_at_the_end),
    "margin forgotten": lambda: pairs("meets", lineage.margin_forgotten),
    "frames of any source": lambda: pairs("meets", lineage.other_sources),
    "sides of records": lambda: pairs("_sides", lineage.sides_of_records),
    "sides forgotten": lambda: pairs("_sides", lineage.sides_forgotten),
    "shares forgotten": lambda: pairs("quotas", lineage.shares_forgotten),
    "left out for weighed": lambda: of_weigh(faults.LeftOutForWeighed),
    "padding like anything": lambda: planted("weigh", "_masked", weighing.like_anything, weighed(MASKED)),
    "last ones for padding": lambda: planted("weigh", "_masked", weighing.the_last_ones, weighed(MASKED)),
    "repeats for padding": lambda: planted("weigh", "_masked", weighing.any_repeat, weighed(MASKED)),
    "ranks forgotten": lambda: planted("weigh", "_shares", weighing.on_one_rank, weighed(SHARED)),
    "multiplicity before the last stage": lambda: planted(
        "weigh", "_shares", weighing.before_the_last_stage, weighed(SHARED)
    ),
    "multiplicity on the rank": lambda: planted("weigh", "_shares", weighing.of_the_rank, weighed(SHARED)),
    "multiplicity in the run": lambda: planted("weigh", "_shares", weighing.of_the_run, weighed(SHARED)),
    "exhaustion checked before": lambda: of_mix(
        mix_faults.ExhaustionCheckedBefore, "round_robin", "all_exhausted"
    ),
    "ends swapped": lambda: of_mix(mix_faults.EndsSwapped, "greedy", "first_exhausted"),
    "weight off by one": lambda: of_mix(mix_faults.WeightOffByOne, "round_robin", "first_exhausted"),
    "last of a tie": lambda: of_mix(mix_faults.LastOfATie, "greedy", "forever"),
    "goes on with the second": lambda: of_mix(mix_faults.GoesOnWithTheSecond, "round_robin", "forever"),
    "one round too few": lambda: of_mix(mix_faults.OneRoundTooFew, "round_robin", "all_exhausted"),
}

RIGHT: dict[str, Callable[[], Fault]] = {
    "shard": lambda: of_shard(Shard, "pad"),
    "batch": lambda: of_batch(Batch, "drop"),
    "accumulate": lambda: of_accumulate(Accumulate, "carry"),
    "stop": lambda: of_stop(Stop),
    "shuffle": lambda: of_shuffle(Shuffle),
    "draw": lambda: of_draw(Draw),
    "draw without replacement": lambda: of_draw(Draw, replacement=False),
    "balanced shard": lambda: of_shard(Shard, "uneven", "balanced"),
    "deal": lambda: of_deal(Deal, "drop"),
    "spread deal": lambda: of_deal(Deal, "spread"),
    "shard to workers": lambda: of_lanes(Shard, "uneven"),
    "shard to workers, worker-major": lambda: of_lanes(Shard, "pad", "worker_major"),
    "skip": lambda: of_skip(Skip),
    "portion": lambda: of_portion(Portion),
    "listed files": lambda: of_listed_files(ListedFiles),
    "copy": lambda: of_copy(Copy),
    "resume": lambda: of_resume(Resume),
    "going on": lambda: right("resume", after_a_stop()),
    "going on from a global count": lambda: right("resume", after_a_stop(counter="global")),
    "going on after prefetching": lambda: right("resume", after_a_stop(position="fetched")),
    "going on in a fresh order": lambda: right("resume", after_a_stop(order="fresh")),
    "going on again": lambda: right("resume", after_stops()),
    "going on again from a global count": lambda: right("resume", after_stops(counter="global")),
    "stops within what is left": lambda: right("resume", asked()),
    "draws": lambda: right("augment", drawn()),
    "draws of persistent workers": lambda: right("augment", drawn(persistent=True)),
    "turns": lambda: right("shard", taken()),
    "windows": windows,
    "shares": shares,
    "cuts": cuts,
    "pairs": pairs,
    "weigh": lambda: of_weigh(Weigh),
    "masks": lambda: right("weigh", weighed(MASKED)),
    "weights that are shared": lambda: right("weigh", weighed(SHARED)),
    "mix": lambda: of_mix(Mixing, "round_robin", "all_exhausted"),
    "greedy mix": lambda: of_mix(Mixing, "greedy", "first_exhausted"),
    "endless mix": lambda: of_mix(Mixing, "greedy", "forever"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_stage_without_a_fault_is_not_caught(name: str) -> None:
    assert RIGHT[name]().caught() == ("", False, False)


@pytest.mark.parametrize("name", PLANTED)
def test_fault_is_caught_as_the_table_says(name: str) -> None:
    found = PLANTED[name]().row(name)

    if os.environ.get("UPDATE_PAGES"):
        order = [f"| {each} |" for each in PLANTED]
        lines = PAGE.read_text().splitlines(keepends=True) if PAGE.exists() else []
        rows = {line[: line.index("|", 1) + 1]: line for line in lines if line.startswith(tuple(order))}
        rows[f"| {name} |"] = found
        PAGE.write_text(HEAD + "".join(rows[each] for each in order if each in rows))
    assert not found.endswith("| - | - | - |\n")
    assert found in PAGE.read_text()


def test_table_has_a_row_for_each_fault_and_no_other() -> None:
    assert PAGE.read_text().startswith(HEAD)
    assert PAGE.read_text().count("\n") == HEAD.count("\n") + len(PLANTED)
