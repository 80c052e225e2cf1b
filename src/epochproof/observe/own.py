"""The user's own loader: found by name, called for each rank and epoch, and compared with the model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import Any

from epochproof.diagnostics import SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.observe.compare import Apart, apart
from epochproof.observe.instances import epochs, parameters
from epochproof.observe.real import Read
from epochproof.prove.session import Checked
from epochproof.report._run import Difference, LoaderRun, RunReport
from epochproof.schedule.deliveries import Compiled, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.term.node import Op

WORLDS = (1, 2, 3, 4, 8)
"""The world sizes that run where the ranks are free, as far as their domain allows."""

MOST_OCCURRENCES = 2_000_000
"""A loader of more occurrences in an epoch of all ranks is not read."""

_FAULTS = (Exception, SystemExit)


@dataclass(frozen=True)
class Own:
    """What the user names: `module:function`, and the field of a batch that holds the record ids."""

    name: str
    function: Callable[..., Iterable[Any]]
    field: str | None

    def read(self, rank: int, world_size: int, epoch: int, most: int) -> Read:
        """The record ids of one rank in one epoch; at most `most` batches are asked for.

        Raises:
            SpecError: E403 or E404, with the rank, the epoch and the step.
        """
        where = f"rank {rank} of {world_size}, epoch {epoch}"
        groups: list[tuple[int, ...]] = []
        try:
            batches = iter(self.function(rank=rank, world_size=world_size, epoch=epoch))
            for batch in islice(batches, most):
                groups.append(self._ids(batch, f"{where}, step {len(groups)}"))
        except SpecError:
            raise
        except _FAULTS as error:
            raise _raised(self.name, f"at {where}, step {len(groups)}", error) from None
        return Read(tuple(groups), len(groups))

    def _ids(self, batch: Any, where: str) -> tuple[int, ...]:
        held = batch if self.field is None else _field(batch, self.field, where)
        try:
            return tuple(_flat(held.tolist() if hasattr(held, "tolist") else held))
        except TypeError as error:
            part = "a batch" if self.field is None else f"`{self.field}`"
            cure = "`--field NAME` says where a batch holds its record ids" if self.field is None else ""
            raise fail("E404", f"{part} holds no record ids: {error} ({where})", None, help=cure) from None


def _field(batch: Any, name: str, where: str) -> Any:
    if isinstance(batch, Mapping):
        if name in batch:
            return batch[name]
        known = [str(each) for each in batch]
    else:
        if hasattr(batch, name):
            return getattr(batch, name)
        known = [each for each in getattr(batch, "__dict__", {}) if not each.startswith("_")]
    found = (
        f"it has {', '.join(f'`{each}`' for each in known)}" if known else f"it is a {type(batch).__name__}"
    )
    raise fail("E404", f"a batch has no field `{name}`: {found} ({where})", None, help=suggest(name, known))


def _flat(held: Any) -> Iterator[int]:
    if isinstance(held, bool) or held is None or isinstance(held, str | bytes | float):
        raise TypeError(f"{held!r} is a {type(held).__name__}"[:80])
    if isinstance(held, int):
        yield held
        return
    if hasattr(held, "tolist"):
        held = held.tolist()
    elif hasattr(held, "__index__"):
        held = held.__index__()
    if isinstance(held, Mapping) or (not isinstance(held, int | float) and not isinstance(held, Iterable)):
        raise TypeError(f"it is a {type(held).__name__}")
    yield from _flat(held) if isinstance(held, int | float) else (one for each in held for one in _flat(each))


def _raised(name: str, when: str, error: BaseException) -> SpecError:
    frames = [each for each in extract_tb(error.__traceback__)[-1:] if each.filename != __file__]
    last = f", raised in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    said = f"{type(error).__name__}: {error}".strip(": ").splitlines()[0][:300]
    return fail("E403", f"`{name}` failed {when}: {said}{last}", None)


def own_loader(named: str, field: str | None) -> Own:
    """The loader that `module:function` names; modules of the working folder are found.

    Raises:
        SpecError: E402: it is not found. E403: its module raises when it is imported.
    """
    module_name, colon, path = named.partition(":")
    if not colon or not module_name or not path:
        raise fail(
            "E402", f"`{named}` is not `module:function`", None, help="write `package.module:function`"
        )
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = import_module(module_name)
    except ModuleNotFoundError as missing:
        what = f"there is no module `{missing.name}`"
        cure = "run it in the folder of the module, or set PYTHONPATH"
        raise fail("E402", f"`{named}` cannot be imported: {what}", None, help=cure) from None
    except _FAULTS as error:
        raise _raised(named, "when it was imported", error) from None
    for part in path.split("."):
        if not hasattr(found, part):
            near = suggest(part, [each for each in dir(found) if not each.startswith("_")])
            raise fail("E402", f"`{module_name}` has no `{part}`", None, help=near)
        found = getattr(found, part)
    if not callable(found):
        raise fail("E402", f"`{named}` is a {type(found).__name__} and cannot be called", None)
    return Own(named, found, field)


def loader_meant(schedule: Schedule, of: str | None) -> Loader:
    """The loader of the spec that the user's own one is compared with.

    Raises:
        SpecError: E405: there is none, or which one is open, or it leaves more than its ranks free.
    """
    loaders = schedule.loaders
    if of is None and len(loaders) != 1:
        raise fail(
            "E405",
            f"the spec has {len(loaders)} loaders",
            None,
            help=f"name one with `--of`: {', '.join(loaders)}" if loaders else "write a `loader`",
        )
    name = next(iter(loaders)) if of is None else of
    if name not in loaders:
        raise fail("E405", f"there is no loader `{name}`", None, help=suggest(name, loaders))
    loader = loaders[name]
    free = [each.name for each in parameters(loader, schedule.scope) if each.name not in _left_open(loader)]
    if free:
        cure = "give it the value that your loader has; only ranks and epochs may be free"
        raise fail("E405", f"`{free[0]}` is free, and your loader has one value for it", None, help=cure)
    return loader


def _left_open(loader: Loader) -> set[str]:
    return {str(each.value) for each in (loader.ranks, loader.epochs) if each.op is Op.VARIABLE}


def run_own(own: Own, schedule: Schedule, of: str | None, checked: Checked) -> RunReport:
    """The user's loader on each world size, rank and epoch, beside the loader of the spec.

    Raises:
        SpecError: E403 or E404: it fails, or gives no record ids. E405: there is nothing to compare it with.
    """
    loader = loader_meant(schedule, of)
    names = tuple(each.name for each in parameters(loader, schedule.scope))
    model = Compiled(plan_of(loader), loader.epochs, names)
    ran = occurrences = 0
    left_out: list[str] = []
    difference: Difference | None = None
    for values in _worlds(loader, schedule.scope, names):
        given = tuple(values[name] for name in names)
        if model.weight(given, all_epochs=False) > MOST_OCCURRENCES:
            left_out.append(f"{_said(values)}: there is too much to read")
            continue
        difference, read = _compared(own, loader, model.run(given), values)
        if difference is not None:
            break
        ran, occurrences = ran + 1, occurrences + read
    found = LoaderRun(loader.name, ran, occurrences, 0, difference, None, tuple(left_out))
    return RunReport("", (found,), (), checked, own.name)


def _said(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "the loader"


def _worlds(loader: Loader, scope: Scope, names: tuple[str, ...]) -> Iterator[dict[str, int]]:
    values = {
        name: max(scope.parameters[name].domain.up_to(2), default=scope.parameters[name].domain.low)
        for name in names
    }
    free = str(loader.ranks.value)
    if free not in names:
        yield values
        return
    domain = scope.parameters[free].domain
    yield from ({**values, free: each} for each in [at for at in WORLDS if at in domain] or [domain.low])


def _compared(
    own: Own, loader: Loader, lists: Lists, values: Mapping[str, int]
) -> tuple[Difference | None, int]:
    read, first = 0, lists.value(loader.start_epoch)
    for epoch in epochs(lists.epochs):
        for rank in range(lists.ranks):
            model = lists.lane(epoch, rank)
            real = own.read(rank, lists.ranks, first + epoch, model.steps + 1)
            found: Apart | None = apart(model, real)
            if found is not None:
                place = (found.step, found.slot, found.model, found.torch)
                return Difference(loader.name, values, own.name, epoch, rank, *place), read
            read += len(model.records)
    return None, read
