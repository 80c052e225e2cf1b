"""Two offers side by side: what the article about SC-241 says of them, and when it is one population."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
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
ONE_SPEC = "both state one loader of one spec, with nothing left open"
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
    assert (found.population, found.how) == ("same", ONE_SPEC)
    assert found.a.population.one_pass is not None and spec.population.one_pass is not None
    assert found.a.population.one_pass.occurrences == spec.population.one_pass.occurrences == "8"


def stated(stages: str, settings: str, folder: Path) -> Offer:
    """What a statement says of ten records on three ranks, whose ids it hides."""
    folder.mkdir()
    (folder / "some.epoch").write_text(
        f"edition 1\ndataset records {{ size = 10 }}\n"
        f"loader train over records {{ ranks = 3 {settings} {stages} }}\n"
    )
    statement, _ = attested(folder / "some.epoch", Asked(MOMENT, commitment_key=bytes(32)))
    return of_statement(str(folder), statement, "train", NOTHING, "")


def shuffled(seed: str, layout: str = "strided", tail: str = "drop") -> str:
    return f"shuffle(seed = {seed}) shard(ranks, layout = {layout}, tail = {tail})"


@pytest.mark.parametrize(
    ("one", "other", "population", "how"),
    [
        ((shuffled("1"), ""), (shuffled("1"), ""), "same", ONE_SPEC),
        ((shuffled("1"), ""), (f"{shuffled('1')} batch(2)", ""), "same", "by the roots: each rank of both"),
        ((shuffled("1"), ""), (shuffled("2"), ""), "open", "the counts are equal; the roots of the sets"),
        (
            (shuffled("1"), "epochs = 2"),
            (shuffled("2"), "epochs = 2"),
            "open",
            "the counts are equal, and by the roots so are the records of the whole run",
        ),
        ((shuffled("1"), ""), (shuffled("1", "blocked"), ""), "same", "by the counts and the roots: a pass"),
        ((shuffled("any"), ""), (shuffled("any"), ""), "open", "the counts are equal; which records are"),
        (
            (shuffled("any", tail="uneven"), ""),
            (shuffled("1", tail="uneven"), ""),
            "same",
            "by the counts: a",
        ),
    ],
)
def test_what_hidden_records_still_tell(
    one: tuple[str, str], other: tuple[str, str], population: str, how: str, tmp_path: Path
) -> None:
    found = compared(stated(*one, tmp_path / "a"), stated(*other, tmp_path / "b"))

    assert found.population == population
    assert found.how.startswith(how)


def test_order_that_each_side_chooses_leaves_the_population_open() -> None:
    found = compared(*(one_loader(shuffled("any"), name=name) for name in ("one", "other")))
    again = compared(*(one_loader(shuffled("any")) for _ in range(2)))

    assert (found.population, again.population) == ("open", "open")
    assert found.how.startswith("the counts are equal, and the records differ where `one.seed` is 0")
    assert again.how.startswith("only where both take the same `train.seed` is it proved that")


def test_order_without_consequence_leaves_nothing_open() -> None:
    found = compared(*(one_loader(shuffled("any", tail="uneven")) for _ in range(2)))

    assert (found.population, found.how) == ("same", "proved: a pass of both reads each record equally often")


def of_manifest(path: Path, rows: str, tail: str = "drop") -> Offer:
    path.write_text(rows)
    text = (
        f'edition 1\ndataset clips {{ manifest = "{path}" id = clip }}\n'
        f"loader train over clips {{ ranks = 2 shard(ranks, tail = {tail}) }}\n"
    )
    return of_spec(parse(text, f"{path.stem}.epoch"), "", {}, NOTHING)


def test_manifests_are_compared_by_what_they_list(tmp_path: Path) -> None:
    one = of_manifest(tmp_path / "one.csv", "clip\na\nb\nc\n")
    same = of_manifest(tmp_path / "same.csv", "clip,frames\na,1\nb,2\nc,3\n")
    other = of_manifest(tmp_path / "other.csv", "clip\na\nb\nd\n")

    alike, unlike = compared(one, same), compared(one, other)

    assert (alike.dataset.word, alike.population) == ("shown", "same")
    assert alike.dataset.text == "the two manifests list the same records in one order"
    assert (unlike.dataset.word, unlike.population) == ("open", "open")
    assert unlike.how.startswith("the manifests are two files, and only by row numbers: ")


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


def test_what_is_proved_names_the_values_that_were_chosen() -> None:
    def free() -> Offer:
        text = (
            "edition 1\ndataset d { size = 10 }\nloader l over d { ranks in 1..4 shard(ranks, tail = pad) }\n"
        )
        return of_spec(parse(text, "some.epoch"), "", {"l.ranks": 3}, NOTHING)

    found = compared(free(), replace(free(), meaning=""))

    assert found.population == "same"
    assert found.how == "proved for `l.ranks` = 3: a pass of both reads each record equally often"
