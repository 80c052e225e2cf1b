"""Small worlds of sources, windows, copies and splits as a person would list them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

NAMES = "abcd"
Key = tuple[int, ...]


@dataclass(frozen=True)
class Listed:
    """A record: its indices from the source down, and the frames that it covers."""

    indices: Key
    frames: range


@dataclass(frozen=True)
class Cut:
    """A split: of the dataset at `whole`, or of a part of another split, by a level, `group` or `time`."""

    name: str
    whole: int
    key: int | str
    shares: tuple[Fraction, ...]
    gap: int = 0
    of: tuple[str, int] | None = None
    shared: bool = True

    def text(self) -> str:
        key = NAMES[self.key] if isinstance(self.key, int) else {"group": "speaker"}.get(self.key, self.key)
        whole = f"{self.of[0]}.p{self.of[1]}" if self.of else NAMES[self.whole]
        parts = [f"p{at} = {float(share)}" for at, share in enumerate(self.shares)]
        options = [f"gap = {self.gap}"] * (self.key == "time") + ["shared = false"] * (not self.shared)
        return f"split {self.name} of {whole} by {key} {{ {', '.join(parts + options)} }}\n"


Side = tuple[str, int]
"""A part of a split, or `("", level)` for a whole dataset."""


@dataclass(frozen=True)
class World:
    """Sources of these lengths; below them windows `(window, stride)` or so many copies; and splits."""

    lengths: tuple[int, ...]
    below: tuple[tuple[int, int] | int, ...]
    cuts: tuple[Cut, ...]

    def text(self, *claims: str, lengths: str = "") -> str:
        lengths = lengths or f"lengths = [{', '.join(map(str, self.lengths))}]"
        blocks = [f"dataset a {{ {lengths}, groups = speaker }}\n"]
        for at, how in enumerate(self.below):
            made = f"copies = {how}" if isinstance(how, int) else f"window = {how[0]} stride = {how[1]}"
            blocks.append(f"dataset {NAMES[at + 1]} from {NAMES[at]} {{ {made} }}\n")
        blocks += [cut.text() for cut in self.cuts]
        proofs = [f'prove "{at}" : {claim}\n' for at, claim in enumerate(claims)]
        return "edition 1\n" + "".join(blocks + proofs)

    def records(self, level: int) -> list[Listed]:
        found = [Listed((at,), range(length)) for at, length in enumerate(self.lengths)]
        for how in self.below[:level]:
            found = [
                Listed((*one.indices, at), frames) for one in found for at, frames in made(one.frames, how)
            ]
        return found

    def leaks(self, left: Side, right: Side, key: int | str, margin: int = 0) -> bool:
        """Whether some assignment, some groups and some ranks let a record of each share the key."""
        for groups in self.all_groups(key):
            for one, other in self.assignments(groups):
                sides = self.side(left, one, groups), self.side(right, other, groups)
                if any(self.meet(a, b, key, margin, groups) for a in sides[0] for b in sides[1]):
                    return True
        return False

    def all_groups(self, key: int | str) -> Iterator[Key]:
        used = key == "group" or any(cut.key == "group" for cut in self.cuts)
        size = len(self.lengths)
        yield from product(range(size), repeat=size) if used else [tuple(range(size))]

    def assignments(self, groups: Key) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """What two ranks have assigned."""
        for one in self.assigned({}, groups, self.cuts):
            if all(cut.shared for cut in self.cuts):
                yield one, one
            else:
                yield from (
                    (one, other) for other in self.assigned({}, groups, self.cuts) if self.same(one, other)
                )

    def same(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return all(one[cut.name] == other[cut.name] for cut in self.cuts if cut.shared)

    def assigned(self, chosen: dict[str, Any], groups: Key, cuts: Sequence[Cut]) -> Iterator[dict[str, Any]]:
        if not cuts:
            yield chosen
            return
        cut = cuts[0]
        if cut.key == "time":
            yield from self.assigned({**chosen, cut.name: None}, groups, cuts[1:])
            return
        whole = self.side(cut.of or ("", cut.whole), chosen, groups)
        values = sorted({value(one, cut.key, groups) for one in whole})
        wanted = quotas(cut.shares, len(values))
        for sides in product(range(len(cut.shares)), repeat=len(values)):
            if all(sides.count(at) == wanted[at] for at in range(len(cut.shares))):
                yield from self.assigned(
                    {**chosen, cut.name: dict(zip(values, sides, strict=True))}, groups, cuts[1:]
                )

    def side(self, side: Side, chosen: Mapping[str, Any], groups: Key) -> list[Listed]:
        name, at = side
        if not name:
            return self.records(at)
        cut = next(each for each in self.cuts if each.name == name)
        whole = self.side(cut.of or ("", cut.whole), chosen, groups)
        if cut.key == "time":
            return [one for one in whole if within(one, self.lengths[one.indices[0]], cut, at)]
        return [one for one in whole if chosen[name][value(one, cut.key, groups)] == at]

    def meet(self, a: Listed, b: Listed, key: int | str, margin: int, groups: Key) -> bool:
        if key == "frames":
            wide = set(range(a.frames.start - margin, a.frames.stop + margin)) if a.frames else set()
            return a.indices[0] == b.indices[0] and bool(wide & set(b.frames))
        return value(a, key, groups) == value(b, key, groups)


def made(frames: range, how: tuple[int, int] | int) -> list[tuple[int, range]]:
    """The windows of these frames, or so many copies of them."""
    if isinstance(how, int):
        return [(at, frames) for at in range(how)]
    window, stride = how
    starts = [start for start in frames[::stride] if start + window <= frames.stop]
    return [(at, range(start, start + window)) for at, start in enumerate(starts)]


def value(one: Listed, key: int | str, groups: Key) -> Key:
    return (groups[one.indices[0]],) if key == "group" else one.indices[: int(key) + 1]


def quotas(shares: Sequence[Fraction], values: int) -> list[int]:
    """Floor, then one more in declared order."""
    found = [floor(share * values) for share in shares]
    for at in range(values - sum(found)):
        found[at] += 1
    return found


def within(one: Listed, length: int, cut: Cut, at: int) -> bool:
    ends = [floor(sum(cut.shares[:n]) * length) for n in range(len(cut.shares) + 1)]
    start = ends[at] + (cut.gap if at else 0)
    return start <= one.frames.start and one.frames.stop <= ends[at + 1]
