"""From the path that a spec binds to what the file holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from epochproof.config.entry import Entry
from epochproof.config.environment import Environment, environment
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.columns import safe

MOST_BYTES = 300_000
"""A config that people write is far smaller; and YAML is read slowly."""

Content = Callable[[Path], bytes]
"""The bytes of a file, or an `OSError`."""

_SUFFIXES = (".yaml", ".yml", ".toml", ".json")
READERS = ("config", "launch", "hydra")
"""What a binding can read with."""


def from_disk(path: Path) -> bytes:
    """The bytes of a file, up to one more than are read."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def read_config(binding: tree.Binding, folder: Path, content: Content) -> Entry:
    """What the file of a binding holds; a relative path is meant from the folder.

    Raises:
        SpecError: It cannot be read, or breaks a rule of its format; then its `source` is that file.
    """
    suffix = Path(binding.path).suffix.lower()
    if binding.reader != "launch" and suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise _refused(binding, "E704", "is no config that can be read", f"its name ends in {known}")
    source = Source(str(folder / binding.path), text_of(binding, folder, content))
    given = environment(binding, source.text)
    if binding.reader == "launch":
        return _launch(source, binding.path, suffix, given)
    if suffix == ".toml":
        from epochproof.config.toml_file import read_toml  # noqa: PLC0415 -- one format at a time

        return read_toml(source, binding.path)
    if suffix == ".json":
        from epochproof.config.json_file import read_json  # noqa: PLC0415 -- one format at a time

        return read_json(source, binding.path)
    from epochproof.config.interpolation import interpolated  # noqa: PLC0415 -- one format at a time
    from epochproof.config.yaml_file import read_yaml  # noqa: PLC0415 -- one format at a time

    found = read_yaml(source, binding.path)
    return interpolated(found, given) if "${" in source.text else found


def _launch(source: Source, path: str, suffix: str, given: Environment) -> Entry:
    if suffix in (".yaml", ".yml"):
        from epochproof.config.kubernetes_file import read_kubernetes  # noqa: PLC0415 -- one format at a time

        return read_kubernetes(source, path)
    from epochproof.config.launch_file import read_launch  # noqa: PLC0415 -- one format at a time

    return read_launch(source, path, given)


def text_of(binding: tree.Binding, folder: Path, content: Content) -> str:
    """The text of the file of a binding.

    Raises:
        SpecError: It cannot be read, is too large, or is no text.
    """
    try:
        found = content(folder / binding.path)
    except FileNotFoundError:
        raise _refused(
            binding, "E701", "is not there", "a path is meant from the folder of the spec"
        ) from None
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise _refused(binding, "E701", f"cannot be read: {reason}", "check the path") from None
    if len(found) > MOST_BYTES:
        raise _refused(binding, "E701", f"holds more than {MOST_BYTES:,} bytes", "bind a smaller file")
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        column = error.start - found.rfind(b"\n", 0, error.start)
        what = f"is not UTF-8 at line {line}, column {column} (byte 0x{found[error.start]:02x})"
        raise _refused(binding, "E701", what, "save the file as UTF-8") from None


def _refused(binding: tree.Binding, code: str, what: str, cure: str) -> SpecError:
    return fail(code, f"`{safe(binding.path)}` {what}", binding.path_span, help=cure)
