"""Profiles of hypothesis: random examples by hand, the same ones everywhere else."""

from __future__ import annotations

import os

from hypothesis import settings

# An answer that is kept would hide a fault that a test plants; tests of that set a folder of their own.
os.environ["EPOCHPROOF_CACHE_DIR"] = os.devnull

# Hundreds of tests start the command; each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
