"""Prints a manifest: clips of nine videos with their labels; whole videos go to `train` or `val`."""

import csv
import sys

CLIPS = {"ant": 4, "bee": 3, "cat": 4, "dog": 2, "eel": 4, "fox": 1, "gnu": 3, "hen": 2, "ibis": 5}
VAL = {"cat", "gnu"}

rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(["clip_id", "video", "label", "part"])
for at, (video, clips) in enumerate(CLIPS.items()):
    for clip in range(clips):
        rows.writerow([f"{video}_{32 * clip:04}", video, at % 3, "val" if video in VAL else "train"])
