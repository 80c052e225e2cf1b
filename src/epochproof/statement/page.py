"""A statement as one page that a buyer reads: what is read and what not, what is assumed, how to check it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import epochproof
from epochproof import report
from epochproof.report._html import Html, element, joined, lines
from epochproof.report._style import shown
from epochproof.statement.evidence import NOBODY
from epochproof.statement.page_claims import assumptions, claims
from epochproof.statement.predicate import Population, Predicate, Statement
from epochproof.statement.rooted import told

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SECTIONS = ("What is read", "What is claimed", "What is assumed", "What is not claimed", "How to check it")

_AUDITOR = (
    "What the run recorded is the signer's word, until an auditor checks it again who is given the trace"
    " and the secret under which record ids are committed to: --trace, --commitment-key."
)


def statement_as_html(statement: Statement, signers: Sequence[str], file: str) -> str:
    """The page; the same statement gives the same page, byte for byte.

    Args:
        statement: What the envelope holds.
        signers: What the envelope hints of the keys that signed it: nothing here checks a signature.
        file: The name of the envelope.
    """
    name = statement.subject[0].name if statement.subject else "a schedule"
    style = Html((Path(report.__path__[0]) / "page.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{name}: what a run reads"),
        element("style", style),
    )
    predicate = statement.predicate
    parts = (
        _read(predicate),
        claims(predicate),
        assumptions(predicate),
        _points(predicate.not_claimed),
        _checking(statement, signers, file),
    )
    body = element(
        "body",
        element("a", "to what is read", href="#part-1", class_="skip"),
        _header(name, predicate, signers),
        element(
            "main", *(_section(at, *each) for at, each in enumerate(zip(_SECTIONS, parts, strict=True), 1))
        ),
        element("footer", element("p", f"epochproof {epochproof.__version__}")),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _section(at: int, title: str, content: Html) -> Html:
    head = element("h2", title, id=f"part-{at}-head")
    return element("section", head, content, id=f"part-{at}", aria_labelledby=f"part-{at}-head")


def _header(name: str, predicate: Predicate, signers: Sequence[str]) -> Html:
    links = (element("li", element("a", title, href=f"#part-{at}")) for at, title in enumerate(_SECTIONS, 1))
    keys = ", ".join(each[:12] or "a key without a name" for each in signers)
    return element(
        "header",
        element("h1", name),
        element("p", f"{_result(predicate)} {_nobody(predicate)}"),
        element(
            "p",
            f"The provider says that this was found at {predicate.verified_at}."
            f" The envelope names the signer {keys}, which nothing on this page checks."
            " A page proves nothing: check the envelope, as the last section says.",
            class_="faint",
        ),
        element("nav", element("ul", *links), aria_label="sections"),
    )


def _result(predicate: Predicate) -> str:
    """Whether the claims are as they are stated, in a sentence."""
    count, false = len(predicate.claims), sum(not each.as_stated for each in predicate.claims)
    if not count:
        return "The spec states no claim."
    if not false:
        return f"{_of(count, 'claim')}, {'as stated' if count == 1 else 'all of them as stated'}."
    return f"{_of(count, 'claim')}, {_of(false, 'of them', many='of them')} not as stated."


def _nobody(predicate: Predicate) -> str:
    """How many of the assumptions were checked by nobody."""
    count = sum(each.checked_by == NOBODY for each in predicate.assumptions)
    if not count:
        return ""
    return f"They rest on {_of(count, 'assumption')} that nobody checked."


def _of(count: int, one: str, many: str = "") -> str:
    return f"{shown(count)} {one if count == 1 else many or f'{one}s'}"


def _read(predicate: Predicate) -> Html:
    if not predicate.populations:
        return element("p", "The spec describes no loader.")
    return joined(*(_population(each) for each in predicate.populations), _commitments(predicate))


def _population(population: Population) -> Html:
    return element(
        "article",
        element("h3", element("code", population.loader)),
        element("p", f"{population.sentence}."),
        _numbers(population),
    )


def _numbers(population: Population) -> Html | None:
    """What is read in numbers; nothing where it was not counted."""
    read, run = population.one_pass, population.run
    if read is None:
        return None
    rows = [
        ("records in the dataset", population.records),
        ("ranks", population.ranks),
        ("occurrences in one pass", read.occurrences),
        ("distinct records in one pass", read.distinct),
        ("occurrences of padding", read.padding),
        ("records read by nobody", read.omitted),
        ("records read more than once", read.repeated),
    ]
    if run is not None and run.epochs != "1":
        rows += [
            (f"occurrences in all {run.epochs} passes", run.occurrences),
            ("distinct records over all of them", run.distinct),
        ]
    body = (
        element("tr", element("th", words, scope="row"), element("td", _number(number), class_="number"))
        for words, number in rows
    )
    table = element("table", element("tbody", *body))
    given = ", ".join(f"{name} = {value}" for name, value in population.values.items())
    return joined(
        element("p", f"Counted for {given}.", class_="faint") if given else None,
        element(
            "div",
            table,
            class_="scroll",
            tabindex=0,
            role="region",
            aria_label=f"counts of {population.loader}",
        ),
    )


def _number(digits: str | None) -> str:
    return "not known" if digits is None else shown(int(digits))


def _commitments(predicate: Predicate) -> Html | None:
    """Whether the records that were read are those of the dataset, without naming one."""
    if predicate.commitments is None:
        return None
    said = tuple(told(predicate.commitments))
    return joined(element("h3", "By commitments to the records, which name none"), _points(said))


def _points(texts: Sequence[str]) -> Html:
    return element("ul", *(element("li", each) for each in texts))


def _checking(statement: Statement, signers: Sequence[str], file: str) -> Html:
    spec = statement.subject[0].name if statement.subject else "train.epoch"
    call = (
        f"pip install 'epochproof[statement]'\nepochproof verify {file} --key provider.pub.pem --spec {spec}"
    )
    needed = "With the envelope, the files below, and the provider's public key, got in another way:"
    return joined(
        element("p", needed),
        element("pre", element("code", lines(call))),
        element("p", "What was proved is proved again there; --recheck asks a second prover as well."),
        element("p", _AUDITOR) if _traced(statement.predicate) else None,
        element("h3", "Signed, as the envelope says, by the key"),
        element("ul", *(element("li", element("code", each or "a key without a name")) for each in signers)),
        element("h3", "About these files"),
        element("dl", *_files(statement)),
    )


def _traced(predicate: Predicate) -> bool:
    held = predicate.commitments
    return held is not None and any(each.source == "trace" for each in held.streams)


def _files(statement: Statement) -> Iterator[Html]:
    for each in statement.subject:
        for algorithm, digest in each.digest.items():
            yield element("dt", each.name)
            yield element("dd", f"{algorithm} ", element("code", digest))
