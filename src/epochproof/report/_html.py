"""HTML from plain values: every text is escaped, and nothing else can become markup."""

from __future__ import annotations

from html import escape

from epochproof.language.columns import safe

_VOID = frozenset({"meta", "link", "br", "input"})


class Html(str):
    """Text that is HTML already; only this module makes it from texts."""

    __slots__ = ()


Content = str | Html | None
"""What an element may hold: texts, which are escaped, HTML, or nothing."""


def element(tag: str, *content: Content, **attributes: str | int | bool | None) -> Html:
    """An element; `class_` is written `class`, `aria_label` is written `aria-label`.

    An attribute that is `True` stands without a value, and one that is `False` or `None` is left out.
    """
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{joined(*content)}</{tag}>")


def joined(*content: Content) -> Html:
    """The contents one after the other."""
    return Html("".join(each if isinstance(each, Html) else text(each) for each in content if each))


def text(value: str) -> Html:
    """A text on one line, without what could steer a reader's eye or break the page."""
    return Html(escape(safe(value), quote=True))


def lines(value: str) -> Html:
    """A text whose line breaks stay."""
    return Html("\n".join(text(each) for each in value.splitlines()))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    shown = name.rstrip("_").replace("_", "-")
    return f" {shown}" if value is True else f' {shown}="{text(str(value))}"'
