"""The model and the real loader, compared occurrence by occurrence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from epochproof.observe.real import Read
from epochproof.schedule.deliveries import Delivered


@dataclass(frozen=True)
class Apart:
    """Where the two differ first, and what each says; `step` and `slot` as in `Difference`."""

    step: int | None
    slot: int | None
    model: str
    torch: str


def apart(model: Delivered, real: Read, worker: Callable[[int], int] | None = None) -> Apart | None:
    """The first coordinate at which model and reality differ; `None` where they agree.

    Compared are the record at each step and slot, which steps and slots there are, the number of steps, and
    with `worker` also which worker built each batch. Only the model knows which occurrences are padding.
    """
    found = _records(model, real)
    if found is None and model.steps != real.steps:
        found = Apart(None, None, _steps(model.steps), _steps(real.steps))
    if found is None and worker is not None:
        found = _workers(real.built, worker)
    return found


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"


def _records(model: Delivered, real: Read) -> Apart | None:
    records = [record for group in real.groups for record in group]
    step = [at for at, group in enumerate(real.groups) for _ in group]
    if records == model.records and step == model.step:
        return None
    said, read = _placed(model.step, model.records), _placed(step, records)
    for place in sorted({*said, *read}):
        if said.get(place) != read.get(place):
            return Apart(*place, _record(said, place), _record(read, place))
    # The same at each coordinate, but delivered in another order of coordinates: steps go backwards.
    return Apart(None, None, "steps in another order", "steps that rise")


def _placed(step: Sequence[int], records: Sequence[int]) -> Mapping[tuple[int, int], int]:
    placed: dict[tuple[int, int], int] = {}
    slots: dict[int, int] = {}
    for at, record in zip(step, records, strict=True):
        placed[at, slots.setdefault(at, 0)] = record
        slots[at] += 1
    return placed


def _record(placed: Mapping[tuple[int, int], int], place: tuple[int, int]) -> str:
    return f"record {placed[place]}" if place in placed else "nothing"


def _workers(built: Sequence[int], worker: Callable[[int], int]) -> Apart | None:
    for step, real in enumerate(built):
        if worker(step) != real:
            return Apart(step, None, f"worker {worker(step)}", f"worker {real}")
    return None
