"""Derived datasets and splits as they are written, read into populations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from epochproof.diagnostics import Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model import pin as pinning
from epochproof.model import tally
from epochproof.model.domain import Domain, Parameter
from epochproof.model.lineage import ZERO, Copies, Origin, Windows, datasets, line, source
from epochproof.model.listed import OPTIONS, is_listed, read_listed
from epochproof.model.population import Population
from epochproof.model.split import Key, Part, Split, parts
from epochproof.model.values import Scope
from epochproof.term.bounds import interval
from epochproof.term.node import Int, choose, variable

_MADE = ("window", "stride", "copies", "id", "groups")
_COMPUTED = ("size", "length", "lengths", "files", "rows")


def read_derived(block: tree.Dataset, of: Population, scope: Scope) -> Population:
    """The population of a `dataset … from …` block; its settings join the scope, as `<name>.window`."""
    columns = pinning.read_columns(block)
    found: dict[str, Int] = {}
    for setting in (each for each in block.settings if each.name not in ("id", "groups")):
        if setting.name in ("window", "stride", "copies"):
            found[setting.name] = scope.setting(block.name, setting, 1)
        else:
            raise fail(
                "E201",
                f"a dataset that is made of another has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, _MADE if setting.name not in _COMPUTED else ())
                or "it has a `window` and a `stride`, or `copies`; its size follows from them",
            )
    origin = _origin(block, of, found)
    made = Population(block.name, ZERO, block.name_span, columns=columns, origin=origin)
    return _sized(made, scope)


def _origin(block: tree.Dataset, of: Population, found: Mapping[str, Int]) -> Origin:
    if found.keys() == {"window", "stride"}:
        return Windows(of, found["window"], found["stride"])
    if found.keys() == {"copies"}:
        return Copies(of, found["copies"])
    raise fail(
        "E231",
        f"nothing says how `{block.name}` is made of `{block.source}`"
        if len(found) < 2
        else f"`{block.name}` is made of `{block.source}` in two ways",
        block.name_span,
        help="write a `window` and a `stride`, or `copies`, and chain two datasets for both",
    )


def _sized(made: Population, scope: Scope) -> Population:
    """The population with its size: computed, or any number where the lengths of its sources are open."""
    found = tally.size(made)
    name = f"{made.name}.size"
    if found is None:
        scope.parameters[name] = Parameter(name, Domain(0, None), made.span, slack=_slack(made))
        found = variable(name)
        some = source(made).size
        if (interval(some, scope.ranges())[0] or 0) < 1:
            found = choose(some >= 1, found, 0)
    scope.names[name] = found
    return replace(made, size=found)


def _slack(made: Population) -> int:
    """How much is open about its size; a column of lengths may allow one size alone.

    1 where every size is possible, whatever it is made of, as long as there is a source; else 2.
    """
    alone = isinstance(made.origin, Windows) and made.origin.of.origin is None
    return 1 if alone and not source(made).to_be_measured else 2


def read_split(block: tree.Split, whole: Population, scope: Scope) -> dict[str, Population]:
    """The parts of a `split` block, by their full names; `gap` joins the scope as `<name>.gap`."""
    key = key_of(block.key, whole)
    if is_listed(block):
        return read_listed(block, whole, key, scope)
    shares = _shares(block)
    if key.kind == "frames":
        raise fail("E232", "frames are cut in time", block.key.span, help="write `by time`, with a `gap`")
    split = _with_options(Split(block.name, whole, key, tuple(shares.items()), block.span), block, scope)
    spans = {each.name: each.name_span for each in block.settings}
    found = {}
    for name, part in parts(split):
        found[name] = _sized(Population(name, ZERO, spans[name.rpartition(".")[2]], origin=part), scope)
    return found


def _shares(block: tree.Split) -> dict[str, Fraction]:
    shares: dict[str, Fraction] = {}
    for setting in block.settings:
        if setting.name in OPTIONS:
            continue
        value = setting.value.value if isinstance(setting.value, tree.Number) and not setting.free else 0
        if not 0 < value <= 1:
            raise fail(
                "E233",
                f"part `{setting.name}` has no share",
                setting.value.span,
                help="write its share as a decimal above 0, as in `train = 0.8`"
                if not isinstance(setting.value, tree.Text)
                else "name the column of the manifest that holds it: `assignment = …`",
            )
        shares[setting.name] = Fraction(value)
    if sum(shares.values()) != 1:
        total = _decimal(sum(shares.values(), Fraction(0)))
        raise fail(
            "E233",
            f"the parts of `{block.name}` have {total} of the whole together, not 1",
            block.name_span,
            help="write shares that sum to 1; what nobody may read is a part, too",
        )
    return shares


def _decimal(share: Fraction) -> str:
    return f"{float(share):.12g}"


def _with_options(split: Split, block: tree.Split, scope: Scope) -> Split:
    """The split with its gap, its salt, and whether ranks share it."""
    for setting in block.settings:
        if setting.name in OPTIONS:
            _check_option(setting, split.key)
        if setting.name == "gap":
            split = replace(split, gap=scope.setting(block.name, setting, 0))
        elif setting.name == "salt":
            split = replace(split, salt=_text(setting))
        elif setting.name == "shared":
            split = replace(split, shared=_truth(setting))
    if split.salt and not split.shared:
        cure = "leave one of the two out"
        raise fail("E234", "with a salt, all ranks assign alike", block.name_span, help=cure)
    return split


def _check_option(setting: tree.Setting, key: Key) -> None:
    """Refuses an option that a split by this key does not have."""
    if setting.name == "gap" and key.kind != "time":
        cure = "write `by time`, or leave `gap` out"
        raise fail("E234", "only a split by time has a gap", setting.name_span, help=cure)
    if setting.name != "gap" and key.kind == "time":
        cure = f"leave `{setting.name}` out"
        raise fail("E234", "a split by time assigns nothing", setting.name_span, help=cure)


def _text(setting: tree.Setting) -> str:
    if setting.free or not isinstance(setting.value, tree.Text):
        raise fail("E204", "`salt` is a text", setting.value.span, help='write `salt = "v1"`')
    return setting.value.value


def _truth(setting: tree.Setting) -> bool:
    word = str(setting.value) if isinstance(setting.value, tree.Name) and not setting.free else ""
    if word not in ("true", "false"):
        cure = "write `shared = false` where each rank makes the split on its own"
        raise fail("E204", "`shared` is `true` or `false`", setting.value.span, help=cure)
    return word == "true"


def key_of(name: tree.Name, population: Population) -> Key:
    """The key that is called `name` in the lineage of the population.

    It is a dataset or the column that identifies its records, a column of groups, `time` or `frames`.
    """
    word, lineage = str(name), datasets(population)
    if word in ("time", "frames"):
        return _in_frames(word, name.span, population)
    for each in lineage:
        if word in (each.name, each.id):
            return Key(word, "record", each)
        if word == each.groups:
            return Key(word, "group", each)
    raise _no_key(name, population)


def _in_frames(word: str, span: Span, population: Population) -> Key:
    if word == "time" and not any(isinstance(each.origin, Windows) for each in line(population)):
        raise fail(
            "E232",
            f"a record of `{population.name}` is a whole source, which no part in time holds",
            span,
            help="cut windows first: `dataset clips from … { window = 64, stride = 32 }`",
        )
    return Key(word, "time" if word == "time" else "frames", source(population))


def _no_key(name: tree.Name, population: Population) -> SpecError:
    lineage = datasets(population)
    known = [each.name for each in lineage[::-1]] + [each.groups for each in lineage if each.groups]
    known += ["frames", "time"] if isinstance(population.origin, Part | Windows | Copies) else []
    return fail(
        "E232",
        f"`{name}` is no key of `{population.name}`",
        name.span,
        help=suggest(str(name), known) or f"keys are {', '.join(f'`{each}`' for each in known)}",
    )
