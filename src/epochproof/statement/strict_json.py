"""JSON from a stranger: no key twice, no number that is none or takes long to read, not too deep."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from epochproof.language.columns import safe

MOST_DIGITS = 20
"""A whole number of a statement has fewer; reading a long one takes time that grows with its square."""


class JsonError(Exception):
    """The bytes are no JSON that everybody reads alike; holds why."""


def loads(content: bytes) -> Any:
    """What the bytes hold.

    Raises:
        JsonError: They are not UTF-8, no JSON, repeat a key, or nest too deep.
    """
    try:
        return json.loads(
            content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused, parse_int=_whole
        )
    except UnicodeDecodeError:
        raise JsonError("it is not UTF-8") from None
    except RecursionError:
        raise JsonError("it nests too deep") from None
    except ValueError:
        raise JsonError("it is no JSON") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        again = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise JsonError(f"it gives the key `{safe(again[:60])}` twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise JsonError(f"it holds a number of {len(digits):,} digits")
    return int(digits)


def _refused(word: str) -> NoReturn:
    raise JsonError(f"it holds `{word}`, which is no number")
