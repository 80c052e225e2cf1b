"""The nearest known word to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable


def suggest(word: str, known: Iterable[str]) -> str:
    """Help that offers the word most like `word`.

    Returns:
        "did you mean `shard`?", or "" where no known word is near. Letter case does not count.
    """
    from difflib import get_close_matches  # noqa: PLC0415 -- only misspelt words need it

    words = {each.lower(): each for each in sorted(known, reverse=True)}
    nearest = get_close_matches(word.lower()[:100], words, n=1)
    return f"did you mean `{words[nearest[0]]}`?" if nearest else ""
