"""Random specs: whole ones from a grammar of templates, and the examples with small changes."""

from __future__ import annotations

import random
import re
from pathlib import Path

EXAMPLES = [
    path.read_text()
    for path in sorted((Path(__file__).parents[1] / "language" / "originals").glob("*.epoch"))
]
TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|\s+|\.\.|[<>=!]=|//|.')
FREE = re.compile(r"\w+(?=\(in | in )")
SIGNS = "( ) { } , : = == < .. // * - + % in = 0 1 2 3 64 10 given run rank"
SPARE = [*SIGNS.split(" "), "\n"]
LETTERS = "\0\u202e\ufeffé日\r\t\"'#{}().,=<>01ab \n"

SIZES = ("= 0", "= 1", "= 7", "= 10", "= 1000", "in 1..", "in 0..", "in 0..5", "in 1..40", "in {0, 3, 8}")
RANKS = ("= 1", "= 2", "= 3", "= 8", "= 5000", "in 1..", "in 1..4", "in 1..4096", "in {1, 2, 4}")
EPOCHS = ("", "", "epochs = 2", "epochs in 1..", "epochs in 2..3", "epochs = 100")
NUMBERS = ("1", "2", "3", "5", "32", "1000")
TAILS = ("keep", "drop", "pad")


def _shuffle(pick: random.Random) -> str:
    seed = pick.choice(("", "seed = 3", "seed = any", "seed in 0..4"))
    reseed = pick.choice(("", "reseed = never", "reseed = epoch"))
    shared = pick.choice(("", "", "", "shared = false"))
    return f"shuffle({', '.join(filter(None, (seed, reseed, shared)))})"


def _shard(pick: random.Random) -> str:
    layout = pick.choice(("strided", "strided", "blocked"))
    return f"shard(ranks, layout = {layout}, tail = {pick.choice(('pad', 'drop', 'uneven'))})"


def _batch(pick: random.Random) -> str:
    size = pick.choice((*NUMBERS, "in 1..", "in 1..", "in 1..16"))
    return f"batch({size}, tail = {pick.choice(TAILS)})"


def _last(pick: random.Random) -> str:
    return pick.choice((
        "fetch(workers)",
        f"accumulate({pick.choice(NUMBERS)}, tail = {pick.choice(('keep', 'drop', 'carry'))})",
        f"stop(steps = {pick.choice((*NUMBERS, 'in 0..'))})",
        f"weigh({pick.choice(('padding = 0', 'padding = 0.5', 'by = inverse_multiplicity'))})",
        "",
        "",
    ))  # fmt: skip


def stages(pick: random.Random) -> list[str]:
    """Some stages: mostly in a sensible order, now and then in any."""
    usual = [_shuffle(pick), _shard(pick), _batch(pick), _last(pick)]
    found = [stage for stage in usual if stage and pick.random() < 0.85]
    while pick.random() < 0.2:
        more = pick.choice((_shuffle, _shard, _batch, _last))(pick)
        found.insert(pick.randint(0, len(found)), more)
    return [stage for stage in found if stage]


def loader(pick: random.Random, name: str, over: str) -> str:
    settings = (f"ranks {pick.choice(RANKS)}", "workers in 0..4", pick.choice(EPOCHS))
    return f"loader {name} over {over} {{\n" + "\n".join([*settings, *stages(pick)]) + "\n}\n"


def number(pick: random.Random, depth: int = 1) -> str:
    """A number of the loaders `l` and `m`."""
    if depth and pick.random() < 0.3:
        a, b = number(pick, depth - 1), number(pick, depth - 1)
        return pick.choice((f"({a} + {b})", f"({a} - {b})", f"{a} * 2", f"max({a}, {b})", f"({a}) % 7"))
    of = pick.choice("llm")
    window = pick.choice(("", "", "", "(run)", "(rank)", "(run, rank)"))
    return pick.choice((
        f"{of}.occurrences{window}",
        f"{of}.distinct{window}",
        f"{of}.padding{window}",
        f"{of}.multiplicity{window}",
        f"{of}.weight{window}",
        f"{of}.steps",
        f"count({of}.{pick.choice(('omitted', 'covered', 'repeated'))}{window})",
        f"{of}.ranks",
        "d.size",
        "l.ranks * m.ranks",
        pick.choice(("0", "1", "1.5", "2", "100", "l.ranks * 3", "d.size // l.ranks", "d.size * l.ranks")),
    ))  # fmt: skip


def records(pick: random.Random) -> str:
    """A set of the loaders `l` and `m`."""
    window = pick.choice(("", "", "(run)", "(rank)"))
    kind = pick.choice(("omitted", "covered", "repeated"))
    return pick.choice((f"{pick.choice('lm')}.{kind}{window}", "{}", "{0}", "{0, 1}", "{d.size - 1}"))


def formula(pick: random.Random, free: tuple[str, ...], depth: int = 2) -> str:
    """A formula about the loaders `l` and `m`, of which `l` has these free parameters."""
    if depth and pick.random() < 0.25:
        a, b = formula(pick, free, depth - 1), formula(pick, free, depth - 1)
        return pick.choice((f"({a}) and ({b})", f"({a}) or ({b})", f"not ({a})"))
    sequence = pick.choice(("order", "global_batches", "covered", "omitted", "occurrences"))
    return pick.choice((
        f"{number(pick)} {pick.choice(('==', '!=', '<', '<=', '>', '>='))} {number(pick)}",
        f"{number(pick)} {pick.choice(('==', '<=', '>='))} {number(pick)}",
        f"{records(pick)} {pick.choice(('==', '!=', '<=', '>='))} {records(pick)}",
        f"l.{pick.choice(('omitted', 'occurrences', 'order', 'steps'))} unaffected by {pick.choice(free)}",
        f"l.{pick.choice(('steps', 'covered(rank)', 'occurrences(rank)'))} equal across ranks",
        f"l.{sequence} equal m.{sequence}",
    ))  # fmt: skip


def spec(seed: int) -> str:
    """A whole spec; most are well-formed."""
    pick = random.Random(seed)  # noqa: S311 -- repeats by its seed
    size, one = pick.choice(SIZES), loader(pick, "l", "d")
    free = ["workers", *(["d.size"] if "in" in size else []), *FREE.findall(one)]
    text = f"edition 1\ndataset d {{ size {size} }}\n{one}" + loader(pick, "m", "d")

    def any_formula(depth: int) -> str:
        found = formula(pick, tuple(free), depth)
        return (
            found.replace("l.ranks *", pick.choice(("l.ranks *", "l.batch *"))) if "batch" in free else found
        )

    if pick.random() < 0.15:
        text += f'assume "a" : {any_formula(1)}\n'
    for at in range(pick.randint(1, 3)):
        given = f" given {any_formula(1)}" if pick.random() < 0.25 else ""
        text += f'{pick.choice(("prove", "refute"))} "{at}" : {any_formula(2)}{given}\n'
    return text


def changed(seed: int) -> bytes:
    """An example or a random spec with a few changes to its tokens, its letters or its bytes."""
    pick = random.Random(seed)  # noqa: S311 -- repeats by its seed
    text = pick.choice((*EXAMPLES, spec(seed)))
    for _ in range(pick.randint(1, 3)):
        parts: list[str] = TOKEN.findall(text) if pick.random() < 0.85 else list(text)
        at = pick.randrange(len(parts) + 1)
        to = min(len(parts), at + pick.choice((0, 1, 1, 2)))
        new = pick.choice(
            ([], [pick.choice(SPARE)], [pick.choice(SPARE)], parts[at:to] * 2, [pick.choice(LETTERS)])
        )
        text = "".join([*parts[:at], *new, *parts[to:]])
    content = bytearray(text.encode())
    if pick.random() < 0.1 and content:
        content[pick.randrange(len(content))] = pick.randrange(256)
    return bytes(content)
