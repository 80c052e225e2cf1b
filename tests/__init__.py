"""The tests of epochproof; `python -m tests` runs every check there is."""
