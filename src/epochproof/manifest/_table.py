"""A manifest as a table that DuckDB streams in a bounded memory; what fails is an error of the spec."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.language.suggest import suggest
from epochproof.manifest._formats import FORMATS, Format
from epochproof.manifest._state import State, refuse_change
from epochproof.manifest.pin import Column, Pin

if TYPE_CHECKING:
    import duckdb

MEMORY = "512MB"
"""What DuckDB may take before it writes to the disk."""

_MOST_THREADS = 4
"""Each thread takes buffers of its own."""

_SHOWN = 60
"""So many characters of a value are shown."""


@dataclass(frozen=True)
class Table:
    """An open manifest."""

    pin: Pin
    form: Format
    connection: duckdb.DuckDBPyConnection

    @property
    def path(self) -> str:
        """The path of the manifest as the spec has it, for messages."""
        return safe(self.pin.path)

    @cached_property
    def types(self) -> list[tuple[str, str]]:
        """Each column with its type, in their order."""
        return self.form.types(self.ask)

    def rows(self, columns: Mapping[str, Column], *, numbered: bool = False) -> str:
        """A query for its rows: each column as it is called, and the number of the `row`, from 0.

        Raises:
            SpecError: There is no such column, or there are two.
        """
        alike: dict[str, str] = {}
        for column in columns.values():
            self.check(column)
            other = alike.setdefault(column.name.casefold(), column.name)
            if other != column.name:
                wrong = f"`{shown(other)}` and `{shown(column.name)}` of `{self.path}` differ in case alone"
                raise fail("E606", wrong, column.span, help="give one of the columns another name")
        return self.form.rows({called: each.name for called, each in columns.items()}, numbered=numbered)

    def ask(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The answer to a query whose `$1`, `$2` and so on stand for the values.

        Raises:
            SpecError: The manifest cannot be read.
        """
        import duckdb  # noqa: PLC0415 -- only a manifest needs it

        try:
            return self.connection.execute(query, list(values)).fetchall()
        except (duckdb.BinderException, duckdb.ParserException, duckdb.CatalogException):
            raise  # our query is wrong, not the manifest
        except duckdb.Error as error:
            raise self._unreadable(str(error)) from None

    def check(self, column: Column) -> None:
        """Refuses a column that the manifest has not, or has twice."""
        name, names = column.name, [each for each, _ in self.types]
        if name not in names:
            names += self.form.more()
        if not names:
            raise self._malformed() or self.empty()
        if name not in names:
            columns = ", ".join(f"`{shown(each)}`" for each in names[:8]) or "none"
            more = ", …" if len(names) > 8 else ""  # noqa: PLR2004 -- as many as a line shows
            raise fail(
                "E606",
                f"`{self.path}` has no column `{shown(name)}`",
                column.span,
                help=safe(suggest(name, names)) or f"its columns are {columns}{more}",
            )
        if names.count(name) > 1:
            raise fail(
                "E606",
                f"`{self.path}` has two columns `{shown(name)}`",
                column.span,
                help="give one of them another name",
            )

    def empty(self) -> SpecError:
        """That the manifest has no rows."""
        cure = "a manifest lists at least one record"
        return fail("E604", f"`{self.path}` has no rows", self.pin.span, help=cure)

    def type_of(self, column: Column) -> str:
        """The type of a column that the manifest has, as DuckDB calls it."""
        return next((kind for name, kind in self.types if name == column.name), "VARCHAR")

    def _unreadable(self, error: str) -> SpecError:
        """What is wrong with the manifest, told by its first malformed row if there is one."""
        if error.startswith(("Out of Memory", "IO Error")):
            cure = "make room in the folder for temporary files: `TMPDIR` names another one"
            return fail("E602", f"cannot read `{self.path}`: {_line(error)}", self.pin.span, help=cure)
        return self._malformed() or fail(
            "E605",
            f"`{self.path}` is malformed: {_line(error.replace(self.form.at, ''))}",
            self.pin.span,
            help="write the file anew; it may have been cut off",
        )

    def _malformed(self) -> SpecError | None:
        """What is wrong with the first row that is malformed."""
        found = self.form.malformed()
        if found is None:
            return None
        place, wrong = found
        return fail("E605", f"{place} of `{self.path}` {wrong}", self.pin.span, help="write the file anew")


@contextmanager
def opened(pin: Pin, file: Path, state: State) -> Iterator[Table]:
    """The manifest as a table; it is closed, and what spilled to the disk deleted, at the end.

    Raises:
        SpecError: DuckDB is missing, the ending of the name is that of no format, or the file is not in the
            state, before it is read or after.
    """
    ending = file.suffix.lower()
    if ending not in FORMATS:
        raise fail(
            "E603",
            f"`{safe(pin.path)}` is no manifest by its name",
            pin.span,
            help=f"endings are {', '.join(FORMATS)}",
        )
    duckdb = _duckdb(pin)
    with _temporary(pin) as folder:
        # Under a name of our own: wildcards, keys of partitions and servers in a path are not meant.
        link = Path(folder, f"manifest{ending}")
        link.symlink_to(file.absolute())
        config = {
            "memory_limit": MEMORY,
            "temp_directory": folder,
            "threads": str(min(_MOST_THREADS, os.cpu_count() or 1)),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        with duckdb.connect(":memory:", config=config) as connection:
            connection.execute("SET enable_progress_bar = false")
            refuse_change(pin, file, state)
            yield Table(pin, FORMATS[ending](file, link), connection)
            refuse_change(pin, file, state)


def shown(value: object) -> str:
    """A value of a manifest for a message: on one line, cropped, without what could steer a terminal."""
    found = safe(str(value))
    return found if len(found) <= _SHOWN else f"{found[:_SHOWN]}…"


def _duckdb(pin: Pin) -> ModuleType:
    try:
        import duckdb  # noqa: PLC0415 -- only a manifest needs it
    except ImportError:
        raise fail(
            "E601",
            "a manifest is read by DuckDB, which is not installed",
            pin.span,
            help="pip install 'epochproof[manifest]'",
        ) from None
    return duckdb


def _temporary(pin: Pin) -> TemporaryDirectory[str]:
    try:
        return TemporaryDirectory(prefix="epochproof-")
    except OSError as error:
        wrong = f"there is no room for temporary files: {shown(error.strerror or error).lower()}"
        raise fail("E602", wrong, pin.span, help="`TMPDIR` names another folder") from None


def _line(error: str) -> str:
    """The first line of an error of DuckDB's, without its kind."""
    first = error.partition("\n")[0]
    return shown(" ".join((first.partition("Error: ")[2] or first).split())).lower()
