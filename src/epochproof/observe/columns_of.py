"""What a batch says of its records: ids, sources and the like, from a field or a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from epochproof.audit.journal import Batch
from epochproof.diagnostics import SpecError, fail
from epochproof.language.suggest import suggest

Said = str | Callable[[Any], Iterable[Any]]
"""The name of a field of the batch, or a function of the batch."""

_LIMITS = {"record": 2**63, "view": 2**31}


@dataclass(frozen=True)
class Columns:
    """Where the columns of a trace come from; `None` where a column is not recorded.

    `ids` is `None` where the indices of the loader are the ids.
    """

    ids: Said | None = None
    source: Said | None = None
    clip: Said | None = None
    view: Said | None = None
    padded: Said | None = None

    @property
    def none(self) -> bool:
        """Whether a batch need not be looked at."""
        return self == Columns()

    def batch(self, data: Any, indices: Any, batch: Batch) -> Batch:
        """`batch`, with what `data` says, and else the indices, as its columns.

        Raises:
            SpecError: E809: a column cannot be read, or has not one value for each record.
        """
        try:
            records = _ids(listed(indices) if self.ids is None else _held(data, "ids", self.ids))
            view = _numbers(_held(data, "view", self.view), "view")
            padded = batch.padded if self.padded is None else _truths(_held(data, "padded", self.padded))
            source, clip = (
                _texts(_held(data, name, said))
                for name, said in (("source", self.source), ("clip", self.clip))
            )
        except SpecError as error:
            raise _placed(error, batch) from None
        for name, column in (("source", source), ("clip", clip), ("view", view), ("padded", padded)):
            if column is not None and len(column) != len(records):
                told = f"`{name}` has {len(column)} values for {len(records)} records"
                raise _placed(fail("E809", told, None), batch)
        return Batch(
            batch.epoch, batch.worker, batch.step, records, source, clip, view, padded, batch.elapsed
        )


def listed(held: Any) -> list[Any]:
    """The values that a field holds, one for each record: tensors, arrays, sequences, or a single value."""
    if hasattr(held, "tolist"):
        held = held.tolist()
    if isinstance(held, str | bytes | Mapping) or not isinstance(held, Iterable):
        return [held]
    return [each.tolist() if hasattr(each, "tolist") else each for each in held]


def _held(data: Any, name: str, said: Said | None) -> Any:
    if said is None:
        return None
    if not isinstance(said, str):
        return listed(said(data))
    if isinstance(data, Mapping) and said in data:
        return listed(data[said])
    if not isinstance(data, Mapping) and hasattr(data, said):
        return listed(getattr(data, said))
    known = [str(each) for each in data] if isinstance(data, Mapping) else []
    found = (
        f"it has {', '.join(f'`{each}`' for each in known)}" if known else f"it is a {type(data).__name__}"
    )
    cure = suggest(said, known) or f"`{name}` may be a function of the batch"
    raise fail("E809", f"a batch has no field `{said}`: {found}", None, help=cure)


def _ids(held: Sequence[Any]) -> list[int] | list[str]:
    if all(isinstance(each, str) for each in held):
        return list(held)
    found = _numbers(held, "record")
    if found is None or any(each is None for each in found):
        raise fail("E809", "a record has no id", None, help="ids are whole numbers or texts")
    return [each for each in found if each is not None]


def _numbers(held: Sequence[Any] | None, name: str) -> list[int | None] | None:
    if held is None:
        return None
    for each in held:
        if each is not None and (isinstance(each, bool) or not hasattr(each, "__index__")):
            what = f"`{str(each)[:60]}` is a {type(each).__name__}"
            cure = "ids are whole numbers or texts, one kind in a trace; `ids=` may make them of a batch"
            raise fail("E809", f"{what}, no {_SAID[name]}", None, help=cure if name == "record" else "")
    found = [None if each is None else int(each.__index__()) for each in held]
    most = _LIMITS[name]
    wrong = [each for each in found if each is not None and not -most < each < most]
    if wrong:
        raise fail("E809", f"{wrong[0]} is too large for the column `{name}`", None)
    return found


_SAID = {"record": "record id", "view": "number of a view"}


def _texts(held: Sequence[Any] | None) -> list[str | None] | None:
    return None if held is None else [None if each is None else str(each) for each in held]


def _truths(held: Sequence[Any]) -> list[bool | None]:
    return [None if each is None else bool(each) for each in held]


def _placed(error: SpecError, batch: Batch) -> SpecError:
    (told,) = error.diagnostics
    where = f"epoch {batch.epoch}, step {batch.step}"
    return fail(told.code, f"{told.message} ({where})", None, help=told.help)
