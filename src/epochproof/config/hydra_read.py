"""Bindings of Hydra: `bind t = hydra("configs/train.yaml", trainer = "ddp", data.batch_size = 64)`."""

from __future__ import annotations

from pathlib import Path, PurePath

from epochproof.config.entry import Entry, Scalar
from epochproof.config.environment import environment, plain, twice
from epochproof.config.hydra_files import Config, composed
from epochproof.config.interpolation import interpolated
from epochproof.config.literal import changed
from epochproof.config.read import Content, text_of
from epochproof.config.yaml_file import read_yaml
from epochproof.diagnostics import Source, fail
from epochproof.language import tree

_VARIABLES = "env."


def read_hydra(binding: tree.Binding, folder: Path, content: Content) -> Entry:
    """What the job finds under the config that is bound, whose folder is the root of all configs.

    Raises:
        SpecError: A file cannot be read, breaks a rule of its format, or what is given names nothing.
    """
    texts: list[str] = []

    def read(path: str) -> Config:
        here = changed(binding, path=path)
        source = Source(str(folder / path), text_of(here, folder, content))
        texts.append(source.text)
        return Config(source.text, read_yaml(source, path))

    def beside(name: str, optional: bool) -> Config | None:  # noqa: FBT001 -- as the composition calls it
        path = str(PurePath(binding.path).parent / f"{name}.yaml")
        if optional:
            try:
                content(folder / path)
            except OSError:
                return None
        return read(path)

    given = _given(binding)
    root, used = composed(read(binding.path), beside, given)
    for each in binding.given:
        if each.name in given and each.name not in used:
            what = f"`{each.name}` is neither a group of the defaults list nor a key"
            raise fail("E710", what, each.name_span, help="check the name")
    variables = tuple(each for each in binding.given if each.name.startswith(_VARIABLES))
    return interpolated(root, environment(changed(binding, given=variables), "\n".join(texts)))


def _given(binding: tree.Binding) -> dict[str, Scalar]:
    """The options of groups and the values of keys that stand behind the path; a word is a text."""
    found: dict[str, Scalar] = {}
    for each in binding.given:
        if each.name.startswith(_VARIABLES):
            continue
        if each.name in found:
            raise twice(each)
        word = each.value if isinstance(each.value, tree.Name) else None
        words = {"true": True, "false": False, "null": None}
        found[each.name] = plain(each) if word is None else words.get(str(word), str(word))
    return found
