"""Stages: one concept a file, found by scanning this room."""
