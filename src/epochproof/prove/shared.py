"""How much two populations share in a world with a leak, counted on the lists of their records."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict

from epochproof.claim._pair import Pair
from epochproof.model.lineage import source
from epochproof.prove.verdict import Shared
from epochproof.schedule.sources import Found, Indices, Sources


def shared(pair: Pair, world: Sources) -> Shared:
    """The values of the key on both sides, of those on either; of frames, the right records that meet one."""
    left, right = (list(world.records(each, rank)) for rank, each in enumerate((pair.left, pair.right)))
    if pair.key.kind == "frames":
        margin = world.number(pair.margin)
        met = _overlapping(left, right, source(pair.left).name, margin)
        return Shared(met, len(right), "records", pair.key.name, margin)
    one, other = ({world.key(pair.key, each) for each in side} for side in (left, right))
    return Shared(len(one & other), len(one | other), "values", pair.key.name, 0)


def _overlapping(left: list[Found], right: list[Found], name: str, margin: int) -> int:
    """How many of the right records lie less than the margin from one of the left, in the same source."""
    starts, ends = defaultdict[Indices, list[int]](list), defaultdict[Indices, list[int]](list)
    for each in left:
        if each.start < each.end:
            starts[each.indices[name]].append(each.start - margin)
            ends[each.indices[name]].append(each.end + margin)
    for own in (*starts.values(), *ends.values()):
        own.sort()
    return sum(
        # More begin before its end than end up to its start.
        bisect_left(starts[whence], each.end) > bisect_right(ends[whence], each.start)
        for each in right
        if each.start < each.end and (whence := each.indices[name]) in starts
    )
