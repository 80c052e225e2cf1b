"""What running the real loader found, as a person reads it: a line a loader, a difference in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.language.columns import safe
from epochproof.report._run import Delivery, Difference, EndsEarly, LoaderRun, Replay, RunReport
from epochproof.report._style import Style, counted, shown

_INDENT = " " * 6


def render(report: RunReport, *, colour: bool = False, symbols: bool = True) -> str:
    """Several lines without a line break at the end.

    Args:
        report: What was found.
        colour: Whether to write ANSI colours.
        symbols: Whether the output can show signs beyond ASCII.

    Returns:
        The path and the version of torch; for each loader what was compared, with the first difference in
        full; each counterexample on the real loader; each claim that is not as stated; the sum.
    """
    style = Style(colour, symbols)
    by = f"read by {safe(report.own)}" if report.own else f"run by torch {report.torch}"
    lines = [f"{style.ink('strong', safe(report.checked.path))}, {by}"]
    wide = max((len(each.name) for each in report.loaders), default=0)
    for loader in report.loaders:
        lines += _loader(loader, wide, style, _who(report))
    for replay in report.counterexamples:
        lines.append(_replay(replay, style))
    return "\n".join([*lines, *_claims(report, style), "", _sum(report, style)])


def _mark(style: Style, *, good: bool) -> str:
    sign = ("✓" if good else "✗") if style.symbols else ("+" if good else "x")
    return style.ink("good" if good else "bad", sign)


def _who(report: RunReport) -> str:
    return "your loader" if report.own else "torch"


def _loader(loader: LoaderRun, wide: int, style: Style, who: str) -> list[str]:
    said = f"{counted(loader.occurrences, 'occurrence')} in {counted(loader.instances, 'instance')}"
    if loader.with_workers:
        said += f", {shown(loader.with_workers)} with worker processes"
    if loader.in_group:
        said += f", {shown(loader.in_group)} on real ranks"
    if loader.difference is not None:
        said = style.ink("bad", f"{who} differs")
    elif not loader.instances:
        said = style.ink("open", "did not run")
    agrees = loader.difference is None and bool(loader.instances)
    lines = [f"  {_mark(style, good=agrees)} {loader.name:{wide}}  {said}"]
    if loader.difference is not None:
        lines += [f"{_INDENT}{each}" for each in _difference(loader.difference, who)]
    if loader.ends_early is not None:
        lines.append(f"{_INDENT}{_ends_early(loader.ends_early)}")
    if loader.delivery is not None:
        lines += [f"{_INDENT}{style.ink('faint', each)}" for each in _delivery(loader.delivery)]
    return [*lines, *(f"{_INDENT}{style.ink('faint', f'left out: {each}')}" for each in loader.left_out)]


def _ends_early(found: EndsEarly) -> str:
    values = _values(found.parameters)
    few = ", ".join(shown(each) for each in found.ranks)
    who = f"rank {few} has" if len(found.ranks) == 1 else f"ranks {few} have"
    where = f"epoch {shown(found.epoch)}" + (f", {values}" if values else "")
    return f"{who} no step {shown(found.step)}, and the others would wait for it ({where})"


def _difference(found: Difference, who: str) -> list[str]:
    where = [found.real, f"epoch {shown(found.epoch)}", f"rank {shown(found.rank)}"]
    where += [] if found.step is None else [f"step {shown(found.step)}"]
    where += [] if found.slot is None else [f"slot {shown(found.slot)}"]
    return [
        _values(found.parameters) or "every value is fixed by the spec",
        ", ".join(where),
        f"the model says {found.model}, {who} says {safe(found.torch)}",
    ]


def _values(parameters: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {shown(value)}" for name, value in parameters.items())


def _delivery(delivery: Delivery) -> list[str]:
    return [f"rank {rank}: {_batches(each)}" for rank, each in enumerate(delivery.ranks)]


def _batches(batches: Sequence[Sequence[int]]) -> str:
    return " ".join(f"[{', '.join(map(str, batch))}]" for batch in batches) or "nothing"


def _replay(replay: Replay, style: Style) -> str:
    text = f'"{safe(replay.text)}"'
    match replay.replayed:
        case "torch":
            return f"  {_mark(style, good=True)} {text} is false on torch, too"
        case "model":
            return f"  {style.ink('open', '?')} {text} was not replayed on torch: {replay.reason}"
        case "contradicted":
            values = _values(replay.parameters)
            at = f" ({values})" if values else ""
            return (
                f"  {_mark(style, good=False)} {text} is refuted in the model only{at}: {safe(replay.reason)}"
            )


def _claims(report: RunReport, style: Style) -> list[str]:
    return [
        f'  {_mark(style, good=False)} {each.kind} "{safe(each.text)}" is {each.verdict.word}'
        for each in report.checked.claims
        if not each.as_stated
    ]


def _sum(report: RunReport, style: Style) -> str:
    if report.drift:
        return style.ink("bad", f"drift: the model and {_who(report)} differ")
    wrong = sum(not each.as_stated for each in report.checked.claims)
    if report.occurrences or any(each.instances for each in report.loaders):
        said = f"the model and {_who(report)} agree on {counted(report.occurrences, 'occurrence')}"
    else:
        said = "nothing ran"
    if wrong:
        return style.ink("bad", f"{said}; {counted(wrong, 'claim')} not as stated")
    return style.ink("good", said)
