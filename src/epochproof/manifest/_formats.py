"""The formats of manifests: how DuckDB reads each, what its columns are, and where it is malformed."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

Ask = Callable[[str], Sequence[tuple[Any, ...]]]
"""Rows of an answer to a query."""

_LOOKED_AT = 1_000
"""So many rows of JSON are looked at for the names of their columns."""


def text(value: str) -> str:
    """The value as a text of SQL."""
    return "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """The name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


class Format(ABC):
    """A manifest of one format, which DuckDB is to open as `at`."""

    def __init__(self, file: Path, at: Path) -> None:
        self.file = file
        self.at = text(str(at))

    @abstractmethod
    def types(self, ask: Ask) -> list[tuple[str, str]]:
        """Each column with its type: `VARCHAR` where values are read as text."""

    def more(self) -> list[str]:
        """Columns that `types` left out, because they stand in few rows only."""
        return []

    @abstractmethod
    def rows(self, columns: Mapping[str, str], *, numbered: bool = False) -> str:
        """A query for the rows in their order.

        Args:
            columns: The name of each column that is wanted, by what it is called in the answer; without any,
                the answer has a column `anything`.
            numbered: Whether the answer has a column `row`, counted from 0.
        """

    def malformed(self) -> tuple[str, str] | None:
        """The place of the first malformed row, counted from 1, and what is wrong with it.

        Found by Python's own readers: what DuckDB says about the place changes from version to version.
        """
        return None


class Separated(Format):
    """Values with a separator between them, under a header."""

    def __init__(self, file: Path, at: Path) -> None:
        super().__init__(file, at)
        self._separator = "\t" if file.suffix.lower() == ".tsv" else ","

    def types(self, ask: Ask) -> list[tuple[str, str]]:
        return [(name, "VARCHAR") for name in self._header()]

    def rows(self, columns: Mapping[str, str], *, numbered: bool = False) -> str:
        names = self._header()
        types = ", ".join(f"c{at}: 'VARCHAR'" for at in range(len(names)))
        wanted = [f"c{names.index(name)} AS {called}" for called, name in columns.items()]
        source = (
            f"read_csv({self.at}, auto_detect = false, header = true, columns = {{{types}}},"
            f" delim = {text(self._separator)}, quote = '\"', escape = '\"')"
        )
        return _select(wanted, source, "row_number() OVER () - 1 AS row" if numbered else "")

    def malformed(self) -> tuple[str, str] | None:
        rows, at = self._read("strict"), 0
        try:
            width = len(next(rows, []))
            for at, row in enumerate(filter(None, rows), 1):
                if len(row) != width:
                    return (
                        f"row {at:_}",
                        f"has {_counted(len(row), 'value')} under {_counted(width, 'column')}",
                    )
        except csv.Error as error:
            return f"row {at + 1:_}", f"is no row of values: {error}"
        except UnicodeDecodeError:
            return self._undecodable()
        return None

    def _undecodable(self) -> tuple[str, str] | None:
        with self.file.open("rb") as lines:
            for at, line in enumerate(lines, 1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return f"line {at:_}", "is not UTF-8"
        return None

    def _header(self) -> list[str]:
        try:
            return next(self._read("replace"), [])
        except csv.Error:
            return []

    def _read(self, errors: str) -> Iterator[list[str]]:
        csv.field_size_limit(2**31 - 1)
        with self.file.open(encoding="utf-8-sig", errors=errors, newline="") as lines:
            yield from csv.reader(lines, delimiter=self._separator, strict=errors == "strict")


class JsonLines(Format):
    """One JSON object a line."""

    def types(self, ask: Ask) -> list[tuple[str, str]]:
        return [(name, "VARCHAR") for name in self._keys(_LOOKED_AT)]

    def more(self) -> list[str]:
        return list(self._keys(None))

    def rows(self, columns: Mapping[str, str], *, numbered: bool = False) -> str:
        # Where no column is wanted, one is read all the same, so that each line is seen to be an object.
        columns = columns or {"anything": "id"}
        types = ", ".join(f"{text(name)}: 'VARCHAR'" for name in dict.fromkeys(columns.values()))
        wanted = [f"{identifier(name)} AS {called}" for called, name in columns.items()]
        source = f"read_json({self.at}, format = 'newline_delimited', records = true, columns = {{{types}}})"
        return _select(wanted, source, "row_number() OVER () - 1 AS row" if numbered else "")

    def malformed(self) -> tuple[str, str] | None:
        with self.file.open("rb") as lines:
            for at, line in enumerate(filter(bytes.strip, lines), 1):
                if wrong := _no_object(line):
                    return f"row {at:_}", wrong
        return None

    def _keys(self, most: int | None) -> Mapping[str, None]:
        found: dict[str, None] = {}
        with self.file.open("rb") as lines:
            for line in islice(lines, most):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                found.update(dict.fromkeys(row if isinstance(row, dict) else ()))
        return found


class Parquet(Format):
    """One file of Parquet."""

    def types(self, ask: Ask) -> list[tuple[str, str]]:
        return [(name, kind) for name, kind, *_ in ask(f"DESCRIBE SELECT * FROM {self._source()}")]

    def rows(self, columns: Mapping[str, str], *, numbered: bool = False) -> str:
        wanted = [f"{identifier(name)} AS {called}" for called, name in columns.items()]
        return _select(wanted, self._source(numbered=numbered), "file_row_number AS row" if numbered else "")

    def _source(self, *, numbered: bool = False) -> str:
        number = ", file_row_number = true" if numbered else ""
        return f"read_parquet({self.at}, hive_partitioning = false{number})"


FORMATS: Mapping[str, type[Format]] = {
    ".csv": Separated,
    ".tsv": Separated,
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".parquet": Parquet,
}
"""The format of each ending of a file's name."""


def _select(wanted: Sequence[str], source: str, number: str) -> str:
    columns = [number, *wanted] if number else wanted
    return f"SELECT {', '.join(columns) or '1 AS anything'} FROM {source}"


def _no_object(line: bytes) -> str:
    """What is wrong with a line that should be a JSON object, or nothing."""
    try:
        found = json.loads(line.decode(), object_pairs_hook=_once)
    except UnicodeDecodeError:
        return "is not UTF-8"
    except json.JSONDecodeError as error:
        return f"is no JSON: {error.msg.lower()} at character {error.pos + 1:_}"
    except (ValueError, RecursionError) as error:
        return f"is no JSON: {error}"
    return "" if isinstance(found, dict) else "is no JSON object"


def _counted(number: int, noun: str) -> str:
    return f"{number:_} {noun}{'' if number == 1 else 's'}"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The pairs as an object; a key that stands twice is an error."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found
