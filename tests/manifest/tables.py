"""Small tables as manifests of each format, and specs over them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from epochproof.diagnostics import Span
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column, Pin
from epochproof.manifest.read import read_manifest

FORMATS = ("csv", "tsv", "jsonl", "ndjson", "parquet")
HERE = Span(0, 1)

Row = dict[str, Any]


def write(path: Path, rows: Sequence[Row], **types: str) -> Path:
    """The rows in the format that the ending names; columns of Parquet have the types, or are texts."""
    names = list(rows[0])
    if path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names, delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix in (".jsonl", ".ndjson"):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        _parquet(path, rows, [f'"{name}" {types.get(name, "VARCHAR")}' for name in names])
    return path


def _parquet(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows ({', '.join(columns)})")
        marks = ", ".join("?" for _ in columns)
        insert = f"INSERT INTO rows VALUES ({marks})"  # noqa: S608 -- marks alone
        connection.executemany(insert, [list(row.values()) for row in rows])
        connection.execute(f"COPY rows TO '{path}' (FORMAT parquet)")


def column(role: str, name: str = "") -> Column:
    """A column that the spec names, called like its role if nothing else is said."""
    return Column(role, name or role, HERE)


def pin(path: str, *roles: str, digest: str | None = None) -> Pin:
    """A manifest whose columns are called like their roles."""
    return Pin("clips", path, tuple(column(role) for role in roles), HERE, digest)


def manifest(path: Path, *roles: str) -> Manifest:
    """The manifest at the path, whose columns are called like their roles."""
    return read_manifest(pin(path.name, *roles), path.parent)


def spec(settings: str, claims: str, loader: str = "ranks = 4  shard(ranks, tail = pad)") -> str:
    """The text of a spec over a dataset with these settings."""
    return f"edition 1\ndataset clips {{ {settings} }}\nloader train over clips {{ {loader} }}\n{claims}\n"
