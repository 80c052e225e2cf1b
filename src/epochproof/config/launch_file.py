"""Launch scripts: the literal options of SLURM and of the commands that start ranks; nothing is expanded."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from epochproof.config.entry import Entry, Place, Section, Unreadable, Value, whole
from epochproof.config.environment import Environment
from epochproof.config.fault import fault
from epochproof.diagnostics import Source

_SLURM: Mapping[str, str] = {
    "-N": "nodes",
    "--nodes": "nodes",
    "-n": "ntasks",
    "--ntasks": "ntasks",
    "--ntasks-per-node": "ntasks_per_node",
    "-G": "gpus",
    "--gpus": "gpus",
    "--gpus-per-node": "gpus_per_node",
    "--gpus-per-task": "gpus_per_task",
}
_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "srun": _SLURM,
    "torchrun": {"--nnodes": "nnodes", "--nproc-per-node": "nproc_per_node"},
    "accelerate": {"--num-processes": "num_processes", "--num-machines": "num_machines"},
    "deepspeed": {"--num-nodes": "num_nodes", "--num-gpus": "num_gpus"},
}
"""Of each command its options that say how many there are, and what they are called in a spec."""

_MEGATRON: Mapping[str, str] = {
    f"--{name.replace('_', '-')}": name
    for name in (
        "micro_batch_size",
        "global_batch_size",
        "tensor_model_parallel_size",
        "pipeline_model_parallel_size",
        "context_parallel_size",
        "train_samples",
        "train_iters",
        "num_workers",
        "seed",
    )
}
"""What Megatron-LM itself is told, behind its script or in an array that is handed to it."""

_OPENS = frozenset({"if", "for", "while", "until", "case", "{"})
_CLOSES = frozenset({"fi", "done", "esac", "}"})
_LEADS = frozenset({"then", "else", "elif", "do", "!", "exec", "time"})
_VARIABLE = re.compile(r"\$(?:\{(\w+)(:?-[^{}$]*)?\}|(\w+))", re.ASCII)
_ASSIGNMENT = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)=[\"']?([0-9]+)[\"']?\s*(?:#.*)?", re.ASCII)
_ARRAY = re.compile(r"\s*(?:export\s+|declare\s+-a\s+)?([A-Za-z_]\w*)\+?=\(", re.ASCII)
_SOURCES = re.compile(r"(?:^|[;&|]|\bthen\b|\bdo\b)\s*(?:source|eval|\.)\s", re.MULTILINE)
_NUMBER = re.compile(r"[0-9]+", re.ASCII)


@dataclass
class _Script:
    source: Source
    path: str
    found: dict[str, dict[str, Entry]] = field(default_factory=dict)
    variables: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Numbers that are certain from some line on, and that line."""

    environment: Environment = field(default_factory=dict)
    depth: int = 0
    """How many branches, loops and bodies are open."""

    array: str = ""
    """The array whose entries stand on the lines that come."""


def read_launch(source: Source, path: str, environment: Environment | None = None) -> Entry:
    """A section for `sbatch` and for each command that starts ranks, with its options that are numbers.

    A section `megatron` has those of Megatron-LM, if there is a batch of one of its ranks.
    An option that a command is given twice, or in a branch or a loop, is unreadable. So is a variable, unless
    the script gives it a number above, once, and reads no other script, or the environment holds one and the
    script leaves it alone.

    Raises:
        SpecError: The file is no shell script that starts with `#!`.
    """
    if not source.text.startswith("#!"):
        raise fault(source, 0, "a launch script starts with `#!`")
    script = _Script(source, path, environment=environment or {})
    header = True
    script.depth = int("<<" in source.text)  # a text for another script is no command of this one
    for number, line in _lines(source.text):
        if header and line.startswith("#SBATCH"):
            _options(script, "sbatch", _SLURM, _split(line.removeprefix("#SBATCH")), number)
        elif line.strip() and not line.lstrip().startswith("#"):
            header = False  # SLURM reads no directive below the first command
            _assignment(script, line, number)
            _command(script, _split(line), number)
            _megatron(script, line, number)
    if "micro_batch_size" not in script.found.get("megatron", {}):
        script.found.pop("megatron", None)
    place = Place(path)
    return Section({name: Section(each, place) for name, each in script.found.items()}, place)


def _lines(script: str) -> Iterator[tuple[int, str]]:
    """Each line with its number, together with those that continue it."""
    begun, parts = 0, list[str]()
    for number, line in enumerate(script.split("\n"), 1):
        begun = begun if parts else number
        bare = line.rstrip("\r")
        if bare.endswith("\\") and not bare.lstrip().startswith("#"):
            parts.append(bare[:-1])
            continue
        yield begun, " ".join([*parts, bare])
        parts = []


def _split(line: str) -> list[str]:
    """The words of a line; a text that does not end on it makes the rest one word."""
    words = shlex.shlex(line, posix=True, punctuation_chars=";&|")
    words.whitespace_split, words.commenters = True, "#"
    try:
        return list(words)
    except ValueError:
        return line.split()


def _assignment(script: _Script, line: str, number: int) -> None:
    """Notes a variable that the line gives a number, if nothing else in the script can change it."""
    found = _ASSIGNMENT.fullmatch(line)
    if found is not None and script.depth == 0 and not _may_change(found[1], script.source.text):
        script.variables[found[1]] = (found[2], number)


def _may_change(name: str, text: str, *, given: bool = False) -> bool:
    """Whether the variable may hold something else than it is `given`, or than the script says once."""
    assigned = rf"(?<![\w-]){name}\s*(?:\[.*?\])?(?:[-+*/%:]|\+\+|--)?="
    counted = rf"(?:\+\+|--){name}\b|\b{name}(?:\+\+|--)"
    named = rf"\b(?:read|unset|local|mapfile|for|let|printf -v)\b[^\n]*\b{name}\b"
    changes = re.search(counted, text) or re.search(named, text) or _SOURCES.search(text)
    return changes is not None or len(re.findall(assigned, text)) > (not given)


def _command(script: _Script, words: list[str], number: int) -> None:
    """Takes the options of what the line starts."""
    begins = True
    for at, word in enumerate(words):
        if begins:
            script.depth += (word in _OPENS or word.endswith("()")) - (word in _CLOSES)
        begins = set(word) <= set(";&|") or (begins and word in _LEADS | _OPENS)
        name = "torchrun" if word == "torch.distributed.run" else word.rpartition("/")[2]
        if name in _OPTIONS:
            _options(script, name, _OPTIONS[name], words[at + 1 :], number)


def _options(script: _Script, command: str, known: Mapping[str, str], words: list[str], number: int) -> None:
    """Takes the options up to the script that is started, or the next command."""
    script.found.setdefault(command, {})
    for at, word in enumerate(words):
        if word.endswith(".py") or set(word) <= set(";&|") or word.rpartition("/")[2] in _OPTIONS:
            return
        _option(script, command, known, words[at : at + 2], number)


def _option(script: _Script, command: str, known: Mapping[str, str], words: list[str], number: int) -> None:
    """Takes the first word, if it is an option; its value stands in it, or is the second word."""
    option, given, value = words[0].partition("=")
    name = known.get(option if option in known else option.replace("_", "-"))
    if name is None:
        return
    entries = script.found.setdefault(command, {})
    place = Place(script.path, number)
    entry = _value(value if given else "".join(words[1:]), place, script)
    if script.depth > 0:
        entry = Unreadable("it stands in a branch, a loop, a function or a text of the script", place)
    if script.array and not _handed_on(script.array, script.source.text):
        entry = Unreadable(f"`{script.array}` is not handed to a command as it stands here", place)
    if name in entries:
        entry = replace(_twice(entries[name]), place=place)
    entries[name] = entry


def _megatron(script: _Script, line: str, number: int) -> None:
    """Takes the options of Megatron-LM, on the line of its command or of an array."""
    begun = _ARRAY.match(line)
    script.array = begun[1] if begun else script.array
    words = _split(line[begun.end() :] if begun else line)
    ends = script.array != "" and words[-1:] != [] and words[-1].endswith(")")
    words = [*words[:-1], words[-1].removesuffix(")")] if ends else words
    known = {} if not script.array and line.lstrip().startswith("-") else _MEGATRON
    for at in range(len(words)):
        _option(script, "megatron", known, words[at : at + 2], number)
    script.array = "" if ends else script.array


def _handed_on(array: str, text: str) -> bool:
    """Whether a command gets all entries of the array that the script fills once."""
    return re.search(rf"\$\{{{array}\[[@*]\]\}}", text) is not None and not _may_change(array, text)


def _twice(first: Entry) -> Unreadable:
    return Unreadable(f"it is given twice, first at {first.place}", first.place)


def _value(word: str, place: Place, script: _Script) -> Entry:
    named = _VARIABLE.fullmatch(word)
    name = (named[1] or named[3]) if named else ""
    if named and not named[2] and name in script.variables:
        word, line = script.variables[name]
        place = replace(place, line=line)
    elif name in script.environment and not _may_change(name, script.source.text, given=True):
        return Value(script.environment[name], replace(place, given=f"env.{name}"))
    if _NUMBER.fullmatch(word):
        return whole(word, 10, place)
    return Unreadable(f"`{word}` is no number that is written out", place)
