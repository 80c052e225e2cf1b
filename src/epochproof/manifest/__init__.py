"""Manifests: files that list the records of a dataset; the only room that imports DuckDB."""
