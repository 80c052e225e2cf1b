"""`python -m tests.bare_loops`: the torch objects of a `run`, built and read again with nothing around them.

`record SPEC CALLS` runs the spec and writes down which real objects were opened, and what was read of them.
`loop SPEC CALLS` does the same calls in the same order: no claim, no model and no comparison.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from epochproof.language.parse import parse
from epochproof.observe.draws import Draws, Where
from epochproof.observe.fused import Fused
from epochproof.observe.interruption import jobs_of, ways
from epochproof.observe.real import StageByStage
from epochproof.observe.streamed import Streamed
from epochproof.observe.torch_room import load_torch, quiet
from epochproof.schedule.read import Schedule, read_schedule

OBJECTS = {each.__name__: each for each in (StageByStage, Fused, Streamed)}

Call = dict[str, Any]


class Recorder:
    """Writes down the outermost calls to real objects; a parameter that is not given has its least value."""

    def __init__(self, lows: Mapping[str, int]) -> None:
        self.calls: list[Call] = []
        self._lows, self._inside = lows, 0

    def watch(self, kind: type, method: str, told: Callable[..., Call]) -> None:
        """Notes each call of the method that no other noted call makes."""
        original = getattr(kind, method)

        def called(this: Any, *given: Any, **named: Any) -> Any:
            outermost = not self._inside
            if outermost:
                self.calls.append(told(this, *given, **named))
            found = self._nested(original, this, *given, **named)
            return self._epochs(found, self.calls[-1]) if outermost and method == "open" else found

        setattr(kind, method, called)

    def _nested(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        self._inside += 1
        try:
            return function(*given, **named)
        finally:
            self._inside -= 1

    def _epochs(self, read: Callable[[int], Any], call: Call) -> Callable[[int], Any]:
        def epoch(at: int) -> Any:
            call["epochs"].append(at)
            return self._nested(read, at)

        return epoch

    def _about(self, this: Any, values: Mapping[str, int], **more: Any) -> Call:
        return {"loader": this.bare_loader, "values": {**self._lows, **values}, **more}

    def opens(self, this: Any, values: Any, rank: int, *, processes: bool = False) -> Call:
        """An object is opened; which epochs are read of it is noted later."""
        kind = type(this).__name__
        return self._about(this, values, object=kind, rank=rank, processes=processes, epochs=[])

    def stops(
        self, this: Any, values: Any, rank: int, epoch: int, steps: int, *_: Any, processes: bool
    ) -> Call:
        """A rank stops for the first time."""
        more = {"epoch": epoch, "processes": processes}
        return self._about(this, values, way=this.name, rank=rank, steps=steps, **more)

    def goes_on(self, this: Any, values: Any, rank: int, epoch: int, _: Any, *, processes: bool) -> Call:
        """A rank goes on from what the stopped ones saved."""
        return self._about(this, values, way=this.name, rank=rank, epoch=epoch, processes=processes)

    def draws(self, this: Any, values: Any, where: Where, _: object = None) -> Call:
        """Random numbers are drawn in worker processes."""
        return self._about(this, values, ranks=list(where.ranks), epochs=list(where.epochs))


def record(schedule: Schedule) -> list[Call]:
    """The calls that a run of the schedule makes."""
    from epochproof.observe import interruption  # noqa: PLC0415 -- the bare loops patch nothing
    from epochproof.observe.run import run  # noqa: PLC0415 -- nor need they a solver
    from epochproof.prove.session import opened  # noqa: PLC0415 -- nor this

    recorder = Recorder({name: each.domain.low for name, each in schedule.scope.parameters.items()})
    interrupting = [interruption._Cut, interruption._Skip, interruption._State, interruption._SamplerState]
    for kind in [*OBJECTS.values(), Draws, *interrupting]:
        _remembering(kind)
    for kind in OBJECTS.values():
        recorder.watch(kind, "open", recorder.opens)
    for kind in interrupting:
        recorder.watch(kind, "stop", recorder.stops)
        recorder.watch(kind, "go_on", recorder.goes_on)
    recorder.watch(Draws, "samples", recorder.draws)
    session = opened(schedule)
    run(session, session.checked())
    return recorder.calls


def _remembering(kind: Any) -> None:
    """Lets objects of the class remember the name of the loader that they were built for."""
    original = kind.__init__

    def built(this: Any, torch: Any, given: Any, *rest: Any, **named: Any) -> None:
        this.bare_loader = getattr(given, "loader", given).name
        original(this, torch, given, *rest, **named)

    kind.__init__ = built


def loop(schedule: Schedule, calls: list[Call]) -> int:
    """Makes the calls; returns how many objects were read."""
    torch = load_torch()
    loaders = schedule.loaders
    objects = {(name, kind): OBJECTS[kind](torch, loaders[name]) for name, kind in _objects(calls)}
    jobs = {name: job for name, loader in loaders.items() for job in jobs_of(loader)[:1]}
    found = {name: {way.name: way for way in ways(torch, job)} for name, job in jobs.items()}
    draws = {name: Draws(torch, loaders[name]) for name in {c["loader"] for c in calls if "ranks" in c}}
    saved: deque[tuple[int, Any]] = deque()
    with quiet():
        for call in calls:
            values, name = call["values"], call["loader"]
            if "object" in call:
                read = objects[name, call["object"]].open(values, call["rank"], processes=call["processes"])
                for epoch in call["epochs"]:
                    read(epoch)
            elif "ranks" in call:
                draws[name].samples(values, Where(call["ranks"], call["epochs"]))
            else:
                _interrupted(found[name][call["way"]], call, saved)
    return len(calls)


def _objects(calls: list[Call]) -> set[tuple[str, str]]:
    return {(call["loader"], call["object"]) for call in calls if "object" in call}


def _interrupted(way: Any, call: Call, saved: deque[tuple[int, Any]]) -> None:
    where = (call["values"], call["rank"], call["epoch"])
    if "steps" not in call:
        way.go_on(*where, [each for _, each in saved], processes=call["processes"])
        return
    if call["rank"] == 0:
        saved.clear()
    saved.append((call["rank"], way.stop(*where, call["steps"], processes=call["processes"]).saved))


def main(does: str, spec: str, calls: str) -> None:
    """Records the calls of a run, or makes them."""
    schedule = read_schedule(parse(Path(spec).read_text(), spec))
    if does == "record":
        Path(calls).write_text(json.dumps(record(schedule)))
    else:
        print(loop(schedule, json.loads(Path(calls).read_text())), "objects read")


if __name__ == "__main__":
    main(*sys.argv[1:])
