"""Two offers side by side: what the article about SC-241 says of them, and when it is one population."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from epochproof.language.parse import parse, read
from epochproof.statement.attest import attested
from epochproof.statement.comparison import Comparison, compared
from epochproof.statement.comparison_as_text import comparison_as_text
from epochproof.statement.derived import Asked
from epochproof.statement.offer import Offer, Window, of_statement
from epochproof.statement.offered import of_spec
from epochproof.statement.verify import statement_of
from tests.statement.offers import MOMENT, SPEC, laid_out
from tests.statement.offers import Offer as Provider
from tests.worlds import sharded

SC241 = Path(__file__).parents[1] / "language" / "originals" / "sc241.epoch"
NOTHING = Window()
TAILS = ("pad", "drop", "uneven")


def sc241(loader: str, window: Window = NOTHING, epochs: int = 1) -> Offer:
    return of_spec(read(SC241), loader, {"trimmed.epochs": epochs}, window)


def one_loader(stages: str, size: int = 10, settings: str = "ranks = 3", *, name: str = "train") -> Offer:
    records = f"edition 1\ndataset records {{ size = {size} }}\n"
    text = f"{records}loader {name} over records {{ {settings} {stages} }}\n"
    return of_spec(parse(text, "some.epoch"), "", {}, NOTHING)


def words(found: Comparison) -> list[str]:
    return comparison_as_text(found).splitlines()


def test_figures_of_the_article() -> None:
    found = compared(sc241("padded"), sc241("trimmed"))

    assert found.population == "different"
    assert found.apart is not None
    assert found.apart.times == {0: (2, 1), 1: (2, 1), 9: (1, 0)}
    assert found.a.population.sentence == (
        "ten fixed records, three ranks, twelve occurrences in one padded pass, ten distinct records,"
        " 0 and 1 twice"
    )
    assert found.b.population.sentence == (
        "ten fixed records, three ranks, nine occurrences in one pass, nine distinct records, omission of 9"
    )
    assert "without the time of both, nothing here ranks their speed" in words(found)


def test_rates_are_those_of_each_own_window() -> None:
    found = compared(sc241("padded", Window(None, Fraction(3))), sc241("trimmed", Window(None, Fraction(2))))

    rows = [" ".join(line.split()) for line in words(found)]
    assert "occurrences per second 4 4.5" in rows
    assert "distinct records per second 3.33333 4.5" in rows
    assert "each over its own window a pass in 3 s a pass in 2 s" in rows


def test_portion_is_counted_by_itself() -> None:
    found = sc241("padded", Window((0, 0), Fraction(1)))

    assert found.timed is not None
    assert (found.timed.occurrences, found.timed.distinct, found.timed.steps) == (12, 10, (0, 0))


def test_identities_do_not_start_anew_in_each_pass() -> None:
    run = sc241("trimmed", epochs=2).population.run

    assert run is not None
    assert (run.epochs, run.occurrences, run.distinct) == ("2", "18", "9")


@pytest.mark.parametrize("size", [0, 1, 4, 7])
@pytest.mark.parametrize(("one", "other"), [(a, b) for a, b in product(TAILS, TAILS) if a < b])
def test_records_apart_are_those_of_the_lists(size: int, one: str, other: str) -> None:
    records = [(each, False) for each in range(size)]
    lists = [
        Counter(record for lane in sharded(records, 3, "strided", tail) for record, _ in lane)
        for tail in (one, other)
    ]

    found = compared(*(one_loader(f"shard(ranks, tail = {tail})", size) for tail in (one, other)))

    assert found.population == ("same" if lists[0] == lists[1] else "different")
    assert (found.apart.times if found.apart else {}) == {
        record: (lists[0][record], lists[1][record])
        for record in range(size)
        if lists[0][record] != lists[1][record]
    }


def test_order_is_no_population() -> None:
    a = one_loader("shuffle(seed = 1) shard(ranks, tail = uneven)")
    b = one_loader("shard(ranks, tail = uneven) batch(2)", settings="ranks = 2", name="other")

    assert compared(a, b).population == "same"


def test_large_offers_are_compared_by_proof() -> None:
    a = one_loader("shard(ranks, tail = uneven)", 10**12)
    b = one_loader("shard(ranks, tail = uneven) batch(32)", 10**12, "ranks = 4096")

    found = compared(a, b)

    assert (found.population, found.how) == ("same", "proved: a pass of both reads each record equally often")


def test_other_sizes_are_other_datasets() -> None:
    found = compared(one_loader("shard(ranks)", 10), one_loader("shard(ranks)", 11))

    assert (found.population, found.dataset.word) == ("different", "different")
    assert found.how == "A is about 10 records, B about 11"


def test_that_the_dataset_is_one_is_said_to_be_taken_for_granted() -> None:
    found = compared(one_loader("shard(ranks)"), sc241("padded"))

    assert found.dataset.word == "open"
    assert "  that `records` of A and `records` of B are one dataset, in one revision" in words(found)


def of_envelope(made: Provider, loader: str = "train") -> Offer:
    statement = statement_of(json.dumps(made.statement).encode())
    return of_statement("acme.dsse.json", statement, loader, NOTHING, "its signature was not checked")


def test_statement_and_its_own_spec_offer_the_same(made: Provider) -> None:
    spec = of_spec(read(made.spec), "train", {}, NOTHING)

    found = compared(of_envelope(made), spec)

    assert found.dataset.word == "shown"
    assert found.population == "open"
    assert found.how == "the counts are equal; which records are omitted or repeated is not shown"
    assert found.a.population.one_pass is not None and spec.population.one_pass is not None
    assert found.a.population.one_pass.occurrences == spec.population.one_pass.occurrences == "8"


def test_roots_tell_that_the_same_records_are_read(made: Provider) -> None:
    found = compared(of_envelope(made), of_envelope(made))

    assert found.how == (
        "the counts are equal; the roots of the sets of records are equal,"
        " so what is read is, but not how often"
    )


def test_two_statements_that_count_otherwise_differ(made: Provider, tmp_path: Path) -> None:
    spec = laid_out(tmp_path)
    spec.write_text(SPEC.replace("tail = pad", "tail = drop"))
    statement, _ = attested(spec, Asked(MOMENT))
    other = of_statement("other.dsse.json", statement, "train", NOTHING, "")

    found = compared(of_envelope(made), other)

    assert (found.population, found.apart) == ("different", None)
    assert found.how.startswith("by the counts of occurrences")


def test_statement_names_no_record(made: Provider) -> None:
    text = comparison_as_text(compared(of_envelope(made), of_envelope(made)))

    assert "secret" not in text


def test_what_is_free_is_open(made: Provider) -> None:
    found = compared(of_envelope(made, "any"), of_envelope(made, "any"))

    assert (found.population, found.how) == (
        "open",
        "what `any` reads depends on `any.ranks`, which the spec leaves free",
    )


def part_of(folder: Path, part: str, column: str = "part") -> Offer:
    """What a loader reads of one part of a manifest: two records of four, whichever it is."""
    (folder / "clips.csv").write_text("clip_id,part,other\na,x,x\nb,x,y\nc,y,x\nd,y,y\n")
    path = folder / f"{part}-{column}.epoch"
    path.write_text(
        'edition 1\ndataset clips { manifest = "clips.csv", id = clip_id }\n'
        f'split s of clips by clip_id {{ assignment = {column}, x = "x", y = "y" }}\n'
        f"loader train over s.{part} {{ batch(2) }}\n"
        'prove "each once" : train.multiplicity == 1\n'
    )
    statement, _ = attested(path, Asked(MOMENT))
    return of_statement(str(path), statement, "train", NOTHING, "")


def test_rows_of_one_manifest_are_one_dataset_where_they_are_chosen_alike(tmp_path: Path) -> None:
    same = compared(part_of(tmp_path, "x"), part_of(tmp_path, "x"))
    other_part = compared(part_of(tmp_path, "x"), part_of(tmp_path, "y"))
    other_column = compared(part_of(tmp_path, "x"), part_of(tmp_path, "x", "other"))

    assert (same.dataset.word, same.population) == ("shown", "same")
    assert (other_part.dataset.word, other_part.population) == ("different", "different")
    assert other_column.dataset.word == "open"
