"""Texts become trees, or diagnostics that say what was expected and where."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from epochproof.diagnostics import Diagnostic, SpecError
from epochproof.language import tree
from epochproof.language.parse import parse, read

ORIGINALS = sorted((Path(__file__).parent / "originals").glob("*.epoch"))


def formula(text: str) -> tree.Expression:
    """The formula of a claim."""
    (claim,) = parse(f'edition 1\nprove "t" : {text}').statements
    assert isinstance(claim, tree.Claim)
    return claim.formula


def value(text: str) -> tree.Expression:
    """The value of a dataset's only setting."""
    (dataset,) = parse(f"edition 1\ndataset d {{ size = {text} }}").statements
    assert isinstance(dataset, tree.Dataset)
    return dataset.settings[0].value


def refused(text: str) -> tuple[Diagnostic, str]:
    """The only diagnostic of a text, and the words it points at."""
    with pytest.raises(SpecError) as caught:
        parse(text)
    (found,) = caught.value.diagnostics
    assert caught.value.source is not None
    assert found.span is not None
    return found, caught.value.source.text[found.span.start : found.span.end]


def shape(node: tree.Expression) -> str:  # noqa: C901, PLR0911 -- one arm a node
    """An expression with every pair of brackets written out."""
    match node:
        case tree.Binary(operator, left, right):
            return f"({shape(left)} {operator} {shape(right)})"
        case tree.Negate(operator, operand):
            return f"({operator} {shape(operand)})"
        case tree.Fallback(value, otherwise):
            return f"({shape(value)} ?? {shape(otherwise)})"
        case tree.Conditional(condition, then, otherwise):
            return f"(if {shape(condition)} then {shape(then)} else {shape(otherwise)})"
        case tree.Equal(left, right):
            return f"({shape(left)} equal {shape(right)})"
        case tree.Across(operand, axis):
            return f"({shape(operand)} across {axis})"
        case tree.Distinct(operand, axis):
            return f"({shape(operand)} distinct {axis})"
        case tree.Unaffected(operand, by):
            return f"({shape(operand)} by {' '.join(map(str, by))})"
        case tree.Number(number):
            return str(number)
        case tree.Name():
            return str(node)
    raise AssertionError(node)


@pytest.mark.parametrize("path", ORIGINALS, ids=lambda path: path.stem)
def test_example_parses(path: Path) -> None:
    spec = read(path)

    assert spec.edition == 1
    assert spec.source.text == path.read_text()


def test_statements_keep_their_order_and_their_words() -> None:
    spec = read(next(path for path in ORIGINALS if path.stem == "sc241"))
    first, padded, *_ = spec.statements

    assert isinstance(first, tree.Dataset) and first.name == "records"
    assert isinstance(padded, tree.Loader) and str(padded.over) == "records"
    assert [entry.name for entry in padded.entries] == ["ranks", "shard", "batch"]
    claims = [each for each in spec.statements if isinstance(each, tree.Claim)]
    assert [claim.kind for claim in claims] == ["prove"] * 8 + ["refute"]
    assert claims[0].text == "a padded pass processes twelve occurrences"


def test_spans_cover_what_is_written() -> None:
    spec = parse(
        'edition 1\nloader l over d { ranks in 1..4 shard(ranks, tail = pad) }\nassume "t" : (a) < b'
    )
    text = spec.source.text
    loader, assumption = spec.statements
    assert isinstance(loader, tree.Loader) and isinstance(assumption, tree.Assumption)
    setting, stage = loader.entries
    assert isinstance(stage, tree.Stage)

    assert text[setting.span.start : setting.span.end] == "ranks in 1..4"
    assert text[stage.span.start : stage.span.end] == "shard(ranks, tail = pad)"
    assert text[stage.arguments[1].span.start : stage.arguments[1].span.end] == "tail = pad"
    assert text[loader.name_span.start : loader.name_span.end] == "l"
    assert text[assumption.formula.span.start : assumption.formula.span.end] == "(a) < b"
    assert text[assumption.text_span.start : assumption.text_span.end] == '"t"'


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1_000", 1000),
        ("0.8", Fraction(4, 5)),
        ("1_0.2_5", Fraction(41, 4)),
        ("9" * 400, 10**400 - 1),
    ],
)
def test_numbers_are_exact(text: str, number: int | Fraction) -> None:
    read_number = value(text)

    assert isinstance(read_number, tree.Number)
    assert read_number.value == number


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a // b % c * d", "(((a // b) % c) * d)"),
        ("-a + b", "((- a) + b)"),
        ("- - a", "(- (- a))"),
        ("a - -1", "(a - (- 1))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("-a ?? -b * c", "((- (a ?? (- b))) * c)"),
        ("a ?? b ?? c + d", "((a ?? (b ?? c)) + d)"),
        ("a or b and c", "(a or (b and c))"),
        ("not a and b", "((not a) and b)"),
        ("not a == b", "(not (a == b))"),
        ("a < b + 1 and c >= d", "((a < (b + 1)) and (c >= d))"),
        ("ceil(a * b / c)", "((a * b) ceil c)"),
        ("ceil((a + b) / -c) + 1", "(((a + b) ceil (- c)) + 1)"),
        ("if a then b else c or d", "(if a then b else (c or d))"),
        ("if a then b else if c then d else e", "(if a then b else (if c then d else e))"),
        ("a.x equal b.x and c", "((a.x equal b.x) and c)"),
        ("a.x + 1 equal across ranks", "((a.x + 1) across ranks)"),
        ("a.x distinct across workers and b", "((a.x distinct workers) and b)"),
        ("distinct distinct across workers", "(distinct distinct workers)"),
        ("a unaffected by b, c or d", "((a by b c) or d)"),
    ],
)
def test_operators_bind_as_the_page_says(text: str, grouped: str) -> None:
    assert shape(formula(text)) == grouped


def test_call_takes_values_domains_and_options() -> None:
    call = formula("f(a, in 1..4, n in {1, 2}, tail = pad, by = x)")

    assert isinstance(call, tree.Call)
    assert [(each.name, each.free) for each in call.arguments] == [
        (None, False),
        (None, True),
        ("n", True),
        ("tail", False),
        ("by", False),
    ]


def test_quantity_may_have_the_name_of_a_keyword() -> None:
    assert shape(formula("train.over == d.in")) == "(train.over == d.in)"


def test_set_may_be_empty() -> None:
    assert value("{}") == tree.Set((), value("{}").span)


@pytest.mark.parametrize("end", ["\n", ",", " }", "  # 7\n", "\t\r\n"])
def test_range_without_an_end_on_its_line_is_open(end: str) -> None:
    closer = "" if "}" in end else " }"
    (dataset,) = parse(f"edition 1\ndataset d {{ size in 2..{end}{closer}").statements
    assert isinstance(dataset, tree.Dataset)
    domain = dataset.settings[0].value

    assert isinstance(domain, tree.Range) and domain.high is None


def test_open_range_does_not_take_the_stage_below() -> None:
    (loader,) = parse("edition 1\nloader l over d {\n epochs in 2..\n shuffle(seed = any)\n}").statements
    assert isinstance(loader, tree.Loader)

    assert [type(entry) for entry in loader.entries] == [tree.Setting, tree.Stage]


def test_range_takes_the_end_on_its_line() -> None:
    domain = value("1 .. 2 * 3")

    assert isinstance(domain, tree.Range) and domain.high is not None
    assert shape(domain.high) == "(2 * 3)"


def test_commas_between_settings_are_optional() -> None:
    with_commas, without = (
        parse(f"edition 1\ndataset d {{ a = 1{comma} b = 2{comma} }}").statements[0] for comma in (",", " ")
    )
    assert isinstance(with_commas, tree.Dataset) and isinstance(without, tree.Dataset)

    assert [(each.name, each.value) for each in with_commas.settings] == [
        (each.name, each.value) for each in without.settings
    ]


@pytest.mark.parametrize("text", ["edition 1", "\ufeffedition 1\r\n# c\r\n", "# c\nedition 1"])
def test_edition_alone_is_a_spec(text: str) -> None:
    assert parse(text).statements == ()


@pytest.mark.parametrize(
    ("text", "code", "words", "expected"),
    [
        ("dataset d { size 10 }", "E101", "10", "expected `=` or `in`, found `10`"),
        ("dataset d { size = }", "E101", "}", "expected a value, found `}`"),
        ("dataset d { = }", "E101", "=", "expected a setting or `}`, found `=`"),
        ("dataset d { a.b = 1 }", "E101", "a.b", "expected a setting or `}`, found `a.b`"),
        ("dataset d of e { }", "E101", "of", "expected `{` or `from`, found `of`"),
        ("loader l over d { = }", "E101", "=", "expected a stage, a setting or `}`, found `=`"),
        (
            "loader l over d { torch.X(a) }",
            "E101",
            "torch.X",
            "expected a stage, a setting or `}`, found `torch.X`",
        ),
        ("loader l over d { batch(4 5) }", "E101", "5", "expected an operator, `)` or `,`, found `5`"),
        ("loader l over d { batch(,) }", "E101", ",", "expected an argument or `)`, found `,`"),
        ("loader l d { }", "E101", "d", "expected `over`, found `d`"),
        ("prove x : a", "E101", "x", "expected a text in double quotes, found `x`"),
        ('prove "t" a', "E101", "a", "expected `:`, found `a`"),
        ('prove "t" : a b', "E101", "b", "expected an operator, a statement or `given`, found `b`"),
        ('prove "t" : a distinct ranks', "E101", "ranks", "expected `across`, found `ranks`"),
        ('prove "t" : if a then b', "E101", "", "expected an operator or `else`, found the end of the file"),
        ('prove "t" :', "E101", "", "expected a value, found the end of the file"),
        (
            "edition 1",
            "E101",
            "edition",
            "expected `bind`, `preset`, `dataset`, `split`, `mix`, `loader`, `prove`, `refute` or `assume`",
        ),
        (
            "take s of d by k { }",
            "E112",
            "take",
            "expected `bind`, `preset`, `dataset`, `split`, `mix`, `loader`, `prove`, `refute` or `assume`",
        ),
        (
            'prove "t" : a\ntake m { }',
            "E112",
            "take",
            "expected `bind`, `preset`, `dataset`, `split`, `mix`, `loader`, `prove`, `refute` or `assume`",
        ),
        ('prove "t', "E103", '"t', "a text is not closed on its line"),
        ("bind t { }", "E101", "{", "expected `=`, found `{`"),
        ('bind t = "a.yaml"', "E101", '"a.yaml"', 'expected a name, found `"a.yaml"`'),
        ("bind t = config(4)", "E101", "4", "expected a text in double quotes, found `4`"),
        ("bind t.a = config(4)", "E101", "t.a", "expected a name, found `t.a`"),
        ("bind loader = config(4)", "E111", "loader", "`loader` is a keyword and names nothing else"),
        ("dataset d { size = t.a ?? }", "E101", "}", "expected a value, found `}`"),
        ('bind t = config("a.yaml"\ndataset d { }', "E102", "dataset", "`(` is not closed before `dataset`"),
        ("split s of d { }", "E101", "{", "expected `by`, found `{`"),
        ("split s of d by k { a }", "E101", "}", "expected `=` or `in`, found `}`"),
        ('prove "t" : a disjoint b', "E101", "b", "expected `from`, found `b`"),
        (
            'prove "t" : a disjoint from b',
            "E101",
            "",
            "expected an operator or `by`, found the end of the file",
        ),
        ('prove "t" : a <= b per', "E101", "", "expected a name, found the end of the file"),
        ("dataset d { rows = [3, 5 }", "E102", "}", "`[` is not closed before `}`"),
        ("prove 't' : a", "E104", "'", "unknown character `'`"),
        ('prove "t" : a; ', "E104", ";", "unknown character `;`"),
        ("dataset größe { }", "E104", "ö", "unknown character `ö`"),
        ("dataset d { size = 1e6 }", "E107", "1e6", "`1e6` is not a number"),
        ("dataset d { size = 1__0 }", "E107", "1__0", "`1__0` is not a number"),
        ("dataset d { size = 1.2.3 }", "E107", "1.2.3", "`1.2.3` is not a number"),
        ("dataset d { size = .5 }", "E107", ".5", "`.5` is not a number"),
        ('prove "t" : a < b < c', "E109", "<", "`<` compares what is compared already"),
        ('prove "t" : a equal b equal c', "E109", "equal", "`equal` compares what is compared already"),
        ('prove "t" : a / b == c', "E110", "/", "`/` stands outside `ceil`"),
        ("dataset loader { }", "E111", "loader", "`loader` is a keyword and names nothing else"),
        ("dataset d { over = 3 }", "E111", "over", "`over` is a keyword and names nothing else"),
        ("}", "E122", "}", "`}` closes nothing"),
        ("dataset d { size = 1\x000 }", "E118", "\x00", "hidden character U+0000"),
        (
            "dataset d { size = 1\u202e0 }",
            "E118",
            "\u202e",
            "hidden character U+202E (right-to-left override)",
        ),
    ],
)
def test_fault_is_named_in_the_words_of_the_user(text: str, code: str, words: str, expected: str) -> None:
    found, pointed = refused(f"edition 1\n{text}")

    assert (found.code, pointed) == (code, words)
    assert found.message.startswith(expected)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ('edition 1\nproove "t" : a', "did you mean `prove`?"),
        ("edition 1\nloader l ovr d { }", "did you mean `over`?"),
        ("editon 1", "did you mean `edition`?"),
        ("edition 2", "this version knows edition 1"),
        ("dataset d { }", "begin with `edition 1`"),
        ("", "begin with `edition 1`"),
        ('edition 1\nprove "t" : a = b', "`==` compares two values"),
        ('edition 1\nprove "t" : a / b', "write ceil(a / b) or //"),
        ('edition 1\nprove "t" : ceil(a + b / c)', "a sum stands in brackets: ceil((a + b) / c)"),
        ('edition 1\nprove "t" : ceil(a)', "`ceil` takes a quotient: ceil(a / b)"),
        ('edition 1\nprove "t" : a == not b', "put it in brackets: (not ...)"),
        (
            "edition 1\ndataset d { size in 1.. id = x }",
            "a range without an upper end ends its line, or a comma",
        ),
        ("edition 1\nprove 't' : a", "a text stands in double quotes"),
    ],
)
def test_cure_is_offered(text: str, cure: str) -> None:
    assert refused(text)[0].help.startswith(cure)


@pytest.mark.parametrize(
    ("text", "opener", "before"),
    [
        ("dataset d { size = 1\nloader l over d { }", "{", "loader"),
        ("loader l over d {\n  shuffle(seed = any\n  batch(4)\n}", "(", "}"),
        ('loader l over d { batch(4)\nprove "t" : a', "{", "prove"),
        ("dataset d { size = (1 }", "(", "}"),
    ],
)
def test_unclosed_bracket_is_shown_with_where_it_should_close(text: str, opener: str, before: str) -> None:
    found, pointed = refused(f"edition 1\n{text}")
    (second,) = found.secondary

    assert (found.code, pointed) == ("E102", before)
    assert f"edition 1\n{text}"[second.span.start : second.span.end] == opener


def test_bracket_that_no_line_closes_is_shown_itself() -> None:
    found, pointed = refused("edition 1\ndataset d { size = 1\n")

    assert (found.code, pointed, found.message) == ("E102", "{", "`{` is never closed")


def test_repeats_are_all_reported_in_order() -> None:
    text = "edition 1\ndataset d { a = 1 a = 2 }\nloader d over d { batch(4, tail = x, tail = y) }"
    with pytest.raises(SpecError) as caught:
        parse(text)

    assert [(each.code, each.message) for each in caught.value.diagnostics] == [
        ("E117", "setting `a` is given twice"),
        ("E116", "`d` is defined twice"),
        ("E117", "option `tail` is given twice"),
    ]
    assert all(each.secondary[0].text == "first here" for each in caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('prove "t" : ' + "(" * 10_000 + "1" + ")" * 10_000, "E113"),
        ('prove "t" : ' + "(" * 101 + "1" + ")" * 101, "E113"),
        ('prove "t" : ' + "{" * 10_000, "E113"),
        ('prove "t" : 1' + " + 1" * 10_000, "E114"),
        ('prove "t" : ' + "not " * 10_000 + "a", "E114"),
        ('prove "t" : ' + "-" * 10_000 + "a", "E114"),
        ('prove "t" : ' + "if a then b else " * 10_000 + "c", "E114"),
        ('prove "t" : ' + "f(1 + " * 90 + "1 + 1 + 1" + ")" * 90 + " + 1" * 120, "E114"),
        ("dataset d { size = " + "9" * 5_000 + " }", "E108"),
        ("loader l over d { " + "batch(1)\n" * 201 + "}", "E115"),
    ],
)
def test_limits_are_named_and_never_crash(text: str, code: str) -> None:
    assert refused(f"edition 1\n{text}")[0].code == code


@pytest.mark.parametrize(
    "text",
    [
        'prove "t" : ' + "(" * 100 + "1" + ")" * 100,
        'prove "t" : 1' + " + 1" * 200,
        'prove "t" : f(' + ", ".join(["1 + 1"] * 1_000) + ")",
        'prove "t" : {' + ", ".join(["1"] * 10_000) + "} == {}",
        "dataset d { size = " + "9" * 1_000 + " }",
        "loader l over d { " + "batch(1)\n" * 200 + "}",
        "\n".join(f'prove "t" : a{n} == 1 + 1' for n in range(300)),
    ],
)
def test_what_is_within_the_limits_parses(text: str) -> None:
    assert parse(f"edition 1\n{text}").statements


def test_deepest_tree_can_be_walked_with_plain_recursion() -> None:
    deepest = formula("(" * 99 + "1" + " + 1)" * 99)

    assert hash(deepest) == hash(formula("(" * 99 + "1" + " + 1)" * 99))
    assert repr(deepest).count("Binary") == 99


def test_file_is_read_with_any_line_ends_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.epoch"
    path.write_bytes(b"\xef\xbb\xbfedition 1\r\ndataset d { size = 3 }\r\n")
    spec = read(path)

    assert spec.source.path == str(path)
    assert spec.source.line(2) == "dataset d { size = 3 }"


def test_missing_file_and_directory_are_told_apart(tmp_path: Path) -> None:
    messages = []
    for path in (tmp_path / "no.epoch", tmp_path, str(tmp_path) + "/a\x00b"):
        with pytest.raises(SpecError) as caught:
            read(path)
        assert caught.value.diagnostics[0].code == "E119"
        messages.append(caught.value.diagnostics[0].message)

    assert messages[0] == f"there is no file `{tmp_path}/no.epoch`"
    assert messages[1] == f"`{tmp_path}` is a directory"
    assert messages[2].startswith("cannot read")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_forbidden_file_says_why(tmp_path: Path) -> None:
    path = tmp_path / "a.epoch"
    path.touch(mode=0)
    with pytest.raises(SpecError, match="permission denied"):
        read(path)


def test_other_encodings_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.epoch"
    path.write_bytes(b"edition 1\n# gr\xfc\xdfe\n")
    with pytest.raises(SpecError) as caught:
        read(path)

    assert caught.value.diagnostics[0].code == "E120"
    assert caught.value.diagnostics[0].message == f"line 2 of `{path}` is not UTF-8 (byte 0xfc)"


def test_zero_bytes_are_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "a.epoch"
    path.write_bytes(b"edition 1\n\x00")
    with pytest.raises(SpecError) as caught:
        read(path)

    assert caught.value.diagnostics[0].code == "E118"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless file")
def test_endless_file_is_refused() -> None:
    with pytest.raises(SpecError, match="E121"):
        read("/dev/zero")
