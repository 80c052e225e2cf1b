"""Expressions of a draft, each with how much is known: exact, a default, or for the user to say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from epochproof.draft._file import File

EXACT = "exact"
_NEEDS = "needs you"
_MOST_BESIDE = 100
"""A mark stands beside its line, or above it where both are longer."""


@dataclass(frozen=True)
class Term:
    """An expression as text, or a range where it is `free`, and its mark."""

    text: str
    mark: str = EXACT
    free: bool = False

    @property
    def sign(self) -> str:
        """What stands before it: `= 8`, or `in 1..64`."""
        return f"{'in' if self.free else '='} {self.text}"

    @property
    def first(self) -> str:
        """As the first argument of a stage."""
        return f"in {self.text}" if self.free else self.text


@dataclass(frozen=True)
class Line:
    """A line of the language and its mark, or several `marks`, which stand above it.

    A claim that is `optional` is a comment: it may be false until the user has said what is needed.
    """

    text: str
    mark: str = ""
    optional: bool = False
    marks: tuple[str, ...] = ()

    @property
    def asks(self) -> tuple[str, ...]:
        """What the user has to say about it."""
        every = (self.mark, *self.marks)
        return tuple(each.partition(": ")[2] for each in every if each.startswith(_NEEDS))

    def __str__(self) -> str:
        if self.optional:
            head, _, formula = self.text.partition(" : ")
            return f"# {head}\n#     : {formula}"
        if self.marks:
            return "\n".join([*(f"# {each}" for each in self.marks), self.text])
        if not self.mark:
            return self.text
        if len(self.text) + len(self.mark) > _MOST_BESIDE:
            return f"# {self.mark}\n{self.text}"
        return f"{self.text}  # {self.mark}"


def use(preset: str, **arguments: Term) -> Line:
    """`use preset(name = value)`, with the names of its arguments by their marks."""
    given = ", ".join(f"{name} {each.sign}" for name, each in arguments.items())
    marks = dict.fromkeys(each.mark for each in arguments.values())
    named = [
        (mark, ", ".join(name for name, each in arguments.items() if each.mark == mark)) for mark in marks
    ]
    return Line(f"use {preset}({given})", marks=tuple(_named(mark, names) for mark, names in named))


def _named(mark: str, names: str) -> str:
    """A mark with what it is about."""
    if mark.startswith(_NEEDS):
        return f"{_NEEDS}: {names}: {mark.partition(': ')[2]}"
    return f"{mark}: {names}"


def needs(what: str, text: str = "1..", *, free: bool = True) -> Term:
    """A value that no file says."""
    return Term(text, f"{_NEEDS}: {what}", free)


def default(of: str) -> str:
    """The mark of what a framework does where the files say nothing."""
    return f"default ({of})"


def mark(terms: Iterable[Term]) -> str:
    """The mark of a line that is made of some terms: the weakest one."""
    marks = [each.mark for each in terms]
    weak = [each for each in marks if each.startswith(_NEEDS)] or [each for each in marks if each != EXACT]
    return weak[0] if weak else EXACT


def number(file: File, key: str, otherwise: int | None, of: str, *, least: int = 1, most: int = 1024) -> Term:
    """A whole number under a key, with what stands for it where it is null or absent.

    A value that cannot be read, or is less than `least`, is left free up to `most`.
    """
    name = f"{file.name}.{key}"
    whole = file.whole(key)
    if whole is not None and whole >= least:
        return Term(name)
    if not file.sets(key) and otherwise is not None:
        return Term(f"{name} ?? {otherwise}", default(of))
    if file.unreadable(key):
        return needs(f"`{key}` is known only to the job ({file.place(key)})", f"{least}..{most}")
    if file.sets(key):
        return needs(f"`{key}` is no number from {least} on ({file.place(key)})", f"{least}..{most}")
    return needs(f"`{key}` is not in {file.path}", f"{least}..{most}")


def truth(file: File, key: str, *, otherwise: bool, of: str) -> Term:
    """A condition under a key, with what stands for it where it is null or absent."""
    name, word = f"{file.name}.{key}", str(otherwise).lower()
    if isinstance(file.value(key), bool):
        return Term(name)
    if not file.sets(key):
        return Term(f"{name} ?? {word}", default(of))
    return Term(word, f"{_NEEDS}: `{key}` cannot be read ({file.place(key)})")


def product(*terms: Term) -> Term:
    """The product of terms that are not free; `??` binds tighter than `*`."""
    texts = [f"({each.text})" if "//" in each.text else each.text for each in terms]
    return Term(" * ".join(texts), mark(terms))


def agreed(terms: Iterable[Term]) -> Term:
    """The value that several sources give."""
    known = [each for each in terms if not each.free]
    if len(known) < 2:  # noqa: PLR2004 -- two can differ
        return known[0] if known else next(iter(terms))
    return Term(f"agree({', '.join(each.text for each in known)})", mark(known))


def asked(term: Term, what: str) -> Term:
    """The same expression, which the user has to confirm."""
    return replace(term, mark=f"{_NEEDS}: {what}")
