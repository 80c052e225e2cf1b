"""A spec as one page of HTML that needs nothing else: verdicts, schedules, counterexamples and a lab."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

import epochproof
from epochproof.prove.account import Account
from epochproof.report._html import Html, element, joined
from epochproof.report._page_claims import claims, outcome
from epochproof.report._page_grid import legend
from epochproof.report._page_lab import lab, tables
from epochproof.report._page_loaders import loaders
from epochproof.report._style import counted, shown

_HERE = Path(__file__).parent


def render(account: Account) -> str:
    """The page; the same account gives the same page, byte for byte."""
    style, script = (_file(f"page.{kind}") for kind in ("css", "js"))
    name = Path(account.checked.path).name
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{name}: what an epoch covers"),
        element("style", style),
    )
    body = element(
        "body",
        element("a", "to the claims", href="#claims", class_="skip"),
        _header(account, name),
        element("main", claims(account), loaders(account), lab()),
        element("footer", element("p", f"epochproof {epochproof.__version__}")),
        tables(),
        element("script", script),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _header(account: Account, name: str) -> Html:
    found = Counter(outcome(each) for each in account.checked.claims)
    words = [
        f"{shown(found[word])} {word}"
        for word in ("as stated", "not as stated", "vacuous", "unknown")
        if found[word]
    ]
    links = {"#claims": "Claims", "#schedules": "Schedules", "#lab": "Ownership lab"}
    return element(
        "header",
        element("h1", name),
        element(
            "p", f"{counted(len(account.checked.claims), 'claim')}: {', '.join(words) or 'nothing to prove'}"
        ),
        element(
            "nav",
            element("ul", *(element("li", element("a", label, href=to)) for to, label in links.items())),
            aria_label="sections",
        ),
        element("aside", legend(), aria_label="what the marks mean"),
    )


def _policy(script: str) -> str:
    """Nothing is loaded, and no script runs but the page's own."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';"
        " base-uri 'none'; form-action 'none'"
    )


def _file(name: str) -> Html:
    """A file of this package that goes into the page as it is."""
    return joined(Html((_HERE / name).read_text(encoding="utf-8")))
